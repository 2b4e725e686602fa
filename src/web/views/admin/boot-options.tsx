import { api } from '../../lib/api.ts'
import { t, type TextKey } from '../../lib/i18n.ts'
import { Show, useLoad } from '../../ui/state.tsx'
import { Fact } from './status-facts.tsx'

const names = ['BASE_URL', 'DOCS_URL', 'TRUST_PROXY', 'DATABASE_URL'] as const
type Options = Readonly<Record<(typeof names)[number], string>>

/** Options that are set at boot, and where. */
export function BootOptions() {
  const loaded = useLoad<Options>((signal) => api('GET', '/api/admin/options', { signal }), [])
  return (
    <section class="stack">
      <h2>{t('options.title')}</h2>
      <Show loaded={loaded}>
        {(options) => (
          <>
            <p class="hint">
              {t('options.text')}{' '}
              {options.DOCS_URL && (
                <a href={`${options.DOCS_URL}/docs/options`}>{t('options.docs')}</a>
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
