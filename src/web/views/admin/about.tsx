import { t } from '../../lib/i18n.ts'
import { Show, useGet } from '../../ui/state.tsx'

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
export function AboutSection() {
  const loaded = useGet<About>('/api/admin/about')
  return (
    <Show loaded={loaded}>
      {({ version, runtime, packages }) => (
        <>
          <p>{t('about.version', { version, runtime })}</p>
          <h2>{t('about.licences')}</h2>
          <p class="hint">{t('about.licences_text')}</p>
          <ul class="stack-tight">
            {packages.map(({ name, version: its, licence, text }) => (
              <li key={name}>
                {text ? (
                  <details>
                    <summary>
                      {name} {its} · {licence}
                    </summary>
                    <pre>{text}</pre>
                  </details>
                ) : (
                  `${name} ${its} · ${licence}`
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </Show>
  )
}
