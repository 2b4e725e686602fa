import { api, mustEnrol } from '../../lib/api.ts'
import { formatDay } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { hasPasskeys, makePasskey } from '../../lib/passkey.ts'
import { noteFactors } from '../../lib/session.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { useConfirm } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form.tsx'
import { HeadingRow } from '../../ui/heading.tsx'
import * as icons from '../../ui/icons.ts'
import { Problem, useAction, useGet } from '../../ui/state.tsx'
import { ChangeableRow, Rows } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { nameDevice } from './sessions.tsx'

interface Passkey {
  readonly id: string
  readonly name: string
  readonly created_at: string
  readonly last_used_at: string | null
}

const path = '/api/passkeys'

export function Passkeys() {
  const loaded = useGet<Passkey[]>(path)
  const renaming = useSignal<Passkey | null>(null)
  const close = () => {
    renaming.value = null
    loaded.reload()
  }
  const removing = useConfirm((passkey: Passkey) => ({
    title: t('passkeys.remove_title', { name: passkey.name }),
    action: t('common.remove'),
    children: <p>{t('passkeys.remove_text')}</p>,
    onConfirm: async () => {
      await api('DELETE', `${path}/${passkey.id}`)
      const left = loaded.data!.filter((one) => one.id !== passkey.id)
      loaded.set(left)
      noteFactors({ hasPasskey: left.length > 0 })
    },
  }))
  return (
    <>
      <HeadingRow title={t('account.passkeys')}>
        <AddPasskey onAdded={(passkey) => loaded.set([passkey, ...(loaded.data ?? [])])} />
      </HeadingRow>
      <p class="faint">{t('passkeys.text')}</p>
      <Rows loaded={loaded} none={t('passkeys.none')}>
        {(passkey) => (
          <ChangeableRow
            key={passkey.id}
            name={passkey.name}
            hint={<Use {...passkey} />}
            onChange={() => (renaming.value = passkey)}
            onRemove={() => removing.ask(passkey)}
          />
        )}
      </Rows>
      {renaming.value && <Rename passkey={renaming.value} onClose={close} />}
      {removing.dialog}
    </>
  )
}

/** Makes a passkey, named after this browser. */
export function AddPasskey({ onAdded }: { readonly onAdded: (passkey: Passkey) => void }) {
  const action = useAction()
  const add = async () => {
    const made = await makePasskey()
    if (!made) return
    const body = { ...made, name: nameDevice(navigator.userAgent) }
    onAdded(await api<Passkey>('POST', `${path}/register/verify`, { body }))
    noteFactors({ hasPasskey: true })
  }
  if (!hasPasskeys()) {
    return (
      <p class="notice">{t(isSecureContext ? 'passkeys.no_browser' : 'error.https_required')}</p>
    )
  }
  // Beside the wizard, it is the second way.
  const kind = mustEnrol.value ? 'plain' : 'primary'
  return (
    <>
      <Button kind={kind} icon={icons.add} busy={action.isBusy} onClick={() => action.run(add)}>
        {t('passkeys.add')}
      </Button>
      <Problem error={action.error} />
    </>
  )
}

function Rename({ passkey, onClose }: { readonly passkey: Passkey; readonly onClose: () => void }) {
  const name = useSignal(passkey.name)
  const save = async () => {
    await api('PATCH', `${path}/${passkey.id}`, { body: { name: name.value } })
    onClose()
  }
  return (
    <FormDialog
      title={t('contacts.change_title', { name: passkey.name })}
      action={t('common.save')}
      onSubmit={save}
      onClose={onClose}
    >
      <Field label={t('common.name')} maxLength={100} required autoFocus value={name} />
    </FormDialog>
  )
}

function Use({ created_at, last_used_at }: Passkey) {
  return (
    <>
      {t('passkeys.created', { day: formatDay(created_at) })} ·{' '}
      {t(last_used_at ? 'passkeys.used' : 'passkeys.unused')}{' '}
      {last_used_at && <Time at={last_used_at} />}
    </>
  )
}
