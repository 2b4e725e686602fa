import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { tagOf } from '../library.ts'

/** A picture that pages show. */
export interface Picture {
  /** Its path on the site. */
  readonly path: string
  /** Its path in pages, which changes with the picture. */
  readonly address: string
  readonly content: Buffer
  /** In pixels, so that pages reserve its space while it loads. */
  readonly width: number
  readonly height: number
}

/** Signature of a PNG (specification, 5.2); its first chunk holds the size (11.2.1). */
const signature = Buffer.from('89504e470d0a1a0a', 'hex')

/**
 * The pictures of a folder by name; the folder may be missing.
 * @throws Error for a file that is no PNG
 */
export function readPictures(folder: string): ReadonlyMap<string, Picture> {
  const names = existsSync(folder) ? readdirSync(folder) : []
  return new Map(names.map((name) => [name, readPicture(folder, name)]))
}

function readPicture(folder: string, name: string): Picture {
  const content = readFileSync(path.join(folder, name))
  if (!content.subarray(0, 8).equals(signature)) throw new Error(`${folder}/${name} is no PNG`)
  const sitePath = `/assets/${name}`
  return {
    path: sitePath,
    address: `${sitePath}?v=${tagOf(content).slice(0, 8)}`,
    content,
    width: content.readUInt32BE(16),
    height: content.readUInt32BE(20),
  }
}
