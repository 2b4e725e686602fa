// The objects of a bucket: their keys, lists of them, and their removal.
import { segmentFile } from '../../segments/files-on-disk.ts'
import { markerName, parseMarker, manifestName } from '../store.ts'
import { storeDown, StoreError, type StoreClient } from './client.ts'
import { childrenOf, escapeXml, textOf } from './xml.ts'

/** As many as one request takes. */
const removedAtOnceMax = 1000

/** The same names as on disk. */
export function keyOf(containerId: string, name: string): string {
  return name === manifestName ? folderOf(containerId) + name : segmentFile('', containerId, name)
}

/** What the keys of a container begin with. */
export function folderOf(containerId: string): string {
  return `${containerId.slice(0, 2)}/${containerId}/`
}

/** Null without a marker; asked once. @throws CodedError unavailable */
export async function readMarker(client: StoreClient): Promise<string | null> {
  try {
    return parseMarker((await client.attempt({ method: 'GET', key: markerName }, [200])).text)
  } catch (error) {
    if (isMissingKey(error)) return null
    throw storeDown(error)
  }
}

/** Not so when the whole bucket is missing. */
export function isMissingKey(error: unknown): boolean {
  return error instanceof StoreError && error.storeCode === 'NoSuchKey'
}

/**
 * Keys with this beginning, in pages of up to 1,000.
 * @param isOfFolders lists what lies between the beginning and the next slash
 * @throws CodedError unavailable
 */
export async function* listKeys(
  client: StoreClient,
  beginning: string,
  isOfFolders: boolean,
): AsyncGenerator<string[]> {
  const { prefix } = client.bucket
  const folders: Record<string, string> = isOfFolders ? { delimiter: '/' } : {}
  let query: Record<string, string> = { 'list-type': '2', prefix: prefix + beginning, ...folders }
  for (;;) {
    const { root } = await client.callForXml({ method: 'GET', key: null, query }, [200])
    const found = isOfFolders
      ? childrenOf(root, 'CommonPrefixes').map((one) => textOf(one, 'Prefix'))
      : childrenOf(root, 'Contents').map((one) => textOf(one, 'Key'))
    yield found.flatMap((key) => (key?.startsWith(prefix) ? [key.slice(prefix.length)] : []))
    const next = textOf(root, 'NextContinuationToken')
    if (textOf(root, 'IsTruncated') !== 'true' || !next) return
    query = { ...query, 'continuation-token': next }
  }
}

/** Uploads in parts that were begun and neither completed nor given up. */
export async function* listUploads(
  client: StoreClient,
): AsyncGenerator<{ key: string; uploadId: string; begunAt: number }> {
  const { prefix } = client.bucket
  let query: Record<string, string> = { uploads: '', prefix }
  for (;;) {
    const { root } = await client.callForXml({ method: 'GET', key: null, query }, [200])
    for (const upload of childrenOf(root, 'Upload')) {
      const [key, uploadId] = [textOf(upload, 'Key'), textOf(upload, 'UploadId')]
      if (!key?.startsWith(prefix) || uploadId === null) continue
      const begunAt = Date.parse(textOf(upload, 'Initiated') ?? '')
      yield { key: key.slice(prefix.length), uploadId, begunAt }
    }
    const next = textOf(root, 'NextKeyMarker')
    if (textOf(root, 'IsTruncated') !== 'true' || !next) return
    const marker = textOf(root, 'NextUploadIdMarker') ?? ''
    query = { uploads: '', prefix, 'key-marker': next, 'upload-id-marker': marker }
  }
}

/** Removes objects, missing ones too. @throws CodedError unavailable */
export async function removeKeys(client: StoreClient, keys: readonly string[]): Promise<void> {
  const { prefix } = client.bucket
  for (let start = 0; start < keys.length; start += removedAtOnceMax) {
    const some = keys.slice(start, start + removedAtOnceMax)
    const objects = some.map((key) => `<Object><Key>${escapeXml(prefix + key)}</Key></Object>`)
    const body = `<Delete><Quiet>true</Quiet>${objects.join('')}</Delete>`
    const request = { method: 'POST', key: null, query: { delete: '' } } as const
    const { root } = await client.callForXml(request, [200], [Buffer.from(body)])
    const failed = childrenOf(root, 'Error').find((one) => textOf(one, 'Code') !== 'NoSuchKey')
    if (failed) {
      throw storeDown(new Error(`the store has not removed an object: ${textOf(failed, 'Code')}`))
    }
  }
}
