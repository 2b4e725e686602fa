// Builds the texts of the web UI: one file for each language and each page or part that is loaded
// on demand. A page loads one language; its other files are the same in all languages.
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { numberKeys, pack } from './text-keys.mjs'

const folder = 'src/web/i18n'
/** Files in the folder of a language that export `texts`, as `loadTexts` names them. */
const parts = ['app', 'share', 'guest', 'login', 'setup', 'manage', 'admin', 'reset']

/**
 * `version` is in all names and changes with any text. `numbers` are those of keys: pass them to
 * the scripts. `modules` are the sources.
 * @param {typeof import('esbuild')} esbuild
 * @param {boolean} isShort whether keys become numbers
 * @returns {Promise<{ version: string, files: Map<string, string>, numbers: Map<string, number>,
 *   modules: string[] }>}
 */
export async function buildTexts(esbuild, isShort) {
  const tables = {}
  const modules = []
  for (const language of readdirSync(folder)) {
    const read = await readLanguage(esbuild, language)
    tables[language] = read.tables
    modules.push(...read.modules)
  }
  const numbers = isShort ? numberKeys(tables.en) : new Map()
  const built = []
  for (const [language, parts] of Object.entries(tables)) {
    for (const [part, texts] of Object.entries(parts)) {
      built.push([`${part}.${language}`, await toScript(esbuild, pack(texts, numbers))])
    }
  }
  const hash = createHash('sha256').update(JSON.stringify(built)).digest('hex')
  const version = hash.slice(0, 8).toUpperCase()
  const files = built.map(([name, script]) => [`${name}-${version}.js`, script])
  return { version, files: new Map(files), numbers, modules }
}

async function readLanguage(esbuild, language) {
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: parts.map((part) => `${folder}/${language}/${part}.ts`),
    outdir: folder,
    bundle: true,
    format: 'esm',
    charset: 'utf8',
    write: false,
    metafile: true,
    logLevel: 'warning',
  })
  const tables = {}
  for (const [index, { text }] of outputFiles.entries()) {
    const { texts } = await import(`data:text/javascript,${encodeURIComponent(text)}`)
    tables[parts[index]] = texts
  }
  return { tables, modules: Object.keys(metafile.inputs) }
}

async function toScript(esbuild, texts) {
  const script = `export const texts=${JSON.stringify(texts)}`
  const { code } = await esbuild.transform(script, { minify: true, charset: 'utf8' })
  return code
}
