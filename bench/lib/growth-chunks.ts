// How times grow with the number of chunks in a container.
import { multipart, type Client } from '../../test/helpers/client.ts'
import { growEach, type GrowthService } from './growth-service.ts'
import type { Curves, Growth } from './growth-table.ts'
import { median } from './measure.ts'

const chunkBytes = 4096
/** Chunks at either end of an upload that are compared. */
const endChunks = 200
const warmUpChunks = 500
const data = Buffer.alloc(chunkBytes, 'a')

export async function growChunks(sizes: readonly number[]): Promise<Growth> {
  return await growEach('chunks', sizes, [warmUpChunks], growOnce)
}

async function growOnce(
  service: GrowthService,
  curves: Curves,
  { token }: Client,
  size: number,
): Promise<void> {
  const init = await service.time('POST', '/api/shares/init', token, { json: {} })
  const share = `/api/shares/${(JSON.parse(init.text) as { shareId: string }).shareId}`
  const send = async (index: number) => {
    const fields = { chunkIndex: String(index), fileName: 'large.bin', fileId: 'large' }
    const { body, contentType } = multipart(fields, data, false)
    const headers = { 'content-type': contentType }
    return (await service.time('POST', `${share}/chunk`, token, { headers, body })).wholeMs
  }
  const times: number[] = []
  for (let index = 0; index < size; index++) times.push(await send(index))
  curves.add('a chunk, median of the first 200', median(times.slice(0, endChunks)))
  curves.add('a chunk, median of the last 200', median(times.slice(-endChunks)))
  curves.add('a chunk, the slowest', Math.max(...times))
  const again: number[] = []
  for (let index = 0; index < endChunks / 4; index++) again.push(await send(index))
  curves.add('a chunk sent again', median(again))
  const received = await service.ask(`${share}/chunks`, token)
  curves.add('received chunks (one range)', received.wholeMs)
  const file = { fileId: 'large', fileName: 'l', originalName: 'large.bin' }
  const files = [{ ...file, size: size * chunkBytes }]
  const finalized = await service.time('POST', `${share}/finalize`, token, { json: { files } })
  curves.add('finalize', finalized.wholeMs)
  curves.add('finalize, for each chunk', finalized.wholeMs / size)
  const archive = await service.ask(`${share}/download`, null)
  curves.add('ZIP, first byte', archive.firstMs)
  curves.add('ZIP, all of it', archive.wholeMs, archive.bytes)
  const middle = `bytes=${(size * chunkBytes) / 2}-${(size * chunkBytes) / 2 + chunkBytes - 1}`
  const part = await service.ask(`${share}/download`, null, { range: middle })
  curves.add('ZIP, a range in the middle', part.wholeMs)
  const removed = await service.time('DELETE', share, token)
  curves.add('deletion', removed.wholeMs)
}
