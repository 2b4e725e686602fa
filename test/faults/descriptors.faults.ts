// No free descriptors: 503, and nothing is reported as lost or damaged.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { OpenFile } from '../../src/bytes/segments/open-file.ts'
import type { Answer, Client } from '../helpers/client.ts'
import { replacePromised } from '../helpers/replaced.ts'
import { startService, type Service } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'

const crowded = suite('a process without free descriptors')
let service: Service
let sender: Client
let undo: () => void = () => {}

crowded.before(async () => {
  service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
  sender = await service.admin()
})
crowded.after.each(() => undo())
crowded.after(async () => {
  await sender.close()
  await service.stop()
})

function shortage(code = 'EMFILE'): Error {
  return Object.assign(new Error(`${code}: too many open files`), { code, syscall: 'open' })
}

/** Lets every open fail until undone. */
function crowd(code: string): void {
  const real = OpenFile.open.bind(OpenFile)
  OpenFile.open = () => Promise.reject(shortage(code))
  const undoReading = replacePromised('readFile', () => () => Promise.reject(shortage(code)))
  undo = () => {
    OpenFile.open = real
    undoReading()
  }
}

function assertComeBack(answer: Answer): void {
  assert.equal([answer.status, answer.json().code], [503, 'unavailable'])
  assert.ok(Number(answer.headers['retry-after']) > 0)
}

crowded('should ask to retry a chunk, and not look for a lost disk', async () => {
  const shareId = await sender.init()
  service.logLines.length = 0
  // The log repeats what it reported ten seconds before.
  service.clock.advance(10_000)
  crowd('EMFILE')
  assertComeBack(await sender.chunk(shareId, 'f', 0, Buffer.alloc(300_000)))
  undo()
  assert.is((await sender.chunk(shareId, 'f', 0, Buffer.alloc(300_000))).status, 200)
  await until('it is in the log', () => service.logLines.some((line) => line.includes('EMFILE')))
  assert.not.ok(service.logLines.some((line) => line.includes('marker')))
})

crowded.run()
