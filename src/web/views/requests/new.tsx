import { useState } from 'preact/hooks'
import { api } from '../../lib/api.ts'
import { copyText } from '../../lib/clipboard.ts'
import { allowedExpiry, expiryOptions, readExpiry, type Expiry } from '../../lib/expiry.ts'
import { t } from '../../lib/i18n.ts'
import { loadLimits } from '../../lib/limits.ts'
import { readPageData } from '../../lib/page-data.ts'
import { go } from '../../lib/router.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Heading } from '../../ui/heading.tsx'
import * as icons from '../../ui/icons.ts'
import { Problem, useAction, useLoad } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import * as fields from './fields.tsx'
import type { RequiredField } from './request.tsx'

const empty = {
  name: '',
  instructions: '',
  megabytes: '',
  kinds: '',
  requiredFields: [] as readonly RequiredField[],
  password: '',
  once: false,
  notify: true,
  thankYouMessage: '',
  sendEmailTo: '',
}

/** Makes a file request; no field is required. */
export function NewRequest() {
  const [values, setValues] = useState(empty)
  const [expiry, setExpiry] = useState<Expiry | null>(null)
  const { data: limits, error, reload } = useLoad(loadLimits, [])
  const action = useAction()
  const set = (change: Partial<typeof empty>) => setValues((old) => ({ ...old, ...change }))
  const create = async () => {
    const { megabytes, kinds, name, ...rest } = values
    const body = {
      ...rest,
      name: name.trim(),
      maxSize: fields.readMegabytes(megabytes),
      allowedExtensions: fields.readKinds(kinds),
      ...(expiry ? readExpiry(expiry) : {}),
    }
    const { id, url } = await api<{ id: string; url: string }>('POST', '/api/reverse', { body })
    if (await copyText(url)) toast(t('ready.copied'))
    go(`/requests/${id}?new`, { replace: true })
  }
  return (
    <form class="stack narrow" onSubmit={action.onSubmit(create)}>
      <Heading title={t('requests.new')} />
      <fields.Name value={values.name} onValue={(name) => set({ name })} />
      <fields.Instructions
        value={values.instructions}
        onValue={(instructions) => set({ instructions })}
      />
      {error !== null && <Problem error={error} onRetry={reload} />}
      {limits && (
        <Select
          label={t('send.expires')}
          value={expiry ?? allowedExpiry(null, limits)}
          onValue={setExpiry}
          options={expiryOptions(limits)}
        />
      )}
      <fields.Notify value={values.notify} onValue={(notify) => set({ notify })} />
      <More values={values} set={set} />
      {action.error !== null && <Problem error={action.error} />}
      <div>
        <Button kind="primary" type="submit" icon={icons.link} busy={action.isBusy}>
          {t('requests.submit')}
        </Button>
      </div>
    </form>
  )
}

/** Rarely needed fields. */
function More(props: {
  readonly values: typeof empty
  readonly set: (change: Partial<typeof empty>) => void
}) {
  const { values, set } = props
  return (
    // Opened when a field in it is invalid, so that the user sees why the form is not sent.
    <details onInvalidCapture={(event) => (event.currentTarget.open = true)}>
      <summary>{t('requests.more')}</summary>
      <div class="stack">
        <fields.Once value={values.once} onValue={(once) => set({ once })} />
        <fields.Demands
          value={values.requiredFields}
          onValue={(requiredFields) => set({ requiredFields })}
        />
        <fields.Kinds value={values.kinds} onValue={(kinds) => set({ kinds })} />
        <fields.MaxSize value={values.megabytes} onValue={(megabytes) => set({ megabytes })} />
        <Field
          label={t('password')}
          type="password"
          autoComplete="new-password"
          maxLength={256}
          value={values.password}
          onValue={(password) => set({ password })}
        />
        <fields.Thanks
          value={values.thankYouMessage}
          onValue={(thankYouMessage) => set({ thankYouMessage })}
        />
        {readPageData<{ sendsEmail: boolean }>().sendsEmail && (
          <Field
            label={t('requests.invite')}
            type="email"
            value={values.sendEmailTo}
            onValue={(sendEmailTo) => set({ sendEmailTo })}
          />
        )}
      </div>
    </details>
  )
}
