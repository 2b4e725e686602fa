import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { Database } from '../database/connect.ts'
import { SharedReads } from '../lib/shared-work.ts'
import { readGroundPicture } from './sql.ts'

/** An uploaded image behind the card of visitors' pages. */
export interface GroundPicture {
  readonly contentType: string
  readonly body: Buffer
  /** Changes with the bytes. */
  readonly version: string
}

const bytesMax = 2_000_000
const charactersMax = Math.ceil(bytesMax / 3) * 4 + 'data:image/jpeg;base64,'.length
const dataUrl = /^data:image\/(?:png|jpeg|webp);base64,([A-Za-z0-9+/]+=*)$/
const version = /^[\w-]{22}$/

/** Every setting can be put back as it was read: a version stands for the picture that has it. */
export const groundPicture = v.pipe(
  v.string(),
  v.maxLength(charactersMax, `must be an image of at most ${bytesMax} bytes`),
  v.check(
    (value) => value === '' || version.test(value) || parsePicture(value) !== null,
    `must be empty or a data: URL of a JPEG, PNG or WebP image of at most ${bytesMax} bytes`,
  ),
)

/** Null for anything but an image, whose first bytes decide about its type. */
export function parsePicture(value: string): GroundPicture | null {
  const base64 = dataUrl.exec(value)?.[1]
  if (base64 === undefined) return null
  const body = Buffer.from(base64, 'base64')
  const contentType = body.length <= bytesMax ? typeOf(body) : null
  if (contentType === null) return null
  const hash = createHash('sha256').update(body).digest('base64url')
  return { contentType, body, version: hash.slice(0, 22) }
}

function typeOf(bytes: Buffer): string | null {
  const start = bytes.toString('latin1', 0, 16)
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  return /^RIFF.{4}WEBPVP8[ LX]/s.test(start) ? 'image/webp' : null
}

/**
 * The current picture. It is far larger than all other settings, which every process reads again
 * every few seconds, so that it has a row of its own, read when the first browser wants it.
 */
export class GroundPictures {
  readonly #database: Database
  readonly #reads = new SharedReads<GroundPicture | null>()
  #kept: GroundPicture | null = null

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Null without a picture. It may be newer than the version, which another process has changed.
   * @param current the setting's value
   */
  async find(current: string): Promise<GroundPicture | null> {
    if (current === '') this.#kept = null
    else if (this.#kept?.version !== current) {
      this.#kept = await this.#reads.read('', () => this.#read())
    }
    return this.#kept
  }

  async #read(): Promise<GroundPicture | null> {
    return parsePicture((await readGroundPicture(this.#database.sql)) ?? '')
  }
}
