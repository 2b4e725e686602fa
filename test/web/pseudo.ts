// A language for tests: each text longer by two fifths, and marked at its end. A layout that breaks
// with it would break with the next translation.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { packageRoot } from '../../src/lib/package-root.ts'

/** As in lib/i18n.ts of the web UI, which cannot be loaded outside of a browser. */
type Text = string | readonly [one: string, other: string]
type Texts = Readonly<Record<string, Text>>

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

const lengthenedText = (text: Text): Text =>
  typeof text === 'string' ? lengthened(text) : [lengthened(text[0]), lengthened(text[1])]

/** What a built file of texts exports (src/web/text-keys.mjs). */
type Packed = readonly (Texts | number | readonly Text[])[]

function lengthenedPart(part: Packed[number]): Packed[number] {
  if (typeof part === 'number') return part
  if (Array.isArray(part)) return (part as readonly Text[]).map(lengthenedText)
  return Object.fromEntries(Object.entries(part).map(([key, text]) => [key, lengthenedText(text)]))
}

/** Pages of this profile get the longer texts in place of those of their language. */
export async function servePseudo(context: BrowserContext, language: string): Promise<void> {
  for (const name of readdirSync(app)) {
    if (!name.includes(`.${language}-`) || !name.endsWith('.js')) continue
    const source = readFileSync(path.join(app, name), 'utf8')
    const built = await import(`data:text/javascript,${encodeURIComponent(source)}`)
    const texts = (built as { texts: Packed }).texts.map(lengthenedPart)
    await context.route(`**/${name}`, (route) => {
      const body = `export const texts = ${JSON.stringify(texts)}`
      return route.fulfill({ contentType: 'text/javascript', body })
    })
  }
}
