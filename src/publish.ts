// Run by build.mjs: makes the documentation site's files and the API description from docs/ and
// the declared operations, so that the running service has only to send them.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describeApi } from './description/openapi.ts'
import { tagOf } from './docs/library.ts'
import { placeholders, type Manifest, type ManifestFile } from './docs/manifest.ts'
import { docsOperations } from './docs/operations.ts'
import { operations } from './operations.ts'

/** Writes the folder anew. */
export function publish(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const description = describeApi([
    {
      operations,
      server: placeholders.baseUrl,
      serverDescription: 'The product',
      errors: 'product',
    },
    {
      operations: docsOperations,
      server: placeholders.docsUrl,
      serverDescription: 'The documentation site',
      errors: 'problem',
    },
  ])
  const files: ManifestFile[] = [
    write(folder, '/openapi.json', 'application/json; charset=utf-8', JSON.stringify(description)),
  ]
  const manifest: Manifest = { pages: [], files }
  writeFileSync(path.join(folder, 'manifest.json'), `${JSON.stringify(manifest)}\n`)
}

/** A text with an address in it is completed at start; any other is packed here, once. */
function write(
  folder: string,
  sitePath: string,
  contentType: string,
  content: string,
): ManifestFile {
  const isTemplate = Object.values(placeholders).some((address) => content.includes(address))
  const name = sitePath.slice(1).replaceAll('/', '_') || 'home'
  writeFileSync(
    path.join(folder, isTemplate ? name : `${name}.gz`),
    isTemplate ? content : gzipSync(content, { level: 9 }),
  )
  return {
    path: sitePath,
    name: isTemplate ? name : `${name}.gz`,
    contentType,
    isTemplate,
    tag: tagOf(content),
  }
}
