import type { Database } from '../../database/connect.ts'
import { CodedError } from '../../lib/errors.ts'
import { PackedList } from '../../lib/packed-list.ts'
import { readPages } from '../../lib/pages.ts'
import type { ListedFileInput } from './finalize-body.ts'
import { listReceived, type ReceivedFile } from './finalize-sql.ts'

const pageFiles = 1000

/**
 * The list of all received files, for a sender who keeps none. A file of known size that was not
 * received whole is listed with its size, so that the proof refuses it.
 * @param dropsUnfinished leaves such files out, and those without a name
 * @throws CodedError invalid_input for a file whose name is not known
 */
export async function listReceivedFiles(
  database: Database,
  containerId: string,
  dropsUnfinished: boolean,
): Promise<PackedList<ListedFileInput>> {
  const list = new PackedList<ListedFileInput>()
  const read = (last: ReceivedFile | null, limit: number) =>
    listReceived(database.sql, containerId, last?.fileKey ?? '', limit)
  for await (const page of readPages(read, [pageFiles, pageFiles])) {
    for (const file of page) {
      const isWhole = file.size === null || file.size === file.bytes
      if (dropsUnfinished && (file.name === null || !isWhole)) continue
      list.push(listed(file))
    }
  }
  return list
}

function listed({ fileKey, name, bytes, size }: ReceivedFile): ListedFileInput {
  if (name === null) {
    throw new CodedError('invalid_input', {
      message: `files: the name of ${fileKey} is unknown, because its first chunk is missing`,
      details: { field: 'files' },
    })
  }
  const originalName = { name, isRenamed: false }
  const mimeType = mediaTypeOf(name)
  return { fileName: name, originalName, fileId: fileKey, size: size ?? bytes, mimeType }
}

/** Media types that a page can show, by the extension of the name. */
const types: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  flac: 'audio/flac',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  ogv: 'video/ogg',
  pdf: 'application/pdf',
  png: 'image/png',
  txt: 'text/plain',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
}

/** For files that come without a type, such as those of an archive. */
export function mediaTypeOf(name: string): string | null {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(types, extension) ? types[extension]! : null
}
