import { call } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n.ts'
import { useSignal } from '../../../lib/signals.ts'
import { Show, useLoad } from '../../../ui/state.tsx'
import { renderMarkdown } from './markdown.ts'

/** A text as it is; Markdown rendered, with a button that shows its source. */
export function Text({ path, href }: { readonly path: string; readonly href: string }) {
  const isSource = useSignal(false)
  const loaded = useLoad(
    async (signal) => {
      const answer = await call('GET', href, { signal })
      // `text()` knows only UTF-8.
      const encoding = answer.headers.get('content-type')!.split('charset=')[1]
      return new TextDecoder(encoding).decode(await answer.arrayBuffer())
    },
    [href],
  )
  return (
    <Show loaded={loaded}>
      {(text) => {
        if (text === '') return <p class="hint">{t('preview.empty')}</p>
        const rendered = /\.(md|markdown)$/i.test(path) && renderMarkdown(text)
        return (
          <>
            {rendered && !isSource.value ? (
              <article tabIndex={0}>{rendered}</article>
            ) : (
              // Focusable, so that the keyboard can scroll it.
              <pre tabIndex={0}>{text}</pre>
            )}
            {rendered && (
              <button
                type="button"
                class="button tools"
                aria-pressed={isSource.value}
                onClick={() => (isSource.value = !isSource.value)}
              >
                {t('preview.source')}
              </button>
            )}
          </>
        )
      }}
    </Show>
  )
}
