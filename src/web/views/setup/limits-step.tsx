import { t } from '../../lib/i18n.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Heading } from '../../ui/heading.tsx'
import { DiskTest } from '../disk-test.tsx'
import { call, save, type Config, type StepProps } from './config.ts'

const gigabyte = 1e9
const units = ['Hours', 'Days', 'Weeks', 'Months'] as const

export function LimitsStep({ config, onSaved, onNext, onBack }: StepProps) {
  const share = useSignal(toGigabytes(config.maxShareSize))
  const quota = useSignal(toGigabytes(config.userQuota))
  const expiry = useSignal(String(config.defaultExpirationVal || ''))
  const unit = useSignal(config.defaultExpirationUnit)
  const changes: Partial<Config> = {
    maxShareSize: toBytes(share.value),
    userQuota: toBytes(quota.value),
    defaultExpirationVal: Number(expiry.value),
    defaultExpirationUnit: unit.value,
  }
  const submit = async () => {
    await save(changes)
    onSaved(changes)
    onNext()
  }
  const gigabytes = { type: 'number', min: 0, max: 9e6, step: 0.001, inputMode: 'decimal' } as const
  return (
    <>
      <Heading title={t('setup.limits_title')} />
      <DiskTest call={call} atOnce />
      <Form
        action={t('next')}
        onSubmit={submit}
        after={
          <Button kind="quiet" onClick={() => onBack(changes)}>
            {t('back')}
          </Button>
        }
      >
        <Field
          {...gigabytes}
          label={t('setup.share_limit')}
          hint={t('setup.unlimited')}
          value={share}
        />
        <Field {...gigabytes} label={t('setup.quota')} hint={t('setup.unlimited')} value={quota} />
        <div class="row-tight pair">
          <Field label={t('setup.expiry')} type="number" min={0} max={10_000} value={expiry} />
          <Select
            label={t('setup.unit')}
            value={unit}
            options={units.map((name) => [name, t(`setup.unit.${name}`)] as const)}
          />
        </div>
        <p class="hint">{t('setup.expiry_hint')}</p>
      </Form>
    </>
  )
}

/** 0 means no limit: an empty field. */
function toGigabytes(bytes: number): string {
  return bytes === 0 ? '' : String(bytes / gigabyte)
}

function toBytes(gigabytes: string): number {
  return Math.round(Number(gigabytes) * gigabyte)
}
