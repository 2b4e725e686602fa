import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { tagOf } from '../library.ts'

export interface Picture {
  /** Its path on the site. */
  readonly path: string
  /** Its path in pages, which changes with the picture. */
  readonly address: string
  readonly content: Buffer
  readonly contentType: string
}

/** The pictures of a folder by name, without folders in it; it may be missing. */
export function readPictures(folder: string): ReadonlyMap<string, Picture> {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  return new Map(names.map((name) => [name, readPicture(folder, name)]))
}

function readPicture(folder: string, name: string): Picture {
  const content = readFileSync(path.join(folder, name))
  const extension = path.extname(name).slice(1)
  return {
    path: `/assets/${name}`,
    address: `/assets/${name}?v=${tagOf(content).slice(0, 8)}`,
    content,
    contentType: extension === 'svg' ? 'image/svg+xml' : `image/${extension}`,
  }
}
