import { t } from '../../lib/i18n.ts'
import { hasWords } from '../../lib/search.ts'
import { useSignal } from '../../lib/signals.ts'
import { SearchField } from '../../ui/field.tsx'
import { isPhone, Parts } from '../../ui/parts.tsx'
import { hintOf, nameOf } from './setting-fields.tsx'
import { sectionNames, sections, type Setting } from './setting-table.ts'

const path = '/admin/settings'
export const settingsParts = [...sectionNames, 'about'] as const

/** The sections, or with a search text the settings that contain it in name or hint. */
export function SettingsNavigation(props: {
  readonly current: (typeof settingsParts)[number] | null
}) {
  const typed = useSignal('')
  const sections = (
    <Parts
      {...{ title: t('admin.tab.settings'), path, names: settingsParts, ...props }}
      textOf={(name) => t(`section.${name}`)}
    />
  )
  if (isPhone.value && props.current) return sections
  return (
    <div class="stack-tight">
      <search class="list-filters">
        <SearchField label={t('settings.search')} value={typed} />
      </search>
      {typed.value.trim() ? <Found words={typed.value} /> : sections}
    </div>
  )
}

function Found({ words }: { readonly words: string }) {
  const found = sectionNames.flatMap((section) =>
    sections[section]
      .filter((setting: Setting) => {
        const text = `${nameOf(setting)} ${hintOf(setting)} ${t(`section.${section}`)}`
        return hasWords(text, words)
      })
      .map((setting: Setting) => ({ section, setting })),
  )
  return (
    <nav class="tabs" aria-label={t('settings.search')}>
      <p class="hint" role="status">
        {t('settings.found', { n: found.length })}
      </p>
      {found.map(({ section, setting }) => (
        <a
          key={setting.key}
          href={`${path}/${section}?setting=${setting.onlyFor?.[0] ?? setting.key}`}
        >
          {nameOf(setting)}
        </a>
      ))}
    </nav>
  )
}
