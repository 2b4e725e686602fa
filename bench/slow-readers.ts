// Whether slow readers delay an honest download: very many connections that read 5 KiB per second
// each, all from one address, and downloads from another one. Prints the time to the first byte,
// the speed, and the memory of the service.
import { connect as connectSocket, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { stopSharedPostgres } from '../test/helpers/postgres.ts'
import { GrowthService } from './lib/growth-service.ts'
import { peakResidentBytes, residentBytes } from './lib/processes.ts'

const readerCount = Number(process.argv[2] ?? 1000)
const bytesPerSecond = 5 * 1024
const mib = 1024 * 1024

/** Requests a path; resolves when the answer begins, and reads only as much as it is told to. */
function openReader(port: number, target: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket({ port, host: '127.0.0.1' })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      socket.on('error', () => {})
      socket.once('readable', () => resolve(socket))
      socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n`)
    })
  })
}

async function download(url: string, size: number): Promise<{ firstMs: number; mbPerS: number }> {
  const startMs = performance.now()
  const response = await fetch(url, { headers: { 'x-forwarded-for': '192.0.2.2' } })
  let firstMs = 0
  let bytes = 0
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  for await (const data of response.body!) {
    if (bytes === 0) firstMs = performance.now() - startMs
    bytes += data.length
  }
  if (bytes !== size) throw new Error(`${bytes} of ${size} bytes came`)
  return { firstMs, mbPerS: bytes / 1000 / (performance.now() - startMs) }
}

async function measure(): Promise<void> {
  const service = await GrowthService.start({ TRUST_PROXY: '127.0.0.1' })
  const readers: Socket[] = []
  try {
    const owner = await service.signIn()
    const size = 64 * mib
    const shareId = await owner.share({ 'large.bin': Buffer.alloc(size, 'large') })
    const target = `/api/shares/${shareId}/download`
    const { url: base, child } = service.process
    const megabytes = (bytes: number) => Math.round(bytes / mib)
    const url = `${base}/api/shares/${shareId}/files/1`
    const report = (what: string, result: { firstMs: number; mbPerS: number }) => {
      const { firstMs, mbPerS } = result
      console.log(
        `${what}: first byte after ${Math.round(firstMs)} ms, ${Math.round(mbPerS)} MB/s, ` +
          `memory ${megabytes(residentBytes(child.pid!))} MB, at most ` +
          `${megabytes(peakResidentBytes(child.pid!))} MB`,
      )
    }
    report('alone', await download(url, size))
    const port = Number(new URL(base).port)
    while (readers.length < readerCount) {
      const some = Array.from({ length: 20 }, () => openReader(port, target))
      readers.push(...(await Promise.all(some)))
    }
    for (let second = 1; second <= 10; second++) {
      for (const reader of readers) reader.read(Math.min(bytesPerSecond, reader.readableLength))
      if (second % 2 === 0) {
        report(`beside ${readerCount}, second ${second}`, await download(url, size))
      }
      await setTimeout(1000)
    }
  } finally {
    for (const reader of readers) reader.destroy()
    await service.stop()
    await stopSharedPostgres()
  }
}

await measure()
