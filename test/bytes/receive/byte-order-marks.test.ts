// U+FEFF is an ordinary character inside a text, in any position.
import { gzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startService } from '../../helpers/service.ts'

const marks = suite('uploads: texts with U+FEFF')
const texts = [
  '\ufeffx',
  'x\ufeff',
  'f\ufeffx',
  'é\ufeff中',
  '\ufeff\ufeff',
  '0123456789abcdef\ufeff',
]

const service = await startService()
const owner = await service.admin()
marks.after(() => service.stop())

/** JSON with each character beyond ASCII written as `\u`. */
function escaped(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

for (const [how, write] of [
  ['as it is', JSON.stringify],
  ['escaped', escaped],
] as const) {
  marks(`should keep it in ids and names of files, ${how}`, async () => {
    const shareId = await owner.init()
    const files = texts.map((text) => ({
      fileId: text,
      fileName: text,
      originalName: `${text}.txt`,
      size: 1,
    }))
    for (const fileId of texts) {
      const fileName = `${fileId}.txt`
      assert.is((await owner.chunk(shareId, fileId, 0, 'x', { fileName })).status, 200)
    }
    const arrived = (await owner.get(`/api/shares/${shareId}/chunks`)).json().chunks
    const fileIds = arrived.map((range: { fileId: string }) => range.fileId)
    assert.equal(fileIds.toSorted(), texts.toSorted())
    const answer = await owner.call('POST', `/api/shares/${shareId}/finalize`, {
      headers: { 'content-type': 'application/json' },
      body: write({ files }),
    })
    assert.is(answer.status, 200, answer.body.toString())
    assert.is(answer.json().renamed, undefined)
    const kept = (await owner.get(`/api/shares/${shareId}`)).json().files
    assert.equal(
      kept.map((file: { original_name: string }) => file.original_name),
      files.map((file) => file.originalName),
    )
  })
}

marks('should ignore it before JSON, in short bodies and in lists', async () => {
  const headers = { 'content-type': 'application/json' }
  const begun = await owner.call('POST', '/api/shares/init', {
    headers,
    body: '\ufeff{"name":"marked"}',
  })
  assert.is(begun.status, 200, begun.body.toString())
  const { shareId } = begun.json()
  async function* bytes(text: string) {
    for (const byte of Buffer.from(text)) yield Buffer.of(byte)
  }
  const url = `/api/shares/${shareId}/finalize`
  const whole = '\ufeff{"files":[]}'
  for (const body of [whole, bytes(whole), gzipSync(whole)]) {
    const packed = Buffer.isBuffer(body) ? { 'content-encoding': 'gzip' } : {}
    const done = await owner.call('POST', url, { headers: { ...headers, ...packed }, body })
    assert.is(done.status, 200, done.body.toString())
  }
  for (const body of ['\ufeff\ufeff{"files":[]}', '\ufeff', '\ufeff[]']) {
    const refused = await owner.call('POST', url, { headers, body })
    assert.is(refused.status, 400, body)
  }
})

marks('should keep it in the name of a share', async () => {
  const shareId = await owner.init({ name: '\ufeffx\ufeffy' })
  const { name } = (await owner.get(`/api/shares/${shareId}`)).json()
  assert.is(name, '\ufeffx\ufeffy')
})
