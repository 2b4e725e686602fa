// A language for tests: each text longer by two fifths, and marked at its end. A layout that breaks
// with it would break with the next translation.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BrowserContext } from 'playwright-core'
import { packageRoot } from '../../src/lib/package-root.ts'

/** As in lib/i18n.ts of the web UI, which cannot be loaded outside of a browser. */
type Text = string | readonly [one: string, other: string]
type Texts = Readonly<Record<string, Text>>

export const mark = '⟧'

const app = path.join(packageRoot, 'static', 'app')
const languages = new URL('../../src/web/i18n/', import.meta.url)
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

/** All texts of one language, from every page. */
async function readTexts(language: string): Promise<Texts> {
  const folder = new URL(`${language}/`, languages)
  const names = readdirSync(fileURLToPath(folder)).filter((name) => name.endsWith('.js'))
  const modules = await Promise.all(names.map((name) => import(new URL(name, folder).href)))
  return Object.assign({}, ...modules.map(({ texts }) => texts)) as Texts
}

/** Pages of this profile get the longer texts in place of those of their language. */
export async function servePseudo(context: BrowserContext, language: string): Promise<void> {
  const texts = Object.entries(await readTexts(language))
  const longer = Object.fromEntries(texts.map(([key, text]) => [key, lengthenedText(text)]))
  const body = `export const texts = ${JSON.stringify(longer)}`
  for (const name of readdirSync(app)) {
    const isOfTexts =
      name.endsWith('.js') &&
      /export ?\{ ?\w+ as texts ?\}/.test(readFileSync(path.join(app, name), 'utf8'))
    if (!isOfTexts) continue
    await context.route(`**/${name}`, (route) => {
      return route.fulfill({ contentType: 'text/javascript', body })
    })
  }
}
