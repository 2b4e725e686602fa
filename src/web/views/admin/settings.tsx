import { api, ApiError } from '../../lib/api.ts'
import { t, type TextKey } from '../../lib/i18n.ts'
import type { ViewProps } from '../../lib/routes.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { Heading } from '../../ui/heading.tsx'
import { LeaveGuard } from '../../ui/leave-guard.tsx'
import { usePart } from '../../ui/parts.tsx'
import { Problem, Show, useAction, useGet, useLoad } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { BrandingPreview } from './branding-preview.tsx'
import { SettingField } from './setting-fields.tsx'
import { SettingsNavigation, settingsParts } from './settings-search.tsx'
import { isNew, isShown, keysOf, type Section, sections, type Values } from './setting-table.ts'
import { DiskTest } from '../disk-test.tsx'
import { Fact, FreeSpace, type Status } from './status.tsx'
import { Field } from '../../ui/field.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Form } from '../../ui/form.tsx'

export function SettingsView({ params }: ViewProps) {
  const loaded = useLoad(
    (signal) =>
      Promise.all([
        api<Values>('GET', '/api/config', { signal }),
        api<Values>('GET', '/api/config/defaults', { signal }),
      ]),
    [],
  )
  const shown = usePart('/admin/settings', settingsParts, params['section'])
  return (
    <div class="sided">
      {!shown && <Heading title={t('admin.tab.settings')} />}
      <SettingsNavigation current={shown} />
      {shown && (
        <div class={shown === 'branding' ? 'stack' : 'stack column'} key={shown}>
          <Heading title={t(`section.${shown}`)} />
          {shown === 'about' ? (
            <AboutSection />
          ) : (
            <Show loaded={loaded}>
              {([values, defaults]) => (
                <SectionForm
                  section={shown}
                  saved={values}
                  defaults={defaults}
                  onSaved={(changes) => loaded.set([{ ...values, ...changes }, defaults])}
                />
              )}
            </Show>
          )}
        </div>
      )}
    </div>
  )
}

interface SectionProps {
  readonly section: Section
  readonly saved: Values
  readonly defaults: Values
  readonly onSaved: (changes: Values) => void
}

/** One section with its changes, which are saved all or nothing. */
function SectionForm({ section, saved, defaults, onSaved }: SectionProps) {
  const changes = useSignal<Values>({})
  const action = useAction()
  const change = (more: Values) => {
    const all = Object.entries({ ...changes.value, ...more })
    // While saving, a reverted field counts as changed.
    const isChange = action.isBusy ? () => true : isNew(saved)
    changes.value = Object.fromEntries(all.filter(isChange))
  }
  const values = { ...saved, ...changes.value }
  const isChanged = Object.keys(changes.value).length > 0
  const save = async () => {
    const sent = changes.value
    await api('PUT', '/api/config', { body: sent })
    // The service normalises some values: trimmed, in lower case, masked. They are saved even if
    // this request fails.
    const kept = await api<Values>('GET', '/api/config').catch(() => sent)
    onSaved(kept)
    // Keeps later input.
    const later = Object.entries(changes.value).filter(isNew(sent)).filter(isNew(kept))
    changes.value = Object.fromEntries(later)
    toast(t('common.saved'))
  }
  const refused = action.error instanceof ApiError ? action.error.details['field'] : undefined
  return (
    <>
      <form class={section === 'branding' ? section : 'stack'} onSubmit={action.onSubmit(save)}>
        {sections[section]
          .filter((setting) => isShown(setting, values))
          .map((setting) => (
            <SettingField
              key={setting.key}
              setting={setting}
              values={values}
              defaults={defaults}
              isRefused={keysOf(setting).includes(String(refused))}
              onChange={change}
            />
          ))}
        {section === 'branding' && <BrandingPreview values={values} />}
        <Problem error={action.error} />
        <div class={isChanged ? 'save-bar changed' : 'save-bar'}>
          <span role="status">{isChanged && t('settings.unsaved')}</span>
          {isChanged && (
            <Button
              onClick={() => {
                changes.value = {}
                action.clear()
              }}
            >
              {t('settings.discard')}
            </Button>
          )}
          <Button kind="primary" type="submit" busy={action.isBusy} disabled={!isChanged}>
            {t('common.save')}
          </Button>
        </div>
      </form>
      {section === 'general' && <BootOptions />}
      {section === 'mail' && <MailTest isChanged={isChanged} />}
      {section === 'storage' && <StorageFacts />}
      {isChanged && (
        <LeaveGuard title={t('settings.leave_title')} action={t('settings.discard')}>
          {t('settings.leave_text', { section: t(`section.${section}`) })}
        </LeaveGuard>
      )}
    </>
  )
}

function StorageFacts() {
  const loaded = useGet<Status>('/api/admin/status')
  return (
    <section class="stack">
      <h2>{t('status.disk')}</h2>
      <Show loaded={loaded}>
        {({ disk, counts: { drafts } }) => (
          <>
            <dl class="facts figures">{disk && <FreeSpace disk={disk} />}</dl>
            {drafts > 0 && (
              <p>
                {t('storage.drafts', { n: drafts })}{' '}
                <a href="/admin/shares?state=draft">{t('storage.list')}</a>
              </p>
            )}
          </>
        )}
      </Show>
      <DiskTest call={api} />
    </section>
  )
}

const names = ['BASE_URL', 'DOCS_URL', 'TRUST_PROXY', 'DATABASE_URL'] as const
type Options = Readonly<Record<(typeof names)[number], string>>

function BootOptions() {
  const loaded = useGet<Options>('/api/admin/options')
  return (
    <section class="stack">
      <h2>{t('settings.options_title')}</h2>
      <Show loaded={loaded}>
        {(options) => (
          <>
            <p class="hint">
              {t('settings.options_text')}{' '}
              {options.DOCS_URL && (
                <a href={`${options.DOCS_URL}/docs/options`}>{t('settings.options_docs')}</a>
              )}
            </p>
            <dl class="facts">
              {names.map((name) => (
                <Fact key={name} name={t(`options.${name}`)}>
                  {options[name] || t(`options.${name}.none` as TextKey)}
                  <br />
                  <code class="faint">{name}</code>
                </Fact>
              ))}
            </dl>
          </>
        )}
      </Show>
    </section>
  )
}

interface Answer {
  readonly success: boolean
  readonly answer?: string
  readonly error?: string
}

/** Sends a test email with the saved settings, and shows the server's answer. */
function MailTest({ isChanged }: { readonly isChanged: boolean }) {
  const to = useSignal('')
  const answer = useSignal<Answer | null>(null)
  const send = async () => {
    answer.value = null
    const body = { to: to.value.trim() || undefined }
    answer.value = await api<Answer>('POST', '/api/admin/mail/test', { body })
  }
  return (
    <Form
      kind="plain"
      action={t('settings.test')}
      disabled={isChanged}
      onSubmit={send}
      after={
        <div role="status">
          {answer.value && (
            <div class={answer.value.success ? 'notice' : 'problem'}>
              <p>{t(answer.value.success ? 'settings.test_answer' : 'settings.test_error')}</p>
              <pre class="text">{answer.value.answer ?? answer.value.error}</pre>
            </div>
          )}
        </div>
      }
    >
      <h2>{t('settings.test')}</h2>
      <Field
        label={t('settings.test_to')}
        type="email"
        hint={isChanged && t('settings.test_first')}
        value={to}
      />
    </Form>
  )
}

interface About {
  readonly version: string
  readonly runtime: string
  readonly packages: readonly {
    readonly name: string
    readonly version: string
    readonly licence: string
    readonly text: string
  }[]
}

/** The version, and the licences of its packages, which must be distributed with them. */
function AboutSection() {
  const loaded = useGet<About>('/api/admin/about')
  return (
    <Show loaded={loaded}>
      {({ version, runtime, packages }) => (
        <>
          <p>{t('about.version', { version, runtime })}</p>
          <Fold text={t('about.licences')}>
            <p class="hint">{t('about.licences_text')}</p>
            <ul>
              {packages.map(({ name, version: its, licence, text }) => (
                <li key={name}>
                  <details>
                    <summary>
                      {name} {its} · {licence}
                    </summary>
                    <pre>{text || licence}</pre>
                  </details>
                </li>
              ))}
            </ul>
          </Fold>
        </>
      )}
    </Show>
  )
}
