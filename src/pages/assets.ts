import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliDecompressSync, gzipSync } from 'node:zlib'
import { etagOf, type AssetAnswer } from '../http/answer.ts'
import type { PageEntry } from './shell.ts'
import { isSystemError } from '../lib/errors.ts'
import type { Language } from '../lib/language.ts'

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

/** Names of the files that a page loads, as written by src/web/build.mjs. */
interface PageFiles {
  readonly script: string
  /** Imports of the script. */
  readonly preload: readonly string[]
  readonly style: string
}

interface Manifest {
  readonly pages: Readonly<Record<PageEntry, PageFiles>>
  /** In the names of all files with texts. */
  readonly texts: string
}

/**
 * The files of static/, read once at start: a request is a look-up by name and touches no path.
 * Built files of static/app/ have names that change with their content.
 */
export class Assets {
  readonly #byName = new Map<string, AssetAnswer>()
  readonly #built = new Map<string, AssetAnswer>()
  readonly #manifest: Manifest

  constructor(folder: string) {
    read(folder, this.#byName, false)
    const builtFolder = path.join(folder, 'app')
    this.#manifest = readManifest(builtFolder)
    read(builtFolder, this.#built, true)
  }

  find(name: string): AssetAnswer | null {
    return this.#byName.get(name) ?? null
  }

  findBuilt(name: string): AssetAnswer | null {
    return this.#built.get(name) ?? null
  }

  /** Its address must not change, so browsers look for a newer one (RFC 9111, section 4). */
  shareTarget(): AssetAnswer {
    const headers = { 'Content-Security-Policy': "default-src 'none'" }
    return { ...this.#built.get('share-target.js')!, isImmutable: false, headers }
  }

  page(entry: PageEntry): PageFiles {
    return this.#manifest.pages[entry]
  }

  /** Part of the names of texts, by which scripts find further ones (`loadTexts`). */
  get textsVersion(): string {
    return this.#manifest.texts
  }

  textsOf(entry: PageEntry, language: Language): string {
    return `${entry}.${language}-${this.textsVersion}.js`
  }
}

function read(folder: string, into: Map<string, AssetAnswer>, isImmutable: boolean): void {
  const names = new Set(readdirSync(folder).map((name) => name.replace(/\.br$/, '')))
  for (const name of names) {
    const contentType = contentTypes[path.extname(name)]
    if (!contentType) continue
    const forms = readForms(path.join(folder, name))
    const etag = etagOf(forms.body)
    into.set(name, { kind: 'asset', contentType, etag, isImmutable, ...forms })
  }
}

/**
 * A checkout has a built file plain and in both compressed forms. The package has only the Brotli
 * form, to be a third of the size: the plain one is made from it here, and gzip, which browsers
 * accept without https, when it is first asked for.
 */
function readForms(file: string): Pick<AssetAnswer, 'body' | 'compressed'> {
  if (!existsSync(`${file}.br`)) return { body: readFileSync(file) }
  const br = readFileSync(`${file}.br`)
  const body = existsSync(file) ? readFileSync(file) : brotliDecompressSync(br)
  let zipped = existsSync(`${file}.gz`) ? readFileSync(`${file}.gz`) : null
  return {
    body,
    compressed: {
      br,
      get gzip() {
        return (zipped ??= gzipSync(body, { level: 9 }))
      },
    },
  }
}

function readManifest(folder: string): Manifest {
  try {
    return JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8')) as Manifest
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error
    throw new Error('the web pages are not built: run `npm run build`', { cause: error })
  }
}
