import { useState } from 'preact/hooks'
import { api } from '../../lib/api.ts'
import { copyText } from '../../lib/clipboard.ts'
import { allowedExpiry, expiryOptions, readExpiry, type Expiry } from '../../lib/expiry.ts'
import { t } from '../../lib/i18n.ts'
import { loadLimits } from '../../lib/limits.ts'
import { go } from '../../lib/router.ts'
import { Button } from '../../ui/button.tsx'
import { Check, Field, Select } from '../../ui/field.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Problem, useAction, useLoad } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'

const megabyte = 1_000_000

/** Makes a link for guests; nothing has to be filled in. */
export function NewRequest() {
  const [name, setName] = useState('')
  const [expiry, setExpiry] = useState<Expiry | null>(null)
  const [megabytes, setMegabytes] = useState('')
  const [password, setPassword] = useState('')
  const [notify, setNotify] = useState(true)
  const [thankYouMessage, setThanks] = useState('')
  const [sendEmailTo, setSendTo] = useState('')
  const { data: limits } = useLoad(loadLimits, [])
  const action = useAction()
  const create = async () => {
    const maxSize = Math.round(Number(megabytes) * megabyte)
    const more = { password, notify, thankYouMessage, sendEmailTo }
    const body = { name: name.trim(), maxSize, ...more, ...(expiry ? readExpiry(expiry) : {}) }
    const { id, url } = await api<{ id: string; url: string }>('POST', '/api/reverse', { body })
    if (await copyText(url)) toast(t('ready.copied'))
    go(`/requests/${id}?new`, { replace: true })
  }
  return (
    <form class="stack narrow" onSubmit={action.onSubmit(create)}>
      <Heading title={t('requests.new')} />
      <Field label={t('requests.name')} maxLength={200} value={name} onValue={setName} />
      {limits && (
        <Select
          label={t('send.expires')}
          value={expiry ?? allowedExpiry(null, limits)}
          onValue={setExpiry}
          options={expiryOptions(limits)}
        />
      )}
      <MaxSize value={megabytes} onValue={setMegabytes} />
      <Field
        label={t('password')}
        type="password"
        autoComplete="new-password"
        maxLength={256}
        hint={t('requests.optional')}
        value={password}
        onValue={setPassword}
      />
      <Thanks value={thankYouMessage} onValue={setThanks} hint={t('requests.optional')} />
      <Field
        label={t('requests.invite')}
        type="email"
        hint={t('requests.optional')}
        value={sendEmailTo}
        onValue={setSendTo}
      />
      <Check label={t('requests.notify')} checked={notify} onChecked={setNotify} />
      {action.error !== null && <Problem error={action.error} />}
      <div>
        <Button kind="primary" type="submit" icon="link" busy={action.isBusy}>
          {t('requests.submit')}
        </Button>
      </div>
    </form>
  )
}

/** What is taken of all guests together, in megabytes; empty for no limit. */
export function MaxSize(props: { value: string; onValue: (value: string) => void }) {
  return (
    <Field
      {...props}
      label={t('requests.max_size')}
      type="number"
      inputMode="decimal"
      min={1}
      max={9e9}
      hint={t('requests.max_size_hint')}
    />
  )
}

/** What guests read once they have sent everything. */
export function Thanks(props: {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly hint?: string
}) {
  return <Field {...props} label={t('requests.thanks')} lines={2} maxLength={10_000} />
}
