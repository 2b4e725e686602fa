import { api } from '../../lib/api.ts'
import { part, type Editable } from '../../lib/editable.ts'
import { t } from '../../lib/i18n.ts'
import { readPageData } from '../../lib/page-data.ts'
import { useSignal } from '../../lib/signals.ts'
import { CopyField } from '../../ui/copy.tsx'
import { Check, Field, optionsOf, Select } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form.tsx'
import { readWords } from './setting-fields.tsx'

export const path = '/api/admin/providers'
const gigabyte = 1e9
/** What providers call them, in every language. */
export const redirectUri = 'Redirect URI'
const clientId = 'Client ID'
const linkings = ['off', 'no_password', 'all'] as const
const creations = ['off', 'domains', 'all'] as const

/** Before anything of it is known. */
const unnamed = {
  id: '',
  name: '',
  issuer: '',
  clientId: '',
  hasSecret: false,
  linking: 'off' as (typeof linkings)[number],
  creation: 'off' as (typeof creations)[number],
  domains: [] as readonly string[],
  trustsEmail: false,
  trustsSecondFactor: false,
  groupsClaim: '',
  adminGroup: '',
  groupQuotas: [] as readonly { readonly group: string; readonly quota: number }[],
  redirectUri: '',
}

export type Provider = Readonly<typeof unnamed>

export function ProviderForm(props: {
  readonly provider: Provider | null
  readonly onChanged: () => void
  readonly onClose: () => void
}) {
  const { provider, onChanged, onClose } = props
  const given = useSignal<Provider>(provider ?? unnamed)
  const secret = useSignal('')
  const domains = useSignal(given.value.domains.join(', '))
  const quotas = useSignal(sayQuotas(given.value))
  const submit = async () => {
    const { id, ...fields } = given.value
    const body = {
      ...fields,
      ...(secret.value && { clientSecret: secret.value }),
      domains: readWords(domains.value),
      groupQuotas: readQuotas(quotas.value),
    }
    await (provider
      ? api('PUT', `${path}/${id}`, { body })
      : api('POST', path, { body: { id, ...body } }))
    onChanged()
    onClose()
  }
  const { id } = given.value
  const { baseUrl } = readPageData<{ baseUrl: string }>()
  return (
    <FormDialog
      title={provider?.name ?? t('providers.add')}
      action={t('common.save')}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={t('common.name')} required maxLength={60} value={part(given, 'name')} />
      {!provider && (
        <Field
          label={t('providers.id')}
          required
          maxLength={40}
          pattern="[a-z0-9][a-z0-9\-]*"
          value={part(given, 'id')}
        />
      )}
      <CopyField label={redirectUri} value={`${baseUrl}/api/auth/oidc/${id || '…'}/callback`} />
      <Field label={t('providers.issuer')} type="url" required value={part(given, 'issuer')} />
      <Field label={clientId} required value={part(given, 'clientId')} />
      <Field
        label={t('providers.client_secret')}
        type="password"
        autoComplete="off"
        hint={given.value.hasSecret && t('providers.secret_hint')}
        value={secret}
      />
      <Rules given={given} domains={domains} quotas={quotas} />
    </FormDialog>
  )
}

interface RulesProps {
  readonly given: Editable<Provider>
  readonly domains: Editable<string>
  readonly quotas: Editable<string>
}

/** Who gets in, and with which rights. */
function Rules({ given, domains, quotas }: RulesProps) {
  return (
    <>
      <Select
        label={t('providers.creation')}
        value={part(given, 'creation')}
        options={optionsOf(creations, (name) => t(`providers.creation.${name}`))}
      />
      {given.value.creation === 'domains' && (
        <Field label={t('providers.domains')} value={domains} />
      )}
      <Select
        label={t('providers.linking')}
        hint={t('providers.linking_hint')}
        value={part(given, 'linking')}
        options={optionsOf(linkings, (name) => t(`providers.linking.${name}`))}
      />
      <Check label={t('providers.trusts_email')} checked={part(given, 'trustsEmail')} />
      <Check
        label={t('providers.trusts_second_factor')}
        checked={part(given, 'trustsSecondFactor')}
      />
      <Field label={t('providers.groups_claim')} value={part(given, 'groupsClaim')} />
      <Field
        label={t('providers.admin_group')}
        hint={t('providers.admin_group_hint')}
        value={part(given, 'adminGroup')}
      />
      <Field
        label={t('providers.group_quotas')}
        hint={t('providers.group_quotas_hint')}
        lines={2}
        value={quotas}
      />
    </>
  )
}

/** One a line, in gigabytes; the service refuses what is no number. */
function readQuotas(text: string): object[] {
  const lines = text.split('\n').filter((line) => line.trim())
  return lines.map((line) => {
    const at = line.lastIndexOf('=')
    const [group, size] = [line.slice(0, at), line.slice(at + 1)].map((one) => one.trim())
    return { group, quota: Math.round(Number(size!.replace(',', '.') || NaN) * gigabyte) }
  })
}

function sayQuotas({ groupQuotas }: Provider): string {
  return groupQuotas.map(({ group, quota }) => `${group} = ${quota / gigabyte}`).join('\n')
}
