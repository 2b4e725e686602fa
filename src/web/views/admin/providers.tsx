import { api } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { query, setQuery } from '../../lib/router.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog, useConfirm } from '../../ui/dialog.tsx'
import { HeadingRow } from '../../ui/heading.tsx'
import * as icons from '../../ui/icons.ts'
import { Show, useLoad, useGet } from '../../ui/state.tsx'
import { NamedRow, Rows } from '../../ui/table.tsx'
import { path, ProviderForm, redirectUri, type Provider } from './provider-form.tsx'

interface Report {
  readonly steps: readonly { readonly name: StepName; readonly problem: string | null }[]
  readonly answered: string
}
type StepName = keyof typeof stepNames

/** In English, as all that a test finds (docs/decisions/0021-findings-in-english.md). */
const stepNames = {
  discovery: 'Metadata of the provider',
  keys: 'Keys of the provider',
  answer: 'Answer and ID token',
  account: 'Account',
}

/** Sign-in providers. The sign-in of a test ends here, in a window of its own. */
export function Providers() {
  const loaded = useGet<Provider[]>(path)
  const edited = useSignal<Provider | 'new' | null>(null)
  const testing = useSignal<Provider | null>(null)
  const removing = useConfirm(({ id, name }: Provider) => ({
    title: t('passkeys.remove_title', { name }),
    action: t('common.remove'),
    children: <p>{t('providers.remove_text')}</p>,
    onConfirm: async () => {
      await api('DELETE', `${path}/${id}`)
      loaded.reload()
    },
  }))
  const tested = query('report')
  return (
    <>
      <HeadingRow title={t('admin.tab.providers')}>
        <Button kind="primary" icon={icons.add} onClick={() => (edited.value = 'new')}>
          {t('providers.add')}
        </Button>
      </HeadingRow>
      <p class="faint">{t('providers.text')}</p>
      <Rows loaded={loaded} none={t('providers.none')}>
        {(provider) => (
          <NamedRow key={provider.id} name={provider.name} hint={provider.issuer}>
            <Button kind="quiet" onClick={() => (testing.value = provider)}>
              {t('providers.test')}
            </Button>
            <Button kind="quiet" onClick={() => (edited.value = provider)}>
              {t('ready.change')}
            </Button>
            <Button kind="quiet" onClick={() => removing.ask(provider)}>
              {t('common.remove')}
            </Button>
          </NamedRow>
        )}
      </Rows>
      {edited.value && (
        <ProviderForm
          provider={edited.value === 'new' ? null : edited.value}
          onChanged={loaded.reload}
          onClose={() => (edited.value = null)}
        />
      )}
      {testing.value && <Test provider={testing.value} onClose={() => (testing.value = null)} />}
      {removing.dialog}
      {tested && <Tested id={tested} onClose={() => setQuery({ report: '' })} />}
    </>
  )
}

function Test(props: { readonly provider: Provider; readonly onClose: () => void }) {
  const { provider, onClose } = props
  const loaded = useLoad(
    () => api<{ report: Report; url: string | null }>('POST', `${path}/${provider.id}/test`),
    [],
  )
  return (
    <Dialog title={t('providers.test_title', { name: provider.name })} onClose={onClose}>
      <Show loaded={loaded}>
        {({ report, url }) => (
          <div class="stack">
            <Steps report={report} />
            <CopyField label={redirectUri} value={provider.redirectUri} />
            {url && (
              <ButtonLink kind="primary" newTab href={url}>
                {t('providers.test_sign_in')}
              </ButtonLink>
            )}
          </div>
        )}
      </Show>
    </Dialog>
  )
}

function Tested({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const loaded = useGet<Report>(`${path}/${encodeURIComponent(id)}/report`)
  return (
    <Dialog title={t('providers.test_title', { name: id })} onClose={onClose}>
      <Show loaded={loaded}>{(report) => <Steps report={report} />}</Show>
    </Dialog>
  )
}

function Steps({ report }: { readonly report: Report }) {
  return (
    <div class="stack">
      <ul class="rows">
        {report.steps.map(({ name, problem }) => (
          <li key={name}>
            <div class="main">
              <strong>{stepNames[name]}</strong>
              {problem !== null && <p class="problem-text">{problem}</p>}
            </div>
            {problem === null && <span class="badge ok">OK</span>}
          </li>
        ))}
      </ul>
      {report.answered && <pre tabIndex={0}>{report.answered}</pre>}
    </div>
  )
}
