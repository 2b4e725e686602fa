import { api } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { query, setQuery } from '../../lib/router.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { HeadingRow } from '../../ui/heading.tsx'
import * as icons from '../../ui/icons.ts'
import { Show, useLoad, useGet } from '../../ui/state.tsx'
import { NamedRow, Rows } from '../../ui/table.tsx'
import { path, ProviderForm, redirectUri, type Provider } from './provider-form.tsx'

type Open = { readonly name: 'edit' | 'test' | 'remove'; readonly provider: Provider | null }

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
  const open = useSignal<Open | null>(null)
  const show = (name: Open['name'], provider: Provider | null = null) =>
    (open.value = { name, provider })
  const tested = query('report')
  return (
    <>
      <HeadingRow title={t('admin.tab.providers')}>
        <Button kind="primary" icon={icons.add} onClick={() => show('edit')}>
          {t('providers.add')}
        </Button>
      </HeadingRow>
      <p class="faint">{t('providers.text')}</p>
      <Rows loaded={loaded} none={t('providers.none')}>
        {(provider) => (
          <NamedRow key={provider.id} name={provider.name} hint={provider.issuer}>
            <Button kind="quiet" onClick={() => show('test', provider)}>
              {t('providers.test')}
            </Button>
            <Button kind="quiet" onClick={() => show('edit', provider)}>
              {t('ready.change')}
            </Button>
            <Button kind="quiet" onClick={() => show('remove', provider)}>
              {t('common.remove')}
            </Button>
          </NamedRow>
        )}
      </Rows>
      {open.value && (
        <Opened {...open.value} onChanged={loaded.reload} onClose={() => (open.value = null)} />
      )}
      {tested && <Tested id={tested} onClose={() => setQuery({ report: '' })} />}
    </>
  )
}

function Opened(props: Open & { readonly onChanged: () => void; readonly onClose: () => void }) {
  const { name, provider, onChanged, onClose } = props
  if (name === 'edit') return <ProviderForm {...{ provider, onChanged, onClose }} />
  if (name === 'test') return <Test provider={provider!} onClose={onClose} />
  const remove = async () => {
    await api('DELETE', `${path}/${provider!.id}`)
    onChanged()
  }
  return (
    <Confirm
      title={t('passkeys.remove_title', { name: provider!.name })}
      action={t('common.remove')}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{t('providers.remove_text')}</p>
    </Confirm>
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
  const loaded = useLoad(
    (signal) => api<Report>('GET', `${path}/${encodeURIComponent(id)}/report`, { signal }),
    [],
  )
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
