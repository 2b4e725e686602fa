// How times grow with the number of files in one share.
import type { Client } from '../../test/helpers/client.ts'
import { growEach, type GrowthService } from './growth-service.ts'
import type { Curves, Growth } from './growth-table.ts'
import { tarOf } from './tar.ts'

const fileBytes = 100
const rangeBytes = 64 * 1024
const warmUpFiles = 400

export async function growFiles(sizes: readonly number[]): Promise<Growth> {
  return await growEach('files', sizes, [warmUpFiles, warmUpFiles], growOnce)
}

async function growOnce(
  service: GrowthService,
  curves: Curves,
  owner: Client,
  size: number,
): Promise<void> {
  const shareId = await sendFiles(service, curves, owner, size)
  await service.analyze()
  await readFiles(service, curves, shareId, size)
  await changeFiles(service, curves, owner, shareId)
  await removeShare(service, curves, owner, shareId, size)
}

/** Sends the files in one archive, and completes the share with a list of them. */
async function sendFiles(
  service: GrowthService,
  curves: Curves,
  owner: Client,
  size: number,
): Promise<string> {
  const names = Array.from({ length: size }, (_, n) => `folder ${n % 100}/file ${n}.txt`)
  const shareId = await owner.init()
  const sent = await service.time('POST', `/api/shares/${shareId}/tar`, owner.token, {
    headers: { 'content-type': 'application/x-tar' },
    body: Buffer.concat(tarOf(names, [Buffer.alloc(fileBytes, 'a')])),
  })
  curves.add('upload in one archive, for each file', sent.wholeMs / size)
  const received = await service.ask(`/api/shares/${shareId}/chunks`, owner.token)
  curves.add('received files, first byte', received.firstMs)
  curves.add('received files, all of them', received.wholeMs, received.bytes)
  const files = names.map((name) => {
    return { fileId: name, fileName: name, originalName: name, size: fileBytes }
  })
  const target = `/api/shares/${shareId}/finalize`
  const finalized = await service.time('POST', target, owner.token, { json: { files } })
  curves.add('finalize, for each file', finalized.wholeMs / size)
  return shareId
}

async function readFiles(
  service: GrowthService,
  curves: Curves,
  shareId: string,
  size: number,
): Promise<void> {
  const view = await service.ask(`/api/public/shares/${shareId}`, null)
  curves.add('a share, as recipients see it, first byte', view.firstMs)
  curves.add('a share, as recipients see it', view.wholeMs, view.bytes)
  const archive = `/api/shares/${shareId}/download`
  for (const [name, target] of [
    ['ZIP', archive],
    ['tar', `${archive}?format=tar`],
  ] as const) {
    const cold = await service.time('GET', target, null)
    curves.add(`${name}, first byte for the first time`, cold.firstMs, cold.bytes)
    const warm = await service.ask(target, null)
    curves.add(`${name}, first byte`, warm.firstMs)
    curves.add(`${name}, all of it`, warm.wholeMs, warm.bytes)
    if (name === 'tar') continue
    const middle = Math.floor(warm.bytes / 2)
    const range = `bytes=${middle}-${middle + rangeBytes - 1}`
    const part = await service.ask(target, null, { range })
    curves.add('ZIP, 64 KiB in the middle', part.wholeMs)
  }
  const ids = await fileIds(service, shareId)
  const some = [0.1, 0.3, 0.5, 0.7, 0.9].map((place) => ids[Math.floor(place * size)])
  const few = await service.ask(`${archive}?files=${some.join(',')}`, null)
  curves.add('ZIP of 5 files', few.wholeMs)
  const one = await service.ask(`/api/shares/${shareId}/files/${some[2]}`, null)
  curves.add('a file in the middle', one.wholeMs)
}

async function fileIds(service: GrowthService, shareId: string): Promise<number[]> {
  const answer = await fetch(`${service.process.url}/api/public/shares/${shareId}`)
  return ((await answer.json()) as { files: { id: number }[] }).files.map(({ id }) => id)
}

async function changeFiles(
  service: GrowthService,
  curves: Curves,
  owner: Client,
  shareId: string,
): Promise<void> {
  const { token } = owner
  await owner.post(`/api/shares/${shareId}/additions`)
  await owner.chunk(shareId, 'more', 0, 'more')
  const files = [{ fileId: 'more', fileName: 'more', originalName: 'more.txt', size: 4 }]
  const target = `/api/shares/${shareId}/finalize`
  const added = await service.time('POST', target, token, { json: { files } })
  curves.add('adding a file: finalize', added.wholeMs)
  const fileId = (await fileIds(service, shareId)).at(-1)
  const removed = await service.time('DELETE', `/api/shares/${shareId}/files/${fileId}`, token)
  curves.add('removing a file', removed.wholeMs)
}

/** Deletes the share, and frees the rest of its rows. */
async function removeShare(
  service: GrowthService,
  curves: Curves,
  owner: Client,
  shareId: string,
  size: number,
): Promise<void> {
  const idleMs = await service.cleanUp()
  const removed = await service.time('DELETE', `/api/shares/${shareId}`, owner.token)
  curves.add('deletion, until the answer', removed.wholeMs)
  const restMs = Math.max(0, (await service.cleanUp()) - idleMs)
  curves.add('deletion with its clean-up, for each file', (removed.wholeMs + restMs) / size)
}
