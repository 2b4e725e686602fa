import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { AssetAnswer } from '../../http/answer.ts'
import type { PageEntry } from './shell.ts'
import { isSystemError } from '../../lib/errors.ts'
import type { Language } from '../../lib/language.ts'

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Names of the files that a page loads, as written by src/web/build.mjs. */
interface PageFiles {
  readonly script: string
  /** Imports of the script. */
  readonly preload: readonly string[]
  readonly texts: Readonly<Record<Language, string>>
  readonly style: string
}

type Manifest = Readonly<Record<PageEntry, PageFiles>>

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

  page(entry: PageEntry): PageFiles {
    return this.#manifest[entry]
  }
}

function read(folder: string, into: Map<string, AssetAnswer>, isImmutable: boolean): void {
  for (const name of readdirSync(folder)) {
    const contentType = contentTypes[path.extname(name)]
    if (!contentType) continue
    const file = path.join(folder, name)
    const body = readFileSync(file)
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    into.set(name, {
      kind: 'asset',
      contentType,
      body,
      etag,
      isImmutable,
      compressed: {
        ...(existsSync(`${file}.br`) ? { br: readFileSync(`${file}.br`) } : {}),
        ...(existsSync(`${file}.gz`) ? { gzip: readFileSync(`${file}.gz`) } : {}),
      },
    })
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
