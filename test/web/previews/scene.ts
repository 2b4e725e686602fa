// Shares with files of every kind of preview.
import { deflateSync } from 'node:zlib'
import { crc32 } from '@node-rs/crc32'
import type { Client, ListedFile } from '../../helpers/client.ts'

/** A share with these files, of these types. */
export async function shareTyped(
  owner: Client,
  files: Readonly<Record<string, readonly [mimeType: string, data: Buffer | string]>>,
  input: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const shareId = await owner.init(input)
  const finalized: ListedFile[] = []
  for (const [originalName, [mimeType, content]] of Object.entries(files)) {
    const data = Buffer.from(content as string)
    const fileId: string = `f${finalized.length}`
    await owner.chunk(shareId, fileId, 0, data)
    finalized.push({ fileId, originalName, size: data.length, mimeType })
  }
  await owner.finalize(shareId, finalized)
  return shareId
}

/** A PNG of coloured squares. */
export function picture(width: number, height: number): Buffer {
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.from([
      0,
      ...Array.from({ length: width }, (__, x) => ((x >> 5) + (y >> 5)) % 2).flatMap((odd) =>
        odd ? [29, 95, 196] : [240, 192, 96],
      ),
    ]),
  )
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const chunks = [
    ['IHDR', header],
    ['IDAT', deflateSync(Buffer.concat(rows))],
    ['IEND', Buffer.alloc(0)],
  ] as const
  const pieces = chunks.map(([type, data]) => {
    const named = Buffer.concat([Buffer.from(type), data])
    const numbers = Buffer.alloc(8)
    numbers.writeUInt32BE(data.length)
    numbers.writeUInt32BE(crc32(named), 4)
    return Buffer.concat([numbers.subarray(0, 4), named, numbers.subarray(4)])
  })
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...pieces])
}

/** A PDF with one page and one line of text. */
export function pdf(words: string): Buffer {
  const text = `BT /F1 40 Tf 40 150 Td (${words}) Tj ET`
  const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 300]/Contents 4 0 R' +
      `/Resources<</Font<</F1 ${font}>>>>>>`,
    `<</Length ${text.length}>>\nstream\n${text}\nendstream`,
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const references = `xref\n0 5\n0000000000 65535 f \n${offsets.join('')}`
  const trailer = `trailer<</Size 5/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF`
  return Buffer.from(body + references + trailer)
}
