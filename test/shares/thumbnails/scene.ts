import { okay, type Answer, type Client } from '../../helpers/client.ts'

export { jpegOf } from './jpegs.ts'

export function putThumbnail(
  client: Client,
  shareId: string,
  fileId: string,
  body: Buffer | AsyncIterable<Uint8Array>,
  type: string | null = 'image/jpeg',
): Promise<Answer> {
  const headers = type === null ? {} : { 'content-type': type }
  const path = `/api/shares/${shareId}/thumbnails/${encodeURIComponent(fileId)}`
  return client.call('PUT', path, { body, headers })
}

export async function addThumbnails(
  owner: Client,
  shareId: string,
  thumbnails: Readonly<Record<number, Buffer>>,
): Promise<void> {
  for (const [place, jpeg] of Object.entries(thumbnails)) {
    await okay(putThumbnail(owner, shareId, `file-${place}`, jpeg))
  }
}

export interface SeenFile {
  readonly id: number
  readonly original_name: string
  readonly thumbnail?: true
}

export async function filesOf(client: Client, shareId: string): Promise<SeenFile[]> {
  return (await client.get(`/api/public/shares/${shareId}`)).json().files
}

export function getThumbnail(
  client: Client,
  shareId: string,
  fileId: number,
  query = '',
  headers: Record<string, string> = {},
): Promise<Answer> {
  return client.get(`/api/shares/${shareId}/files/${fileId}/thumbnail${query}`, headers)
}
