// Memory for finalizing a very long list, and the delay of a counted download of the same share
// meanwhile. Rows of chunks are made in the database; they share the bytes of one segment.
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { connect } from '../src/database/connect.ts'
import { Client } from '../test/helpers/client.ts'
import { addManyChunks } from '../test/helpers/many-rows.ts'
import { createTestDatabase, stopSharedPostgres } from '../test/helpers/postgres.ts'
import { makeDataDir, ServiceProcess } from '../test/helpers/service-process.ts'
import { isMain } from './lib/is-main.ts'

const fileCount = Number(process.argv[2] ?? 240_000)
const email = 'admin@example.org'
const password = 'correct horse battery'

/** Resident memory of a process in megabytes. */
function rssOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024)
}

async function measure(): Promise<void> {
  const database = await createTestDatabase()
  const { socketDir, user, database: name } = database
  const rows = connect({ socketDir, user, database: name, applicationName: 'bench' })
  const dataDir = makeDataDir()
  const service = await ServiceProcess.start({
    DATA_DIR: path.join(dataDir, 'data'),
    DATABASE_URL: `postgres:///${name}?host=${socketDir}&user=${user}`,
    ADMIN_EMAIL: email,
    ADMIN_PASSWORD: password,
    RATE_LIMIT_DOWNLOAD: 'off',
  })
  try {
    const login = new Client(service.url)
    const answer = await login.post('/api/auth/login', { email, password })
    const owner = new Client(service.url, answer.json().token)
    const shareId = await owner.share({ 'first.txt': 'first' })
    await owner.post(`/api/shares/${shareId}/additions`)
    await owner.chunk(shareId, 'copy0', 0, 'bytes')
    await addManyChunks(rows.sql, shareId, fileCount - 1)
    await rows.sql`update containers set live_bytes = 5 + 5 * ${fileCount}::bigint`
    await rows.sql`analyze`
    const files = Array.from({ length: fileCount }, (_, n) => ({
      fileId: `copy${n}`,
      originalName: `photos ${n % 500}/picture number ${n}.jpg`,
      size: 5,
      mimeType: 'image/jpeg',
    }))
    await setTimeout(2000)
    await watch(service, owner, shareId, files)
    await login.close()
    await owner.close()
  } finally {
    await service.clear()
    await rows.close()
    await database.drop()
    await stopSharedPostgres()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function watch(
  service: ServiceProcess,
  owner: Client,
  shareId: string,
  files: Parameters<Client['finalize']>[1],
): Promise<void> {
  const pid = service.child.pid!
  const idle = rssOf(pid)
  let peak = idle
  let isOver = false
  const waits: Record<string, number[]> = { download: [], patch: [] }
  const failures: number[] = []
  const look = async () => {
    for (; !isOver; await setTimeout(20)) peak = Math.max(peak, rssOf(pid))
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

if (isMain(import.meta.url)) await measure()
