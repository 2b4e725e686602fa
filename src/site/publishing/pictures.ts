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
  readonly contentType: 'image/webp' | 'image/png' | 'image/svg+xml'
  /** In pixels, so that pages reserve its space while it loads. */
  readonly width: number
  readonly height: number
}

/** Signature of a PNG (specification, 5.2); its first chunk holds the size (11.2.1). */
const signature = Buffer.from('89504e470d0a1a0a', 'hex')

/**
 * The pictures of a folder by name, without folders in it; it may be missing.
 * @throws Error for a file that is neither a WebP, a PNG nor an SVG with a size
 */
export function readPictures(folder: string): ReadonlyMap<string, Picture> {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  return new Map(names.map((name) => [name, readPicture(folder, name)]))
}

function readPicture(folder: string, name: string): Picture {
  const content = readFileSync(path.join(folder, name))
  const size = sizeOfWebp(content) ?? sizeOfPng(content) ?? sizeOfSvg(content)
  if (!size) throw new Error(`${folder}/${name} is neither a WebP, a PNG nor an SVG with a size`)
  const sitePath = `/assets/${name}`
  return {
    path: sitePath,
    address: `${sitePath}?v=${tagOf(content).slice(0, 8)}`,
    content,
    ...size,
  }
}

type Size = Pick<Picture, 'contentType' | 'width' | 'height'>

/** A picture with a colour profile (RFC 9649, 2.7) or without one (2.5; RFC 6386, 9.1). */
function sizeOfWebp(content: Buffer): Size | null {
  if (content.length < 30 || content.toString('latin1', 8, 12) !== 'WEBP') return null
  const contentType = 'image/webp'
  const first = content.toString('latin1', 12, 16)
  if (first === 'VP8X') {
    const [width, height] = [content.readUIntLE(24, 3) + 1, content.readUIntLE(27, 3) + 1]
    return { contentType, width, height }
  }
  if (first !== 'VP8 ') return null
  const sizeMask = 0x3fff
  const [width, height] = [content.readUInt16LE(26), content.readUInt16LE(28)]
  return { contentType, width: width & sizeMask, height: height & sizeMask }
}

function sizeOfPng(content: Buffer): Size | null {
  if (!content.subarray(0, 8).equals(signature)) return null
  return {
    contentType: 'image/png',
    width: content.readUInt32BE(16),
    height: content.readUInt32BE(20),
  }
}

function sizeOfSvg(content: Buffer): Size | null {
  const [, width, height] =
    /^<svg [^>]*\bwidth="(\d+)" height="(\d+)"/.exec(content.toString('utf8')) ?? []
  if (width === undefined || height === undefined) return null
  return { contentType: 'image/svg+xml', width: Number(width), height: Number(height) }
}
