import * as icons from '../../ui/icons.ts'
import { t } from '../../lib/i18n.ts'
import { useSignal } from '../../lib/signals.ts'
import { ButtonLink, Button } from '../../ui/button.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Loading, Problem, useLoad } from '../../ui/state.tsx'
import { readConfig, type StepProps, call, type Config, useToken } from './config.ts'
import { MailStep } from './mail-step.tsx'
import { addressOf } from '../../lib/base-path.ts'
import {
  EmailField,
  Field,
  NameField,
  NewPasswordField,
  optionsOf,
  Select,
} from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { DiskTest } from '../disk-test.tsx'
import { useEffect } from 'preact/hooks'
import { api, ApiError } from '../../lib/api.ts'
import { editable, part } from '../../lib/editable.ts'
import { gigabytesOf, readGigabytes } from '../../lib/kinds.ts'
import { expiryUnits } from '../../lib/limits.ts'

/** After the account. The end is no step, so there are as many. */
const views = [AddressStep, LimitsStep, MailStep, Done]

/** The first administrator's account, then the essential settings. */
export function Setup({ isOpen }: { readonly isOpen: boolean }) {
  const hasAccount = useSignal(!isOpen)
  const step = useSignal(isOpen ? 0 : readStep())
  const onStep = (next: number) => {
    history.replaceState(null, '', `#step=${next}`)
    step.value = next
  }
  const onCreated = () => {
    hasAccount.value = true
    onStep(1)
  }
  if (!hasAccount.value) {
    return (
      <>
        <p class="faint">{t('common.step', { n: 1, all: views.length })}</p>
        <AccountStep onCreated={onCreated} />
      </>
    )
  }
  return step.value > 0 ? <Settings step={step.value} onStep={onStep} /> : <Closed />
}

/** A reloaded page continues where it was, although the token in its address is no longer valid. */
function readStep(): number {
  const step = Number(new URLSearchParams(location.hash.slice(1)).get('step'))
  return step >= 1 && step <= views.length ? step : 0
}

function Settings(props: { readonly step: number; readonly onStep: (step: number) => void }) {
  const { step, onStep } = props
  const loaded = useLoad(readConfig, [])
  const { data: config, error } = loaded
  if (error !== null) {
    const isSignedOut = (error as ApiError).status === 401
    return isSignedOut ? <Closed /> : <Problem error={error} onRetry={loaded.reload} />
  }
  if (!config) return <Loading />
  const View = views[step - 1]!
  return (
    <>
      {View !== Done && <p class="faint">{t('common.step', { n: step + 1, all: views.length })}</p>}
      <View
        key={step}
        config={config}
        onSave={async (changes) => {
          await call('PUT', '/api/config', { body: changes })
          loaded.set({ ...config, ...changes })
        }}
        onNext={() => onStep(step + 1)}
        onBack={(typed) => {
          loaded.set({ ...config, ...typed })
          onStep(step - 1)
        }}
      />
    </>
  )
}

function Done({ config }: StepProps) {
  const { canStay, baseUrl } = config
  return (
    <>
      <Heading title={t('setup.done_title')} />
      <p>{t('setup.done_text')}</p>
      <ButtonLink kind="primary wide" icon={icons.send} href={canStay ? '/' : `${baseUrl}/login`}>
        {t(canStay ? 'setup.first_file' : 'setup.sign_in')}
      </ButtonLink>
      {canStay && (
        <ButtonLink kind="wide" href="/admin/users">
          {t('setup.add_accounts')}
        </ButtonLink>
      )}
    </>
  )
}

function Closed() {
  return (
    <>
      <Heading title={t('setup.closed_title')} />
      <p>{t('setup.closed_text')}</p>
      <ButtonLink kind="primary wide" href="/login">
        {t('setup.sign_in')}
      </ButtonLink>
    </>
  )
}

function AddressStep({ config, onSave, onNext }: StepProps) {
  const appName = useSignal(config.appName)
  const submit = async () => {
    await onSave({ appName: appName.value })
    onNext()
  }
  return (
    <>
      <Heading title={t('setup.address_title')} />
      <Form action={t('common.next')} onSubmit={submit}>
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

function Findings({ baseUrl: address, canStay }: { baseUrl: string; canStay: boolean }) {
  const here = location.origin + addressOf('/').slice(0, -1)
  const isHere = address === here
  return (
    <>
      <p class={isHere ? undefined : 'notice'}>
        {t(isHere ? 'setup.links_begin' : 'setup.other_address', { here, address })}
      </p>
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
  if (!data || data.proxy === 'none' || data.proxy === 'local') return null
  const { ip, proxy } = data
  return (
    <p class={proxy === 'believed' ? undefined : 'notice'}>{t(`setup.proxy_${proxy}`, { ip })}</p>
  )
}

function LimitsStep({ config, onSave, onNext, onBack }: StepProps) {
  const share = useSignal(gigabytesOf(config.maxShareSize))
  const quota = useSignal(gigabytesOf(config.userQuota))
  const expiry = useSignal(String(config.defaultExpirationVal || ''))
  const unit = useSignal(config.defaultExpirationUnit)
  const changes: Partial<Config> = {
    maxShareSize: readGigabytes(share.value),
    userQuota: readGigabytes(quota.value),
    defaultExpirationVal: Number(expiry.value),
    defaultExpirationUnit: unit.value,
  }
  const submit = async () => {
    await onSave(changes)
    onNext()
  }
  const gigabytes = { type: 'number', min: 0, max: 9e6, step: 0.001, inputMode: 'decimal' } as const
  return (
    <>
      <Heading title={t('setup.limits_title')} />
      <DiskTest call={call} atOnce />
      <Form
        action={t('common.next')}
        onSubmit={submit}
        after={
          <Button kind="quiet" onClick={() => onBack(changes)}>
            {t('common.back')}
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
            options={optionsOf(expiryUnits, (name) => t(`setup.unit.${name}`))}
          />
        </div>
        <p class="hint">{t('setup.expiry_hint')}</p>
      </Form>
    </>
  )
}

/** The account comes first, so that others can no longer take over the service. */
function AccountStep({ onCreated }: { readonly onCreated: () => void }) {
  const given = new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
  const token = useSignal(given)
  const asksToken = useSignal(given === '')
  const isOld = useSignal(false)
  const person = useSignal({ name: '', email: '', password: '' })
  const isRefused = (error: unknown) =>
    error instanceof ApiError && error.code === 'wrong_setup_token'
  // Before the form is filled in; other failures are told when it is sent.
  useEffect(() => {
    if (given === '') return
    api('POST', '/api/setup/verify', { body: { token: given } }).catch((error: unknown) => {
      asksToken.value = isOld.value = isRefused(error)
    })
  }, [])
  const create = async () => {
    const body = { token: token.value.trim(), ...person.value }
    try {
      const answer = await api<{ token: string }>('POST', '/api/setup', { body })
      useToken(answer.token)
    } catch (error) {
      if (isRefused(error)) asksToken.value = true
      throw error
    }
    onCreated()
  }
  return (
    <>
      <Heading title={t('setup.account_title')} />
      <p>{t('setup.account_text')}</p>
      <Form
        action={t('setup.account_action')}
        onSubmit={create}
        texts={{
          wrong_setup_token: t('setup.wrong_token'),
          already_set_up: t('setup.taken'),
        }}
      >
        {asksToken.value && (
          <>
            {given === '' && <p class="notice">{t('setup.no_token')}</p>}
            <Field
              label={t('setup.token')}
              autoComplete="off"
              hint={t('setup.token_hint')}
              problem={isOld.value ? t('setup.wrong_token') : undefined}
              autoFocus={isOld.value}
              maxLength={200}
              required
              value={editable(token.value, (typed) => {
                token.value = typed
                isOld.value = false
              })}
            />
          </>
        )}
        <NameField autoComplete="name" value={part(person, 'name')} />
        <EmailField autoComplete="username" value={part(person, 'email')} />
        <NewPasswordField
          hint={t('setup.password_hint')}
          minLength={8}
          required
          value={part(person, 'password')}
        />
      </Form>
    </>
  )
}
