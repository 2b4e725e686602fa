import { t, type TextKey } from '../../lib/i18n.ts'
import { searchable } from '../../lib/search.ts'
import { useSignal } from '../../lib/signals.ts'
import { Field } from '../../ui/field.tsx'
import { sectionNames, sections, type Section, type Setting } from './setting-table.ts'

/** The sections, or with a search text the settings that contain it in name or hint. */
export function SettingsNavigation({ current }: { readonly current: Section | 'about' }) {
  const typed = useSignal('')
  const words = searchable(typed.value).split(/\s+/).filter(Boolean)
  return (
    <div class="stack-tight">
      <search class="list-filters">
        <Field
          type="search"
          label={t('settings.search')}
          placeholder={t('settings.search')}
          value={typed}
        />
      </search>
      <nav class="sections" aria-label={t('settings.sections')}>
        {words.length > 0 ? (
          <Found words={words} />
        ) : (
          [...sectionNames, 'about' as const].map((name) => (
            <a
              key={name}
              href={`/admin/settings/${name}`}
              aria-current={name === current ? 'page' : undefined}
            >
              {t(`section.${name}`)}
            </a>
          ))
        )}
      </nav>
    </div>
  )
}

function Found({ words }: { readonly words: readonly string[] }) {
  const found = sectionNames.flatMap((section) =>
    sections[section]
      .filter((setting: Setting) => {
        const text = `${nameOf(setting)} ${hintOf(setting)} ${t(`section.${section}`)}`
        return words.every((word) => searchable(text).includes(word))
      })
      .map((setting: Setting) => ({ section, setting })),
  )
  return (
    <>
      <p class="hint" role="status">
        {t('settings.found', { n: found.length })}
      </p>
      {found.map(({ section, setting }) => (
        <a
          key={setting.key}
          href={`/admin/settings/${section}?setting=${setting.onlyFor?.[0] ?? setting.key}`}
        >
          {nameOf(setting)}
        </a>
      ))}
    </>
  )
}

function nameOf({ key }: Setting): string {
  return t(`set.${key}` as TextKey)
}

function hintOf({ key, hint }: Setting): string {
  return hint === false ? '' : t(`set.${key}.hint` as TextKey)
}
