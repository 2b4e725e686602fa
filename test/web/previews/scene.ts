import type { Client, ListedFile } from '../../helpers/client.ts'

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

export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E' +
    'rkJggg==',
  'base64',
)

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
