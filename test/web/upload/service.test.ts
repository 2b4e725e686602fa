// The engine against the real service: bytes sent over a bad connection are the bytes downloaded.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Clock } from '../../../src/web/lib/clock.ts'
import { Upload } from '../../../src/web/upload/engine.ts'
import { parseKey } from '../../../src/web/upload/manifest.ts'
import type {
  PickedFile,
  Transport,
  UploadOptions,
  UploadTarget,
} from '../../../src/web/upload/types.ts'
import { patience } from '../../helpers/patience.ts'
import type { Client } from '../../helpers/client.ts'
import { startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'
import { MemoryStore } from './memory-store.ts'

const real = suite('web: upload engine and service')
const kib = 1024
const quickness = 50 / patience

let owner: Client
let uploads: Upload[]

const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
real.before.each(async () => {
  owner = await service.admin()
  uploads = []
})
real.after.each(async () => {
  for (const upload of uploads) upload.dispose()
})

/** The machine's time, but 50 times as fast: half a minute of patience is 0.6 seconds. */
const startedAt = Date.now()
const clockOf = (speed: number): Clock => ({
  now: () => startedAt + (Date.now() - startedAt) * speed,
  random: () => 0.5,
  setTimer(ms, callback) {
    const timer = setTimeout(callback, ms / speed)
    return () => clearTimeout(timer)
  },
})
const quickClock = clockOf(quickness)

/** Sends like a page, with fetch; the whole body counts as progress at its end. */
function fetchTransport(url: () => string): Transport {
  return async ({ method, path, token, json, chunk, tar, onProgress, signal }) => {
    const headers = new Headers()
    if (token !== null) headers.set('authorization', `Bearer ${token}`)
    if (json !== undefined) headers.set('content-type', 'application/json')
    const init: RequestInit = { method, headers, signal }
    if (json !== undefined) init.body = JSON.stringify(json)
    if (tar) {
      headers.set('content-type', 'application/x-tar')
      init.body = tar
    }
    if (chunk) {
      const form = new FormData()
      for (const [name, value] of Object.entries(chunk.fields)) form.append(name, value)
      form.append('chunk', chunk.bytes, 'chunk')
      init.body = form
    }
    try {
      const answer = await fetch(url() + path, init)
      onProgress?.((chunk?.bytes ?? tar)?.size ?? 0)
      const isJson = answer.headers.get('content-type')?.startsWith('application/json')
      const reply = isJson ? await answer.json() : void (await answer.text())
      const retryAfter = answer.headers.get('retry-after')
      return { status: answer.status, retryAfter, json: reply }
    } catch {
      return { status: 0, retryAfter: null, json: undefined }
    }
  }
}

function picked(path: string, size: number): PickedFile {
  const bytes = Buffer.alloc(size)
  for (let place = 0; place < size; place++) bytes[place] = (place * 31 + path.length) % 251
  const blob = new Blob([bytes])
  const slice = (start: number, end: number) => blob.slice(start, end)
  const file = { name: path, size, lastModified: 1, slice }
  return { path, file, size, lastModified: 1, type: 'application/x-test' }
}

const files = () => [
  picked('Ärger/large.bin', 900 * kib + 7),
  picked('empty.txt', 0),
  ...Array.from({ length: 12 }, (_, place) => picked(`small/${place}.txt`, 100 + place)),
]

function options(target: UploadTarget, transport: Transport): UploadOptions {
  const limits = { chunkBytesMax: 64 * kib }
  const store = new MemoryStore()
  return { target, transport, store, clock: quickClock, limits, onChange: () => {} }
}

function keep(upload: Upload): Upload {
  uploads.push(upload)
  return upload
}

async function newDraft(): Promise<UploadTarget & { kind: 'share' }> {
  const { shareId, uploadToken } = (await owner.post('/api/shares/init', {})).json()
  return { kind: 'share', shareId, uploadToken }
}

async function assertDownloads(shareId: string, expected = files()): Promise<void> {
  const recipient = service.client()

  const shown = (await recipient.get(`/api/public/shares/${shareId}`)).json()
  assert.is(shown.files.length, expected.length)
  for (const { path, file, size } of expected) {
    const found = shown.files.find(
      (entry: { original_name: string }) => entry.original_name === path,
    )
    assert.ok(found, path)
    const { body } = await recipient.get(`/api/shares/${shareId}/files/${found.id}`)
    const bytes = Buffer.from(await file.slice(0, size).arrayBuffer())
    assert.ok(body.equals(bytes), path)
  }
}

/** Names that a tar header or the service could change. */
const awkward = [
  'plain.txt',
  'other/name.txt',
  'name.txt',
  `${'long '.repeat(48)}.jpeg`,
  `${'👩‍👩‍👧'.repeat(13)}.png`,
  `${'deep/'.repeat(100)}end`,
  'sha256:abc',
  'two..dots',
  ' blanks ',
  'a\\b',
  '日本語の名前.txt',
  'ﷺ'.repeat(80),
]

real('should send small files with any names in one archive, under ids that it knows', async () => {
  const target = await newDraft()
  const requests: string[] = []
  const send = fetchTransport(() => service.url)
  const limits = { chunkBytesMax: 100 * kib * kib }
  const transport: Transport = (request) => {
    requests.push(request.path.split('/').at(-1)!)
    return send(request)
  }
  // On a busy machine a second may pass before the answer, and the archive must not be sent twice.
  const patient = { ...options(target, transport), clock: clockOf(2) }
  const upload = keep(new Upload({ ...patient, limits }))
  const chosen = awkward.map((name, place) => picked(name, 50 + 977 * place))
  upload.add(chosen)
  await until('all is in', () => upload.snapshot().phase === 'idle')
  assert.equal(requests, ['tar'])
  const { chunks } = (await owner.get(`/api/shares/${target.shareId}/chunks`)).json()
  assert.is(chunks.length, chosen.length)
  assert.ok(
    chunks.every(({ fileId }: { fileId: string }) => parseKey(fileId)),
    'no id is a hash',
  )
  const again = keep(new Upload({ ...options(target, transport), limits }, null))
  again.add(chosen)
  await again.complete()
  assert.equal(requests, ['tar', 'chunks?samples=true', 'finalize'])
  // The page replaces what other systems cannot store.
  const rows = upload.snapshot().files
  const stored = chosen.map((file, place) => ({ ...file, path: rows[place]!.path }))
  await assertDownloads(target.shareId, stored)
})
