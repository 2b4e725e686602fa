import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, Client } from '../../helpers/client.ts'
import { startService } from '../../helpers/service.ts'
import { change, changed, details } from './scene.ts'

const changes = suite('shares: changes')
const hourMs = 3_600_000

let owner: Client
let anonymous: Client
let people = 0

const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
changes.before.each(async () => {
  people += 1
  owner = await service.user(`owner-${people}@example.org`)
  anonymous = service.client()
})

const iso = (ms: number) => new Date(ms).toISOString()
changes('should show a share in full, and the list as before', async () => {
  const input = {
    name: 'Photos',
    message: 'Enjoy!',
    recipients: ' Oma <oma@example.org>;\nRex ',
    maxDownloads: 3,
    password: 'secret words',
    expirationVal: 2,
    expirationUnit: 'Hours',
  }
  const shareId = await owner.share({ 'a.txt': 'aaa' }, input)
  const now = iso(service.clock.now())
  const { files, ...rest } = await details(owner, shareId)
  assert.equal(rest, {
    id: shareId,
    name: 'Photos',
    status: 'complete',
    created_at: now,
    expires_at: iso(service.clock.now() + 2 * hourMs),
    protected: true,
    url: `http://transfer.test/s/${shareId}`,
    max_downloads: 3,
    download_count: 0,
    preview_count: 0,
    total_size: 3,
    progress: null,
    receiving: false,
    all_received: false,
    last_received_at: null,
    message: 'Enjoy!',
    recipients: ' Oma <oma@example.org>;\nRex ',
    slug: '',
    published: true,
    notifyDownloads: false,
    expectedBytes: 0,
    expirationVal: 2,
    expirationUnit: 'Hours',
    fixedExpiry: false,
    audience: 'anyone',
    recipientProof: 'none',
  })
  const { id, created_at: fileAt } = files[0]
  assert.ok(Number.isInteger(id) && new Date(fileAt).toISOString() === fileAt)
  const mimeType = 'application/octet-stream'
  const file = { id, original_name: 'a.txt', size: 3, mime_type: mimeType, created_at: fileAt }
  assert.equal(files, [file])
  const [listed] = (await owner.get('/api/shares')).json()
  const full = Object.entries(await details(owner, shareId))
  assert.equal(listed, Object.fromEntries(full.filter(([name]) => name in listed)))
  assert.not.match(JSON.stringify(await details(owner, shareId)), /secret|argon2|hash/)
})

for (const [json, becomes] of [
  [{ name: 'New name' }, { name: 'New name' }],
  [{ name: '' }, { name: '' }],
  [{ message: 'New words' }, { message: 'New words' }],
  [{ message: '' }, { message: '' }],
  [{ recipients: 'x@y.z' }, { recipients: 'x@y.z' }],
  [{ recipients: '' }, { recipients: '' }],
  [{ maxDownloads: 9 }, { max_downloads: 9 }],
  [{ maxDownloads: 0 }, { max_downloads: 0 }],
  [{ password: 'p' }, { protected: true }],
  [{ password: '' }, { protected: false }],
  [{ slug: 'my-Photos_1' }, { slug: 'my-Photos_1', url: 'http://transfer.test/s/my-Photos_1' }],
  [{ expirationVal: 0 }, { expires_at: null, expirationVal: 0 }],
] as const) {
  for (const state of ['draft', 'complete'] as const) {
    changes(`should change nothing but ${JSON.stringify(json)} of a ${state} share`, async () => {
      const input = {
        name: 'Old',
        message: 'Old words',
        recipients: 'old@example.org',
        maxDownloads: 5,
        password: 'old password',
      }
      const shareId =
        state === 'draft' ? await owner.init(input) : await owner.share({ a: 'content' }, input)
      const before = await details(owner, shareId)
      service.clock.advance(1000)
      const answered = await changed(owner, shareId, json)
      assert.equal(answered, { ...before, ...becomes })
      assert.equal(await details(owner, shareId), answered)
      await owner.delete(`/api/shares/${shareId}`)
    })
  }
}

changes('should treat null and unknown fields as absent, and ignore a unit alone', async () => {
  const shareId = await owner.share({ a: 'a' }, { name: 'N', password: 'p', recipients: 'r' })
  await changed(owner, shareId, { slug: 'stays' })
  const before = await details(owner, shareId)
  const nothing = [
    {},
    {
      name: null,
      message: null,
      password: null,
      recipients: null,
      slug: null,
      published: null,
      notifyDownloads: null,
      expectedBytes: null,
    },
    { maxDownloads: null, expirationVal: null, expirationUnit: null },
    { expirationUnit: 'Hours' },
    { status: 'draft', id: 'x', max_downloads: 9, download_count: 9, owner_id: 1 },
  ]
  for (const json of nothing) assert.equal(await changed(owner, shareId, json), before)
  assert.is((await anonymous.post(`/api/shares/${shareId}/verify`, { password: 'p' })).status, 200)
})

/** Other fields have the rules of a new share. */
const invalid: readonly (readonly [title: string, json: unknown])[] = [
  ['a name that is too long', { name: 'x'.repeat(201) }],
  ['published as text', { published: 'yes' }],
  ['notices as text', { notifyDownloads: 'yes' }],
  ['a negative number of bytes', { expectedBytes: -1 }],
  ['more bytes than can be counted', { expectedBytes: 2 ** 53 }],
  ['a list', []],
  ['a text', 'name'],
]

changes('should refuse invalid values, and change nothing of a request', async () => {
  const draft = await owner.init({ name: 'Old' })
  const complete = await owner.share({ a: 'a' }, { name: 'Old' })
  for (const shareId of [draft, complete]) {
    const before = await details(owner, shareId)
    for (const [title, json] of invalid) {
      const isObject = typeof json === 'object' && !Array.isArray(json)
      const mixed = isObject ? { name: 'New', message: 'New', ...(json as object) } : json
      const answer = await change(owner, shareId, mixed)
      assert.is(answer.status, 400, title)
      assertError(answer, 400)
      assert.equal(await details(owner, shareId), before, title)
    }
  }
})

changes('should close a share with a limit below its count, and open it again', async () => {
  const shareId = await owner.share({ a: 'a' })
  for (let turn = 0; turn < 3; turn += 1) {
    await service.client().get(`/api/shares/${shareId}/download`)
  }
  const limited = await changed(owner, shareId, { maxDownloads: 2 })
  assert.equal([limited.max_downloads, limited.download_count], [2, 3])
  assertError(await anonymous.get(`/api/public/shares/${shareId}`), 410, 'download_limit')
  assertError(await anonymous.get(`/api/shares/${shareId}/download`), 410, 'download_limit')
  await changed(owner, shareId, { maxDownloads: 4 })
  assert.is((await anonymous.get(`/api/shares/${shareId}/download`)).status, 200)
})

changes('should lose none of several concurrent changes, and apply each entirely', async () => {
  const shareId = await owner.share({ a: 'a' })
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      change(owner, shareId, n % 2 ? { name: `n${n}`, message: `m${n}` } : { maxDownloads: n + 1 }),
    ),
  )
  assert.ok(answers.every(({ status }) => status === 200))
  const last = await details(owner, shareId)
  assert.match(last.name, /^n\d+$/)
  assert.is(last.message, last.name.replace('n', 'm'))
  assert.ok(last.max_downloads > 0)
})
