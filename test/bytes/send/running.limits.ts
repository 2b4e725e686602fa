// What running downloads hold: memory and descriptors.
import { readdirSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Client } from '../../helpers/client.ts'
import type { Service } from '../../helpers/service.ts'
import { SlowReader } from '../../helpers/slow-reader.ts'
import { until } from '../../helpers/until.ts'
import { assertNothingLeft, patterned, startUnlimited, untilSettled } from './scene.ts'

const running = suite('downloads: what running transfers hold')
const mib = 1024 * 1024
/** More than the kernel buffers for a connection that is not read. */
const big = patterned(24 * mib)

let service: Service
let owner: Client

running.before(async () => {
  service = await startUnlimited()
  owner = await service.admin()
})
running.after.each(() => assertNothingLeft(service))
running.after(async () => {
  await owner.close()
  await service.stop()
})

/** Starts a download from a new address, so that none waits for another. */
function begin(place: number, target: string, headers: Record<string, string> = {}) {
  const from = { 'x-forwarded-for': `192.0.2.${place}` }
  return SlowReader.open(service.url + target, { ...from, ...headers })
}

running('should hold little memory for clients that do not read', async () => {
  const shareId = await owner.share({ big })
  globalThis.gc?.()
  const before = process.memoryUsage().arrayBuffers
  const readers = await Promise.all(
    Array.from({ length: 16 }, (_, place) => begin(place, `/api/shares/${shareId}/download`)),
  )
  await Promise.all(readers.map((reader) => reader.read(mib)))
  const grown = process.memoryUsage().arrayBuffers - before
  // 16 times two buffers of 512 KiB, and the test's own megabyte for each.
  assert.ok(grown < 64 * mib, `${grown} bytes for downloads of ${16 * big.length}`)
  for (const reader of readers) reader.abort()
  await untilSettled(service, shareId)
})

function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length
}

running('should leave no descriptor open when clients disconnect at any moment', async () => {
  const shareId = await owner.share({ big, small: 'small' })
  const target = `/api/shares/${shareId}/download`
  await assertNothingLeft(service)
  if (process.platform !== 'linux') {
    process.stdout.write('\nskipped: counting open descriptors, which needs /proc\n')
    return
  }
  const before = openDescriptors()
  for (let round = 0; round < 4; round++) {
    const readers = await Promise.all(
      Array.from({ length: 12 }, (_, place) => begin(place, target)),
    )
    await Promise.all(readers.map((reader, place) => reader.read(place * 300_000)))
    for (const reader of readers) reader.abort()
    await assertNothingLeft(service)
  }
  await until('all descriptors are closed', () => openDescriptors() <= before)
})

running.run()
