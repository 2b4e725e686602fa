import { addressOf } from '../../lib/base-path.ts'
import { t } from '../../lib/i18n.ts'
import { useSignal } from '../../lib/signals.ts'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Heading } from '../../ui/heading.tsx'
import { useLoad } from '../../ui/state.tsx'
import { call, save, type StepProps } from './config.ts'

export function AddressStep({ config, onSaved, onNext }: StepProps) {
  const appName = useSignal(config.appName)
  const submit = async () => {
    const changes = { appName: appName.value }
    await save(changes)
    onSaved(changes)
    onNext()
  }
  return (
    <>
      <Heading title={t('setup.address_title')} />
      <Form action={t('next')} onSubmit={submit}>
        <Field
          label={t('setup.app_name')}
          hint={t('setup.app_name_hint')}
          maxLength={60}
          required
          value={appName}
        />
        <Findings baseUrl={config.baseUrl} canStay={config.canStay} />
      </Form>
    </>
  )
}

/** Findings about the address, in plain words. */
function Findings({ baseUrl: address, canStay }: { baseUrl: string; canStay: boolean }) {
  const here = location.origin + addressOf('/').slice(0, -1)
  return (
    <>
      {address === here ? (
        <p>{t('setup.links', { address })}</p>
      ) : (
        <p class="notice">{t('setup.other_address', { here, address })}</p>
      )}
      {!canStay && <p class="notice">{t('setup.no_cookie', { address })}</p>}
      {address.startsWith('http:') && <p class="notice">{t('setup.plain_http')}</p>}
      <ProxyFinding />
    </>
  )
}

interface Connection {
  readonly ip: string
  readonly proxy: 'none' | 'local' | 'believed' | 'ignored' | 'silent'
}

/** Not critical, so it shows nothing if the check fails. */
function ProxyFinding() {
  const { data } = useLoad(
    (signal) => call<Connection>('GET', '/api/admin/connection', { signal }),
    [],
  )
  if (!data || data.proxy === 'none') return null
  const { ip, proxy } = data
  return (
    <p class={proxy === 'believed' || proxy === 'local' ? undefined : 'notice'}>
      {t(`setup.proxy_${proxy}`, { ip })}
    </p>
  )
}
