// A language for tests: each text longer by two fifths, and marked at its end. A layout that breaks
// with it would break with the next translation.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { packageRoot } from '../../src/lib/package-root.ts'

export const mark = '⟧'

const app = path.join(packageRoot, 'static', 'app')
/** The factor by which a text becomes longer. */
const growth = 0.4
const wordLength = 8

/** Words of ordinary length; short texts get one long word, as in German. */
function lengthened(text: string): string {
  const emails = Math.ceil(text.replace(/\{\w+\}/g, '').length * growth)
  const tail = 'ø'.repeat(emails).replace(new RegExp(`.{${wordLength}}(?=.)`, 'g'), '$& ')
  return `${text}${text.includes(' ') ? ' ' : ''}${tail}${mark}`
}

/** Pages of this profile get the longer texts in place of those of their language. */
export async function servePseudo(context: BrowserContext, language: string): Promise<void> {
  for (const name of readdirSync(app)) {
    if (!name.includes(`.${language}-`) || !name.endsWith('.js')) continue
    const source = readFileSync(path.join(app, name), 'utf8')
    const built = await import(`data:text/javascript,${encodeURIComponent(source)}`)
    // As packed by src/web/text-keys.mjs.
    const [keys, lines] = (built as { texts: readonly [string, string] }).texts
    const longer = lines.replaceAll(/[^|\n]+/g, lengthened)
    await context.route(`**/${name}`, (route) => {
      const body = `export const texts = ${JSON.stringify([keys, longer])}`
      return route.fulfill({ contentType: 'text/javascript', body })
    })
  }
}
