import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, okay, randomContent, type Answer, type Client } from '../helpers/client.ts'
import { type Service, startService } from '../helpers/service.ts'
import { SlowReader } from '../helpers/slow-reader.ts'
import { bytesBelow } from '../helpers/invariants.ts'

const shares = suite('admin: shares')
const path = '/api/admin/shares'
let service: Service
let admin: Client
let ann: Client
let bob: Client
let anonymous: Client

shares.before.each(async () => {
  service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
  admin = await service.admin()
  ann = await service.user('ann@example.org')
  bob = await service.user('bob@example.org')
  anonymous = service.client()
})
shares.after.each(() => service.stop())

const ids = (answer: Answer): string[] => answer.json<{ id: string }[]>().map(({ id }) => id)

shares('should refuse a search that no name contains', async () => {
  for (const [search, lack] of [
    ['%00', 'must not contain NUL'],
    ['x'.repeat(255), 'must have at most 254 characters'],
  ]) {
    const answer = await admin.get(`${path}?search=${search}`)
    assertError(answer, 400, 'invalid_input')
    assert.is(answer.json().error, `search: ${lack}`)
  }
})

shares('should be listed newest first for all accounts, with their owners', async () => {
  const files = { 'secret plans.txt': 'the content', 'b.txt': 'b' }
  const first = await ann.share(files, {
    name: '',
    message: 'for your eyes',
    recipients: 'eve@example.org',
    password: 'open sesame',
    maxDownloads: 3,
  })
  service.clock.advance(1000)
  const draft = await bob.init({ name: 'Draft' })
  service.clock.advance(1000)
  const own = await admin.share({ a: 'a' }, { expirationVal: 0 })
  const answer = await okay(admin.get(path))
  assert.equal(ids(answer), [own, draft, first])
  const [third, second, oldest] = answer.json()
  assert.is(oldest.name, '', 'names of protected files are hidden')
  assert.is(oldest.url, `http://transfer.test/s/${first}`)
  assert.equal(
    [oldest.status, oldest.protected, oldest.max_downloads, oldest.total_size],
    ['complete', true, 3, 12],
  )
  assert.is(oldest.owner.email, 'ann@example.org')
  assert.equal([second.status, second.owner.email], ['draft', 'bob@example.org'])
  assert.equal([third.name, third.expires_at], ['a', null], 'named like its first file')
  const body = answer.body.toString()
  const [row] = await service.database.sql<{ passwordHash: string; containerId: string }[]>`
    select password_hash, container_id from shares where id = ${first}`
  for (const hidden of [
    row!.passwordHash,
    row!.containerId,
    'secret plans',
    'eyes',
    'eve@example.org',
    'argon2',
    'oken',
  ]) {
    assert.not.match(body, hidden)
  }
  assert.not.ok('link' in answer.headers, 'there is no next page')
})

shares('should have the names, sizes and states that their owners see', async () => {
  await ann.share({ 'photos/sea.jpg': 'sea', 'hill.jpg': 'hill', 'tree.jpg': 'tree' })
  for (const [name, expectedBytes] of [
    ['Sent', 7],
    ['Half', 14],
  ]) {
    const draft = await ann.init({ name })
    await okay(ann.patch(`/api/shares/${draft}`, { expectedBytes }))
    await okay(ann.chunk(draft, 'f', 0, 'content'))
  }
  await ann.init({ name: 'Bare' })
  const owned = (await ann.get('/api/shares')).json()
  const shown = (await admin.get(path)).json()
  for (const share of shown) {
    const {
      files,
      preview_count: _preview,
      name,
      ...seen
    } = owned.find(({ id }: any) => id === share.id)
    const more = { file_count: files.length, damaged_files: 0, owner: share.owner }
    assert.equal(share, { ...seen, ...more, name: name || 'sea.jpg +2' })
  }
  assert.equal(shown.map((share: any) => [share.name, share.progress, share.all_received]).sort(), [
    ['Bare', null, false],
    ['Half', 50, false],
    ['Sent', 99, true],
    ['sea.jpg +2', null, false],
  ])
})

shares('should be filtered by owner and state, and found by name, link and owner', async () => {
  const one = await ann.share({ a: 'a' })
  const draft = await ann.init()
  const other = await bob.share({ b: 'b' })
  const gone = await bob.share({ c: 'c' })
  await service.database.sql`update shares set state = 'expired' where id = ${gone}`
  const annId = (await ann.get('/api/account')).json().id
  const cases: [query: string, expected: string[]][] = [
    ['owner=ANN@example.org', [one, draft]],
    [`owner=${annId}`, [one, draft]],
    ['state=draft', [draft]],
    ['state=complete', [one, other]],
    ['state=expired', [gone]],
    [`owner=${annId}&state=complete`, [one]],
    ['owner=nobody@example.org', []],
  ]
  const assertFound = async () => {
    for (const [query, expected] of cases.splice(0)) {
      const found = ids(await admin.get(`${path}?${query}`))
      assert.equal(found.toSorted(), expected.toSorted(), query)
    }
  }
  await assertFound()
  const named = await bob.share({ d: 'd' }, { name: 'Summer 100 %', slug: 'my-summer' })
  const file = await ann.share({ 'Beach.jpg': 'e' })
  const hidden = await ann.share({ 'Beach too.jpg': 'f' }, { password: 'open sesame' })
  cases.push(
    ['search=SUMMER', [named]],
    ['search=100%20%25', [named]],
    ['search=my-sum', [named]],
    ['search=beach', [file]],
    [`search=${hidden}`, [hidden]],
    ['search=bob%40', [other, gone, named]],
    ['search=bob%40&state=expired', [gone]],
    ['search=', [one, draft, other, gone, named, file, hidden]],
    ['search=%25', [named]],
  )
  for (const query of [
    'cursor=x',
    'cursor=999999999999999.abc',
    'state=other',
    'owner=9999999999',
  ]) {
    assertError(await admin.get(`${path}?${query}`), 400, 'invalid_input')
  }
  await assertFound()
})

shares('should be deleted with their bytes, aborting their downloads', async () => {
  const big = randomContent(24 * 1024 * 1024)
  const shareId = await ann.share({ big })
  const kept = await ann.share({ a: 'kept' })
  const draft = await bob.init()
  await bob.chunk(draft, 'f', 0, 'content')
  const reader = await SlowReader.open(`${service.url}/api/shares/${shareId}/download`)
  await reader.read(1)
  for (const id of [shareId, draft]) {
    assert.equal((await admin.delete(`${path}/${id}`)).json(), { success: true })
    assertError(await admin.delete(`${path}/${id}`), 404, 'not_found')
  }
  assert.not.ok((await reader.readRest()).isComplete)
  assertError(await anonymous.get(`/api/public/shares/${shareId}`), 404, 'not_found')
  assert.equal(ids(await ann.get('/api/shares')), [kept])
  assert.equal(ids(await bob.get('/api/shares')), [])
  assert.ok(bytesBelow(service.storageDir) < 10_000, 'the bytes are gone')
  assertError(await admin.delete(`${path}/AAAAAAAAAAAAAAAAAAAAAA`), 404, 'not_found')
})
