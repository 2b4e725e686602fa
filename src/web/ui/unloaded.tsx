import { render } from 'preact'
import { language } from '../lib/i18n.ts'

/** Replaces a page that could not load its texts: no connection, or a newer version. */
export function showUnloaded(error: unknown): never {
  const [title, action] = document.documentElement.dataset['unloaded']!.split('|')
  const page = (
    <div class="shell public" lang={language}>
      <main class="transfer small">
        <h1>{title}</h1>
        <button type="button" class="button primary wide" onClick={() => location.reload()}>
          {action}
        </button>
      </main>
    </div>
  )
  render(page, document.body)
  throw error
}
