// Thousands of requests in one packet, from clients that disconnect: nothing of them may stay.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { setTimeout } from 'node:timers/promises'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findLibraryFolder, Library } from '../../src/site/library.ts'
import { docsOperations } from '../../src/site/operations.ts'
import { createDocsListener } from '../../src/site/server.ts'
import { createLog } from '../../src/lib/log.ts'
import { operations } from '../../src/routes.ts'
import { assertNothingLeft, fileIds } from '../bytes/send/scene.ts'
import { countConnections, RawConnection } from '../helpers/raw-connection.ts'
import { startService, type Service } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'
import { makeLink } from '../requests/guest.ts'

const requestsPerBurst = 2_000
const burstsMin = 50
const mib = 1024 * 1024

const pipelining = suite('security: pipelined requests of disconnected clients')
let service: Service
let docs: ReturnType<typeof createDocsListener>
let docsUrl: string
let read = 0
const logged: string[] = []
/** The kind of one request, and its target. */
let targets: { url: string; text: string }[] = []

pipelining.before(async () => {
  service = await startService({
    env: {
      RATE_LIMIT_DOWNLOAD: 'off',
      RATE_LIMIT_LOGIN: 'off',
      TRUST_PROXY: '127.0.0.1',
      // Successful probes are logged there.
      LOG_LEVEL: 'debug',
    },
  })
  const owner = await service.admin()
  const shareId = await owner.share({ 'a.txt': 'hello' })
  const ids = await fileIds(service, shareId)
  const params: Record<string, string> = {
    shareId,
    fileId: String(ids['a.txt']),
    reverseId: await makeLink(owner),
    slug: 'send',
  }
  await owner.close()
  docs = createDocsListener({
    library: new Library(findLibraryFolder(), { docsUrl: 'http://x', baseUrl: 'http://x' }),
    trustProxy: '',
    clock: service.clock,
    log: createLog({ level: 'debug', write: (line) => logged.push(line) }),
  })
  await docs.listen({ port: 0, host: '127.0.0.1' })
  docsUrl = `http://127.0.0.1:${(docs.server.address() as AddressInfo).port}`
  for (const { server } of [service.app.listener, docs]) server.on('request', () => (read += 1))
  const textOf = ({ method, path }: { method: string; path: string }) => {
    const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? 'x')
    const body = method === 'GET' ? '' : '{}'
    const length = body === '' ? '' : `Content-Length: ${body.length}\r\n`
    return `${method} ${target} HTTP/1.1\r\nHost: x\r\n${length}\r\n${body}`
  }
  const open = operations.filter(({ auth }) => auth === 'none')
  targets = [
    ...open.map((operation) => ({ url: service.url, text: textOf(operation) })),
    ...docsOperations.map((operation) => ({ url: docsUrl, text: textOf(operation) })),
  ]
})
pipelining.after(async () => {
  await docs.close(0)
  await service.stop()
})

/** Bytes in use, after a garbage collection. */
async function heldBytes(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let turn = 0; turn < 3; turn += 1) {
    collect()
    await setTimeout(1)
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function burst({ url, text }: { url: string; text: string }, patienceMs: number) {
  const connection = await RawConnection.open(url)
  void connection.send(text.repeat(requestsPerBurst))
  await setTimeout(patienceMs)
  if (patienceMs % 2 === 0) connection.reset()
  else connection.destroy()
}

async function assertAllOver(): Promise<void> {
  for (const { server, watchdog } of [service.app.listener, docs]) {
    // The service keeps reading what a client sent before it disconnected, until a write fails.
    await until('every connection is closed', async () => (await countConnections(server)) === 0)
    assert.is(watchdog.size, 0)
  }
  await assertNothingLeft(service)
}

pipelining('should leave nothing behind, on any public route', async () => {
  const bursts = Math.max(burstsMin, targets.length)
  const attack = async () => {
    for (let index = 0; index < bursts; index += 1) {
      await burst(targets[index % targets.length]!, (index * 37) % 100)
    }
    await assertAllOver()
  }
  // Caches fill up once.
  await attack()
  service.logLines.splice(0)
  logged.splice(0)
  read = 0
  const before = await heldBytes()
  const resources = process.getActiveResourcesInfo().length
  await attack()
  const isRequest = (line: string) => line.includes('"message":"request"')
  const lines = [service.logLines, logged].flatMap((all) => all.filter(isRequest)).length
  assert.ok(read > bursts * 10, `${read} requests were read`)
  assert.is(lines, read, 'a line in the log for each request')
  service.logLines.splice(0)
  logged.splice(0)
  const isOver = () => process.getActiveResourcesInfo().length <= resources
  await until('no more resources are in use than before', isOver)
  const grown = ((await heldBytes()) - before) / mib
  assert.ok(grown < 20, `${grown.toFixed(1)} MiB were kept of ${read} requests`)
})

pipelining('should let an honest download start at once', async () => {
  const owner = await service.admin()
  const shareId = await owner.share({ 'a.txt': 'hello' })
  const path = `/api/shares/${shareId}/download`
  const leaving = Array.from({ length: 17 }, async (_, address) => {
    const connection = await RawConnection.open(service.url)
    const text = `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.${address + 1}\r\n\r\n`
    await connection.send(text.repeat(90))
    connection.reset()
  })
  await Promise.all(leaving)
  const anonymous = service.client()
  assert.is((await anonymous.get(path)).status, 200)
  await anonymous.close()
  await owner.close()
  await assertAllOver()
})

pipelining.run()
