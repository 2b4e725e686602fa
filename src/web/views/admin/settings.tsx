import { api, ApiError } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import type { ViewProps } from '../../lib/routes.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { Heading } from '../../ui/heading.tsx'
import { LeaveGuard } from '../../ui/leave-guard.tsx'
import { Problem, Show, useAction, useLoad } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { AboutSection } from './about.tsx'
import { BootOptions } from './boot-options.tsx'
import { BrandingPreview } from './branding-preview.tsx'
import { MailTest } from './mail-test.tsx'
import { SettingField } from './setting-fields.tsx'
import { SettingsNavigation } from './settings-search.tsx'
import { StorageFacts } from './storage-facts.tsx'
import {
  isSame,
  isShown,
  keysOf,
  sectionNames,
  sections,
  type Section,
  type Values,
} from './setting-table.ts'

export function SettingsView({ params }: ViewProps) {
  const loaded = useLoad(
    (signal) =>
      Promise.all([
        api<Values>('GET', '/api/config', { signal }),
        api<Values>('GET', '/api/config/defaults', { signal }),
      ]),
    [],
  )
  const wanted = params['section']
  const section = sectionNames.find((name) => name === wanted) ?? 'general'
  const shown = wanted === 'about' ? wanted : section
  return (
    <div class="settings">
      <SettingsNavigation current={shown} />
      <div class={shown === 'branding' ? 'stack' : 'stack narrow'} key={shown}>
        <Heading title={t(`section.${shown}`)} />
        {shown === 'about' ? (
          <AboutSection />
        ) : (
          <Show loaded={loaded}>
            {([values, defaults]) => (
              <SectionForm
                section={section}
                saved={values}
                defaults={defaults}
                onSaved={(changes) => loaded.set([{ ...values, ...changes }, defaults])}
              />
            )}
          </Show>
        )}
      </div>
    </div>
  )
}

interface SectionProps {
  readonly section: Section
  readonly saved: Values
  readonly defaults: Values
  readonly onSaved: (changes: Values) => void
}

/** Whether a setting differs from `values`. */
const isNew =
  (values: Values) =>
  ([key, value]: [string, Values[string]]) =>
    !isSame(value, values[key])

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
    toast(t('saved'))
  }
  const refused = action.error instanceof ApiError ? action.error.details['field'] : undefined
  return (
    <>
      <form class={section === 'branding' ? 'branding' : 'stack'} onSubmit={action.onSubmit(save)}>
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
            {t('save')}
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
