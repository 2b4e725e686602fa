import { api } from '../../lib/api.ts'
import { copyText } from '../../lib/clipboard.ts'
import { editable, part, type Editable } from '../../lib/editable.ts'
import { allowedExpiry, readExpiry, type Expiry, type Until } from '../../lib/expiry.ts'
import { t } from '../../lib/i18n.ts'
import { loadLimits } from '../../lib/limits.ts'
import { sendsEmail } from '../../lib/page-data.ts'
import { go } from '../../lib/router.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { ExpiryField } from '../../ui/expiry-field.tsx'
import { Field } from '../../ui/field.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Fold } from '../../ui/fold.tsx'
import * as icons from '../../ui/icons.ts'
import { PasswordSwitch } from '../../ui/password-switch.tsx'
import { NoMail } from '../../ui/share-fields.tsx'
import { Problem, useAction, useLoad } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { justMade } from '../send/draft.ts'
import * as fields from './fields.tsx'
import type { RequiredField } from './request.tsx'

const empty = {
  name: '',
  instructions: '',
  gigabytes: '',
  kinds: '',
  requiredFields: [] as readonly RequiredField[],
  password: null as string | null,
  once: false,
  allowSharing: false,
  notify: true,
  thankYouMessage: '',
  sendEmailTo: '',
}

/** Makes a file request; no field is required. */
export function NewRequest() {
  const values = useSignal(empty)
  const expiry = useSignal<Expiry | Until | null>(null)
  const { data: limits, error, reload } = useLoad(loadLimits, [])
  const action = useAction()
  const isSent = values.value.sendEmailTo !== ''
  const create = async () => {
    const { gigabytes, kinds, name, password, ...rest } = values.value
    const body = {
      ...rest,
      password: password ?? '',
      name: name.trim(),
      maxSize: fields.readGigabytes(gigabytes),
      allowedExtensions: fields.readKinds(kinds),
      ...(expiry.value ? readExpiry(expiry.value) : {}),
    }
    const path = '/api/reverse'
    const made = await api<{ id: string; url: string; mailed: boolean }>('POST', path, { body })
    const { id, url, mailed } = made
    if (isSent && !mailed) toast(t('ready.mail_full'))
    const isCopied = await copyText(url)
    justMade.value = { shareId: id, to: mailed ? rest.sendEmailTo : '', isCopied, password }
    go(`/requests/${id}?new`, { replace: true })
  }
  return (
    <form class="transfer stack" onSubmit={action.onSubmit(create)}>
      <Heading title={t('requests.new')} />
      <fields.Name value={part(values, 'name')} />
      <fields.Instructions value={part(values, 'instructions')} />
      <Problem error={error} onRetry={reload} />
      {limits && (
        <ExpiryField
          limits={limits}
          value={editable(
            expiry.value ?? allowedExpiry(null, limits),
            (next) => (expiry.value = next),
          )}
        />
      )}
      {sendsEmail() && <fields.Notify value={part(values, 'notify')} />}
      <div class="options">
        <PasswordSwitch
          value={part(values, 'password')}
          hint={isSent && t('requests.behind_password')}
        />
        <More values={values} />
      </div>
      {sendsEmail() && (
        <Field label={t('requests.invite')} type="email" value={part(values, 'sendEmailTo')} />
      )}
      <Problem error={action.error} />
      <Button
        kind="primary"
        isWide
        type="submit"
        icon={isSent ? icons.mail : icons.link}
        busy={action.isBusy}
      >
        {isSent ? t('send.send_to', { n: 1 }) : t('requests.submit')}
      </Button>
    </form>
  )
}

/** Rarely needed fields. */
function More({ values }: { readonly values: Editable<typeof empty> }) {
  return (
    <Fold text={t('send.more')}>
      <div class="stack">
        <fields.Once value={part(values, 'once')} />
        <fields.AllowSharing value={part(values, 'allowSharing')} />
        <fields.Demands value={part(values, 'requiredFields')} />
        <fields.Kinds value={part(values, 'kinds')} />
        <fields.MaxSize value={part(values, 'gigabytes')} />
        <fields.Thanks value={part(values, 'thankYouMessage')} />
        <NoMail />
      </div>
    </Fold>
  )
}
