// Memory for finalizing a very long list, and the delay of a counted download of the same share
// meanwhile. Rows of chunks are made in the database; they share the bytes of one segment.
import { setTimeout } from 'node:timers/promises'
import type { Client } from '../test/helpers/client.ts'
import { addManyChunks } from '../test/helpers/many-rows.ts'
import { stopSharedPostgres } from '../test/helpers/postgres.ts'
import { GrowthService } from './lib/growth-service.ts'
import { residentBytes } from './lib/processes.ts'

const fileCount = Number(process.argv[2] ?? 240_000)

async function measure(): Promise<void> {
  const service = await GrowthService.start()
  const { sql } = service.rows
  try {
    const owner = await service.signIn()
    const shareId = await owner.share({ 'first.txt': 'first' })
    await owner.post(`/api/shares/${shareId}/additions`)
    await owner.chunk(shareId, 'copy0', 0, 'bytes')
    await addManyChunks(sql, shareId, fileCount - 1)
    await sql`update containers set live_bytes = 5 + 5 * ${fileCount}::bigint`
    await sql`analyze`
    const files = Array.from({ length: fileCount }, (_, n) => ({
      fileId: `copy${n}`,
      originalName: `photos ${n % 500}/picture number ${n}.jpg`,
      size: 5,
      mimeType: 'image/jpeg',
    }))
    await setTimeout(2000)
    await watch(service.process.child.pid!, owner, shareId, files)
  } finally {
    await service.stop()
    await stopSharedPostgres()
  }
}

async function watch(
  pid: number,
  owner: Client,
  shareId: string,
  files: Parameters<Client['finalize']>[1],
): Promise<void> {
  const megabytes = () => Math.round(residentBytes(pid) / 2 ** 20)
  const idle = megabytes()
  let peak = idle
  let isOver = false
  const waits: Record<string, number[]> = { download: [], patch: [] }
  const failures: number[] = []
  const look = async () => {
    for (; !isOver; await setTimeout(20)) peak = Math.max(peak, megabytes())
  }
  const repeat = async (what: string, call: () => Promise<{ status: number }>) => {
    for (; !isOver; await setTimeout(100)) {
      const startedMs = performance.now()
      const { status } = await call()
      if (status !== 200) failures.push(status)
      waits[what]!.push(Math.round(performance.now() - startedMs))
    }
  }
  const fileId = (await owner.get(`/api/shares/${shareId}`)).json().files[0].id
  const startedMs = performance.now()
  const beside = [
    look(),
    repeat('download', () => owner.get(`/api/shares/${shareId}/files/${fileId}`)),
    repeat('patch', () => owner.call('PATCH', `/api/shares/${shareId}`, { json: { name: 'n' } })),
  ]
  const answer = await owner.finalize(shareId, files)
  const tookMs = Math.round(performance.now() - startedMs)
  isOver = true
  await Promise.all(beside)
  process.stdout.write(
    `finalize of ${files.length} files: ${answer.status} after ${tookMs} ms\n` +
      `memory: ${idle} MB idle, ${peak} MB at most (+${peak - idle} MB)\n` +
      Object.entries(waits)
        .map(([what, ms]) => `${what}: ${ms.length} times, ${Math.max(...ms)} ms at most\n`)
        .join('') +
      `refused: ${failures.join(', ') || 'none'}\n`,
  )
}

await measure()
