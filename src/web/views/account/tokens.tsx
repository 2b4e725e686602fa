import { api } from '../../lib/api.ts'
import { browserClock } from '../../lib/clock.ts'
import { member } from '../../lib/editable.ts'
import { formatDay, formatEnd } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { me } from '../../lib/session.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog, useConfirm } from '../../ui/dialog.tsx'
import { Check, Field, optionsOf, Select } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form.tsx'
import { HeadingRow } from '../../ui/heading.tsx'
import * as icons from '../../ui/icons.ts'
import { useGet } from '../../ui/state.tsx'
import { NamedRow, Rows } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useConfirmation } from './confirmation.tsx'

const scopes = ['read', 'send', 'manage', 'administer', 'metrics'] as const
const ofAdministrators: readonly string[] = ['administer', 'metrics']
type Scope = (typeof scopes)[number]

interface Token {
  readonly id: string
  readonly name: string
  /** Its first characters, to recognise it in a program's settings. */
  readonly hint: string
  readonly scopes: readonly Scope[]
  readonly created_at: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
}

const dayMs = 86_400_000
const lives = ['30', '90', '365', ''] as const

export function Tokens() {
  const loaded = useGet<Token[]>('/api/tokens')
  const isCreating = useSignal(false)
  const close = () => {
    isCreating.value = false
    loaded.reload()
  }
  const ending = useConfirm((token: Token) => ({
    title: t('tokens.end_title', { name: token.name }),
    action: t('tokens.end'),
    children: <p>{t('tokens.end_text')}</p>,
    onConfirm: async () => {
      await api('DELETE', `/api/tokens/${token.id}`)
      loaded.set(loaded.data!.filter(({ id }) => id !== token.id))
    },
  }))
  return (
    <>
      <HeadingRow title={t('account.tokens')}>
        <Button kind="primary" icon={icons.add} onClick={() => (isCreating.value = true)}>
          {t('tokens.create')}
        </Button>
      </HeadingRow>
      <p class="faint">{t('tokens.text')}</p>
      <Rows loaded={loaded} none={t('tokens.none')}>
        {(token) => <Row key={token.id} token={token} onEnd={() => ending.ask(token)} />}
      </Rows>
      {isCreating.value && <Create onClose={close} />}
      {ending.dialog}
    </>
  )
}

function Create({ onClose }: { readonly onClose: () => void }) {
  const name = useSignal('')
  const life = useSignal<(typeof lives)[number]>('90')
  const chosen = useSignal<readonly Scope[]>(['send'])
  const secret = useSignal('')
  const { fields, confirm } = useConfirmation()
  const create = () =>
    confirm(async (proof) => {
      const expiresAt = life.value
        ? new Date(browserClock.now() + Number(life.value) * dayMs)
        : null
      const body = { name: name.value, scopes: chosen.value, expiresAt, ...proof }
      secret.value = (await api<{ token: string }>('POST', '/api/tokens', { body })).token
    })
  if (secret.value) {
    return (
      <Dialog title={t('tokens.made')}>
        <div class="stack">
          <p>{t('tokens.once')}</p>
          <CopyField label={t('tokens.token')} value={secret.value} kind="primary" />
          <div class="actions">
            <Button onClick={onClose}>{t('select.end')}</Button>
          </div>
        </div>
      </Dialog>
    )
  }
  return (
    <FormDialog
      title={t('tokens.create')}
      action={t('tokens.create')}
      onSubmit={create}
      texts={{ invalid_input: t('tokens.choose') }}
      onClose={onClose}
    >
      <Field
        label={t('common.name')}
        hint={t('tokens.name_hint')}
        maxLength={100}
        required
        value={name}
      />
      <Select
        label={t('tokens.life')}
        value={life}
        options={optionsOf(lives, (days) =>
          days ? t('tokens.days', { n: Number(days) }) : t('ready.no_expiry'),
        )}
      />
      <fieldset>
        <legend>{t('tokens.scopes')}</legend>
        {scopes
          .filter((scope) => !ofAdministrators.includes(scope) || me.value?.is_admin)
          .map((scope) => (
            <Check key={scope} label={t(`tokens.may_${scope}`)} checked={member(chosen, scope)} />
          ))}
      </fieldset>
      {fields}
    </FormDialog>
  )
}

function Row({ token, onEnd }: { readonly token: Token; readonly onEnd: () => void }) {
  const { name, hint, scopes: may, created_at, expires_at, last_used_at } = token
  const end = expires_at ? t('ready.expires', { day: formatEnd(expires_at) }) : t('ready.no_expiry')
  return (
    <NamedRow
      name={name}
      mark={<code>{hint}…</code>}
      hint={
        <>
          {may.map((scope) => t(`tokens.is_${scope}`)).join(', ')} ·{' '}
          {t('tokens.created', { day: formatDay(created_at) })} · {end} ·{' '}
          {t(last_used_at ? 'passkeys.used' : 'tokens.unused')}{' '}
          {last_used_at && <Time at={last_used_at} />}
        </>
      }
    >
      <Button kind="quiet" label={t('tokens.end_one', { name })} onClick={onEnd}>
        {t('tokens.end')}
      </Button>
    </NamedRow>
  )
}
