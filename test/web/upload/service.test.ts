// The engine against the real service: what is chosen is what is downloaded.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { browserClock } from '../../../src/web/lib/clock.ts'
import { Upload } from '../../../src/web/upload/engine.ts'
import { parseKey } from '../../../src/web/upload/manifest.ts'
import type { PickedFile, Transport } from '../../../src/web/upload/types.ts'
import { startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'
import { MemoryStore } from './memory-store.ts'

const real = suite('web: upload engine and service')
const kib = 1024
const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })

/** Sends like a page, with fetch; the whole body counts as progress at its end. */
const send: Transport = async ({ method, path, token, json, tar, onProgress, signal }) => {
  const headers = new Headers()
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  if (json !== undefined) headers.set('content-type', 'application/json')
  const init: RequestInit = { method, headers, signal }
  if (json !== undefined) init.body = JSON.stringify(json)
  if (tar) {
    headers.set('content-type', 'application/x-tar')
    init.body = tar
  }
  try {
    const answer = await fetch(service.url + path, init)
    onProgress?.(tar?.size ?? 0)
    const isJson = answer.headers.get('content-type')?.startsWith('application/json')
    const reply = isJson ? await answer.json() : void (await answer.text())
    const retryAfter = answer.headers.get('retry-after')
    return { status: answer.status, retryAfter, json: reply }
  } catch {
    return { status: 0, retryAfter: null, json: undefined }
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

async function assertDownloads(shareId: string, expected: readonly PickedFile[]): Promise<void> {
  const recipient = service.client()
  const shown = (await recipient.get(`/api/public/shares/${shareId}`)).json()
  assert.is(shown.files.length, expected.length)
  for (const { path, file, size } of expected) {
    const found = shown.files.find((entry: any) => entry.original_name === path)
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
  const owner = await service.admin()
  const { shareId, uploadToken } = (await owner.post('/api/shares/init', {})).json()
  const target = { kind: 'share', shareId, uploadToken } as const
  const requests: string[] = []
  const transport: Transport = (request) => {
    requests.push(request.path.split('/').at(-1)!)
    return send(request)
  }
  const limits = { chunkBytesMax: 100 * kib * kib }
  const store = new MemoryStore()
  const options = { target, transport, store, clock: browserClock, limits, onChange: () => {} }
  const upload = new Upload(options)
  const chosen = awkward.map((name, place) => picked(name, 50 + 977 * place))
  upload.add(chosen)
  await until('all is in', () => upload.snapshot().phase === 'idle')
  assert.equal(requests, ['tar'])
  const { chunks } = (await owner.get(`/api/shares/${shareId}/chunks`)).json()
  assert.is(chunks.length, chosen.length)
  assert.ok(
    chunks.every(({ fileId }: any) => parseKey(fileId)),
    'no id is a hash',
  )
  // The page replaces what other systems cannot store.
  const rows = upload.snapshot().files
  const stored = chosen.map((file, place) => ({ ...file, path: rows[place]!.path }))
  upload.dispose()
  const again = new Upload({ ...options, store: new MemoryStore() }, null)
  again.add(chosen)
  await again.complete()
  assert.equal(requests, ['tar', 'chunks?samples=true', 'finalize'])
  await assertDownloads(shareId, stored)
  again.dispose()
})
