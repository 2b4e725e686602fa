import { render } from 'preact'
import { language } from '../lib/i18n.ts'

/** Replaces a page that could not load its texts: no connection, or a newer version. */
export function showUnloaded(error: unknown): never {
  const [title, action] = document.documentElement.dataset['unloaded']!.split('|')
  const page = (
    <main class="plain stack" lang={language}>
      <h1>{title}</h1>
      <div>
        <button type="button" class="button primary" onClick={() => location.reload()}>
          {action}
        </button>
      </div>
    </main>
  )
  render(page, document.body)
  throw error
}
