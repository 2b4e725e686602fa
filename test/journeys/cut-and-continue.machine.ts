// Downloads over a network that breaks, with the most common client for resuming them.
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CuttingProxy } from '../helpers/cutting-proxy.ts'
import type { Service } from '../helpers/service.ts'
import { run } from '../helpers/unpack.ts'
import {
  assertNothingLeft,
  downloadCount,
  patterned,
  startUnlimited,
  untilSettled,
} from '../blobs/send/scene.ts'

const journey = suite('journey: cut and continue')
const mib = 1024 * 1024

let service: Service
let proxy: CuttingProxy
let folder: string

journey.before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'transfer-curl-'))
  service = await startUnlimited()
  proxy = await CuttingProxy.start(service.url)
})
journey.after.each(() => assertNothingLeft(service))
journey.after(async () => {
  await proxy.close()
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function makeShare(input: Record<string, unknown>): Promise<string> {
  const owner = await service.admin()
  const files = {
    'Ärger/first.bin': patterned(3 * mib + 1),
    'empty.txt': '',
    'second.bin': patterned(5 * mib + 7),
  }
  const shareId = await owner.share(files, { name: 'Cut', ...input })
  await owner.close()
  return shareId
}

/** The whole archive as the owner gets it: uncounted. */
async function wholeOf(shareId: string): Promise<Buffer> {
  const owner = await service.admin()
  const { body } = await owner.get(`/api/shares/${shareId}/download?as=owner`)
  await owner.close()
  return body
}

/** curl's exit code; null without curl. */
async function curl(shareId: string, ...args: string[]): Promise<number | null> {
  const url = `${proxy.url}/api/shares/${shareId}/download`
  const ran = await run(['curl', '-sS', '--fail', ...args, url], 'continuing with curl -C -')
  return ran && ran.code
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

journey('should end in identical bytes with breaks anywhere', async () => {
  const shareId = await makeShare({})
  const whole = await wholeOf(shareId)
  const file = path.join(folder, 'random.zip')
  const cuts: number[] = []
  for (let turn = 0; turn < 10; turn++) {
    const left = whole.length - sizeOf(file)
    // Within the header of the answer, the first bytes, or anywhere before the end.
    const most = [600, 3000, left][turn % 3]!
    proxy.cutAfterBytes = 1 + Math.floor(Math.random() * Math.min(most, left - 1))
    cuts.push(proxy.cutAfterBytes)
    // The exit code says little: an answer that stops inside its header is empty for curl.
    if ((await curl(shareId, '-C', '-', '-o', file)) === null) return
    assert.ok(sizeOf(file) < whole.length)
  }
  proxy.cutAfterBytes = Infinity
  assert.is(await curl(shareId, '-C', '-', '-o', file), 0)
  assert.is(digest(readFileSync(file)), digest(whole), `cut after ${cuts.join(', ')}`)
})

journey('should admit one download of a limited share with all its continuations', async () => {
  const shareId = await makeShare({ maxDownloads: 1 })
  const whole = await wholeOf(shareId)
  const file = path.join(folder, 'limited.zip')
  for (const cutAfterBytes of [mib, 2 * mib, Infinity]) {
    proxy.cutAfterBytes = cutAfterBytes
    const code = await curl(shareId, '-C', '-', '-o', file)
    if (code === null) return
    assert.is(code === 0, cutAfterBytes === Infinity, `curl ended with ${code}`)
    await untilSettled(service, shareId)
    assert.is(await downloadCount(service, shareId), 1)
  }
  assert.is(digest(readFileSync(file)), digest(whole))
  // 22: the answer was an error, here 410.
  assert.is(await curl(shareId, '-o', path.join(folder, 'second.zip')), 22)
  assert.is(await downloadCount(service, shareId), 1)
})

journey('should continue with its cookie, and give the cookie no second download', async () => {
  const shareId = await makeShare({ maxDownloads: 1 })
  const whole = await wholeOf(shareId)
  const file = path.join(folder, 'cookie.zip')
  const jar = path.join(folder, 'jar')
  const withJar = ['-b', jar, '-c', jar]
  proxy.cutAfterBytes = 4 * mib
  const code = await curl(shareId, ...withJar, '-o', file)
  if (code === null) return
  assert.is.not(code, 0)
  await untilSettled(service, shareId)
  proxy.cutAfterBytes = Infinity
  // Another address: only the cookie can show that it is the same download.
  const moved = ['-H', 'X-Forwarded-For: 198.51.100.7']
  const anonymous = path.join(folder, 'anonymous.zip')
  assert.is(await curl(shareId, ...moved, '-r', '1000-', '-o', anonymous), 22)
  assert.is(await curl(shareId, ...withJar, ...moved, '-C', '-', '-o', file), 0)
  assert.is(digest(readFileSync(file)), digest(whole))
  await untilSettled(service, shareId)
  assert.is(await curl(shareId, ...withJar, '-o', path.join(folder, 'again.zip')), 22)
  assert.is(await downloadCount(service, shareId), 1)
})

journey.run()
