import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { AssetAnswer } from '../http/answer.ts'

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The files of static/, read once at start: a request is a look-up by name and touches no path. */
export class Assets {
  readonly #byName = new Map<string, AssetAnswer>()

  constructor(folder: string) {
    for (const name of readdirSync(folder)) {
      const contentType = contentTypes[path.extname(name)]
      if (!contentType) continue
      const body = readFileSync(path.join(folder, name))
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
      this.#byName.set(name, { kind: 'asset', contentType, body, etag })
    }
  }

  find(name: string): AssetAnswer | null {
    return this.#byName.get(name) ?? null
  }
}
