import { existsSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import * as assert from 'uvu/assert'
import { segmentFile } from '../../../src/bytes/segments/files-on-disk.ts'
import { okay, type Answer, type Client, type ListedFile } from '../../helpers/client.ts'
import type { Service } from '../../helpers/service.ts'
import { readArchive } from '../../bytes/archive/zip/archive-reader.ts'

export type Files = Record<string, Buffer | string>

export async function startAdding(owner: Client, shareId: string): Promise<string> {
  const answer = await okay(owner.post(`/api/shares/${shareId}/additions`))
  assert.equal([answer.json().success, answer.json().shareId], [true, shareId])
  return answer.json().uploadToken
}

/** Sends files as one chunk each. Returns the list that finalizes them. */
export async function send(owner: Client, shareId: string, files: Files): Promise<ListedFile[]> {
  const listed: ListedFile[] = []
  for (const [place, [originalName, content]] of Object.entries(files).entries()) {
    const fileId = `file-${place}`
    await okay(owner.chunk(shareId, fileId, 0, content))
    listed.push({ fileId, originalName, size: Buffer.from(content).length })
  }
  return listed
}

export async function add(owner: Client, shareId: string, files: Files): Promise<void> {
  await startAdding(owner, shareId)
  await okay(owner.finalize(shareId, await send(owner, shareId, files)))
}

export async function remove(owner: Client, shareId: string, fileId: number): Promise<void> {
  const answer = await owner.delete(`/api/shares/${shareId}/files/${fileId}`)
  assert.equal([answer.status, answer.json()], [200, { success: true }])
}

/** The entries of an archive, in order; every byte is checked against its CRC-32. */
export function unpack(archive: Buffer): [name: string, content: Buffer][] {
  const read = (start: number, end: number) => archive.subarray(start, end)
  return readArchive(archive.length, read).entries.map((entry) => {
    const content = read(entry.contentOffset, entry.contentOffset + entry.size)
    assert.is(crc32(content), entry.crc, entry.name)
    return [entry.name, content]
  })
}

export function unpackTexts(archive: Buffer): Record<string, string> {
  return Object.fromEntries(unpack(archive).map(([name, content]) => [name, content.toString()]))
}

/** Start of the central directory: the end of the entries. */
export function entriesEnd(archive: Buffer): number {
  return archive.readUInt32LE(archive.length - 22 + 16)
}

export async function archiveOf(reader: Client, shareId: string): Promise<Answer> {
  return await okay(reader.get(`/api/shares/${shareId}/download?as=owner`))
}

/** The share as anonymous clients see it, the owner's list, and the rows behind it. */
export async function look(service: Service, owner: Client, shareId: string) {
  const shown = (await service.client().get(`/api/public/shares/${shareId}`)).json()
  const shares: { id: string }[] = (await owner.get('/api/shares')).json()
  const listed = shares.find(({ id }) => id === shareId) as unknown as {
    files: { id: number; original_name: string; size: number }[]
    total_size: number
    expires_at: string
    status: string
  }
  assert.equal(listed.files, shown.files)
  const archive = await archiveOf(owner, shareId)
  const { etag, 'last-modified': modifiedAt } = archive.headers
  return { ...listed, etag: String(etag), modifiedAt: String(modifiedAt), archive: archive.body }
}

export async function bytesOf(service: Service, shareId: string) {
  const [row] = await service.database.sql<{ used: number; live: number }[]>`
    select containers.used_bytes as used, containers.live_bytes as live
    from containers join shares on shares.container_id = containers.id
    where shares.id = ${shareId}`
  return row!
}

/** How long a segment that nothing refers to stays on disk. */
export const graceMs = 5 * 60_000

export interface PlacedSegment {
  readonly id: string
  readonly file: string
}

/** The segments of a share that have rows. */
export async function segmentsOf(service: Service, shareId: string): Promise<PlacedSegment[]> {
  const rows = await service.database.sql<{ id: string; containerId: string }[]>`
    select segments.id, segments.container_id
    from segments join shares using (container_id)
    where shares.id = ${shareId}
    order by segments.id`
  return rows.map(({ id, containerId }) => {
    return { id, file: segmentFile(service.storageDir, containerId, id) }
  })
}

/** Frees what can be freed now: runs the jobs before and after the time that segments stay. */
export async function freeUnused(service: Service): Promise<void> {
  const { jobs, services } = service.app
  await jobs.runAll()
  await services.manifests.idle()
  service.clock.advance(graceMs)
  await jobs.runAll()
}

export function existing(segments: readonly PlacedSegment[]): string[] {
  return segments.filter(({ file }) => existsSync(file)).map(({ id }) => id)
}
