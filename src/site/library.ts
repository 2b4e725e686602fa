import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip, gzipSync } from 'node:zlib'
import type { AssetAnswer } from '../http/answer.ts'
import { basePathOf, linkBelow } from '../lib/base-path.ts'
import { findBuilt } from '../lib/package-root.ts'
import { acceptsCoding } from '../http/negotiation.ts'

const unzip = promisify(gunzip)
const zip = promisify(gzip)

/** Addresses of the site and the product, for placeholders in texts. */
export interface Addresses {
  readonly docsUrl: string
  readonly baseUrl: string
}

interface Document {
  readonly contentType: string
  /** The compressed bytes, or the name of their file. */
  packed: Buffer | string
  readonly tag: string
  /** Whether links have the base path of DOCS_URL, if it has one. */
  isLinked?: boolean
  /** Set when the first client without gzip asks. */
  unpacked?: Promise<Buffer>
}

/**
 * The pages and files that the build has made. They are read on demand; the few with addresses are
 * completed at start and kept compressed.
 */
export class Library {
  readonly addresses: Addresses
  readonly #documents = new Map<string, Document>()
  readonly #basePath: string

  /** @param only paths to open; all when absent */
  constructor(folder: string, addresses: Addresses, only?: readonly string[]) {
    this.addresses = addresses
    this.#basePath = basePathOf(addresses.docsUrl)
    const manifest = readFileSync(path.join(folder, 'manifest.json'), 'utf8')
    for (const file of JSON.parse(manifest) as ManifestFile[]) {
      if (only && !only.includes(file.path)) continue
      this.#documents.set(file.path, openDocument(folder, file, addresses))
    }
  }

  /** Null for an unknown document. */
  async find(
    documentPath: string,
    acceptEncoding: string | undefined,
  ): Promise<AssetAnswer | null> {
    const document = this.#documents.get(documentPath)
    if (!document) return null
    const { contentType, tag } = document
    if (this.#basePath !== '') await linkOnce(document, this.#basePath)
    const shared = { kind: 'asset', contentType } as const
    const cached = { 'Cache-Control': 'public, max-age=300', Vary: 'Accept-Encoding' }
    if (!acceptsCoding(acceptEncoding, 'gzip')) {
      return { ...shared, body: await unpackOnce(document), etag: `"${tag}"`, headers: cached }
    }
    const headers = { ...cached, 'Content-Encoding': 'gzip' }
    return { ...shared, body: await readPacked(document), etag: `"${tag}-gz"`, headers }
  }
}

/** Pages that were asked for stay in memory then, some kilobytes each. */
async function linkOnce(document: Document, basePath: string): Promise<void> {
  if (document.isLinked || !document.contentType.startsWith('text/html')) return
  const html = (await unzip(await readPacked(document))).toString()
  const packed = await zip(linkBelow(basePath, html))
  // Another request may have been faster.
  if (!document.isLinked) Object.assign(document, { packed, isLinked: true })
}

async function readPacked({ packed }: Document): Promise<Buffer> {
  return typeof packed === 'string' ? readFile(packed) : packed
}

async function unpackOnce(document: Document): Promise<Buffer> {
  document.unpacked ??= readPacked(document).then((packed) => unzip(packed))
  try {
    return await document.unpacked
  } catch (error) {
    // For example after running out of descriptors: the next client tries again.
    delete document.unpacked
    throw error
  }
}

function openDocument(folder: string, file: ManifestFile, addresses: Addresses): Document {
  const { contentType, isTemplate } = file
  const packed = path.join(folder, file.name)
  if (!isTemplate) return { contentType, packed, tag: file.tag }
  const raw = readFileSync(packed, 'utf8')
  const text = (file.around ? JSON.stringify({ ...file.around, markdown: raw }) : raw)
    .replaceAll(placeholders.docsUrl, addresses.docsUrl)
    .replaceAll(placeholders.baseUrl, addresses.baseUrl)
  return { contentType, packed: gzipSync(text), tag: tagOf(text) }
}

/** The entity tag of a content, without quotes. */
export function tagOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22)
}

/** The folder of the build's output. */
export function findLibraryFolder(): string {
  return path.dirname(findBuilt('docs/manifest.json'))
}

/** A document of the build; the manifest lists all of them. */
export interface ManifestFile {
  /** Its path on the site. */
  readonly path: string
  /** Its name in the folder, compressed with gzip unless it is a template. */
  readonly name: string
  readonly contentType: string
  /** Whether addresses must be filled in. */
  readonly isTemplate: boolean
  readonly tag: string
  /** The other fields of a page as JSON; its file is the Markdown. */
  readonly around?: object
}

/** Placeholders for addresses that are known when the service starts. */
export const placeholders = {
  docsUrl: 'https://docs.invalid',
  baseUrl: 'https://product.invalid',
} as const
