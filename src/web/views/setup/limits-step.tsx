import { useState } from 'preact/hooks'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Heading } from '../../ui/heading.tsx'
import { useLoad } from '../../ui/state.tsx'
import { call, save, type Config } from './config.ts'
import type { StepProps } from './setup.tsx'

const gigabyte = 1e9
const units = ['Hours', 'Days', 'Weeks', 'Months'] as const

export function LimitsStep({ config, onSaved, onNext, onBack }: StepProps) {
  const [share, setShare] = useState(toGigabytes(config.maxShareSize))
  const [quota, setQuota] = useState(toGigabytes(config.userQuota))
  const [expiry, setExpiry] = useState(String(config.defaultExpirationVal))
  const [unit, setUnit] = useState(config.defaultExpirationUnit)
  const submit = async () => {
    const changes: Partial<Config> = {
      maxShareSize: toBytes(share),
      userQuota: toBytes(quota),
      defaultExpirationVal: Number(expiry),
      defaultExpirationUnit: unit,
    }
    await save(changes)
    onSaved(changes)
    onNext()
  }
  const gigabytes = { type: 'number', min: 0, max: 9e6, step: 0.001, inputMode: 'decimal' } as const
  return (
    <>
      <Heading title={t('setup.limits_title')} />
      <FreeSpace />
      <Form
        class="card"
        action={t('next')}
        onSubmit={submit}
        more={<Button onClick={onBack}>{t('back')}</Button>}
      >
        <Field
          {...gigabytes}
          label={t('setup.share_limit')}
          hint={t('setup.unlimited')}
          value={share}
          onValue={setShare}
        />
        <Field
          {...gigabytes}
          label={t('setup.quota')}
          hint={t('setup.unlimited')}
          value={quota}
          onValue={setQuota}
        />
        <div class="row-tight pair">
          <Field
            label={t('setup.expiry')}
            type="number"
            min={0}
            max={10_000}
            required
            value={expiry}
            onValue={setExpiry}
          />
          <Select
            label={t('setup.unit')}
            value={unit}
            onValue={setUnit}
            options={units.map((name) => [name, t(`setup.unit.${name}`)] as const)}
          />
        </div>
        <p class="hint">{t('setup.expiry_hint')}</p>
      </Form>
    </>
  )
}

interface Status {
  readonly disk: { readonly free_bytes: number; readonly total_bytes: number }
}

/** Good to know, and no reason to stop: says nothing where it could not be found out. */
function FreeSpace() {
  const { data } = useLoad((signal) => call<Status>('GET', '/api/admin/status', { signal }), [])
  if (!data) return null
  const { free_bytes: free, total_bytes: total } = data.disk
  return <p>{t('setup.free', { free: formatBytes(free), total: formatBytes(total) })}</p>
}

/** 0 is no limit: an empty field. */
function toGigabytes(bytes: number): string {
  return bytes === 0 ? '' : String(bytes / gigabyte)
}

function toBytes(gigabytes: string): number {
  return Math.round(Number(gigabytes) * gigabyte)
}
