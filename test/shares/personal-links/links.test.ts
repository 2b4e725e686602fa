import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf } from '../../helpers/until.ts'
import { pluck, randomContent, type Client } from '../../helpers/client.ts'
import { SlowReader } from '../../helpers/slow-reader.ts'
import { downloadCount, fileIds, startUnlimited, untilSettled } from '../../bytes/send/scene.ts'
import { listPeople, tokenOf } from './scene.ts'

const links = suite('shares: personal links')

let owner: Client
let ada: Client
let bob: Client

const service = await startUnlimited()
links.before.each(async () => {
  owner = await service.admin()
  ada = service.client()
  bob = service.client()
})

const recipients = 'Ada <Ada@example.org>, bob@example.org; not an address'

async function makeShare(input: object = {}, content: string | Buffer = 'content') {
  const slug = `slug-${service.clock.now()}`
  service.clock.advance(120_000)
  const files = { 'a.txt': content }
  const shareId = await owner.share(files, { audience: 'named', recipients, slug, ...input })
  const fileId = (await fileIds(service, shareId))['a.txt']!
  const [adas, bobs] = await Promise.all([
    tokenOf(owner, shareId, 'Ada@example.org'),
    tokenOf(owner, shareId, 'bob@example.org'),
  ])
  return { shareId, slug, fileId, adas, bobs }
}

/** Everything that a link opens. */
const ways = (name: string, fileId: number): [path: string, headers?: Record<string, string>][] => [
  [`/s/${name}`],
  [`/s/${name}/download`],
  [`/api/public/shares/${name}`],
  [`/api/public/shares/${name}/qr-code`],
  [`/api/shares/${name}/download`],
  [`/api/shares/${name}/download?format=tar`],
  [`/api/shares/${name}/download?files=${fileId}`],
  [`/api/shares/${name}/files/${fileId}`],
  [`/api/shares/${name}/files/${fileId}?inline=1`],
  [`/api/shares/${name}/files/${fileId}`, { range: 'bytes=2-' }],
]

links('should open for each named person, and tell nobody of the others', async () => {
  const { shareId, slug, fileId, adas, bobs } = await makeShare({ password: 'pw' })
  const unlocked = await ada.post(`/api/shares/${adas}/verify`, { password: 'pw' })
  const secrets = new RegExp(`${shareId}|${slug}|${bobs}|bob@|Ada@`)
  const said = [unlocked]
  for (const [path, headers] of ways(adas, fileId)) {
    for (const method of ['HEAD', 'GET']) {
      const answer = await ada.call(method, path, { headers: headers ?? {} })
      assert.is(answer.status, headers && method === 'GET' ? 206 : 200, `${method} ${path}`)
      said.push(answer)
    }
  }
  for (const answer of said) {
    assert.not.match(JSON.stringify(answer.headers) + answer.body.toString('latin1'), secrets)
  }
  const [, claims] = unlocked.json().accessToken.split('.')
  assert.not.match(Buffer.from(claims, 'base64url').toString(), secrets)
})

for (const [who, name] of [
  ['the id', 'shareId'],
  ['the custom link', 'slug'],
  ['a revoked link', 'bobs'],
] as const) {
  links(`should answer 404 to ${who} of a share for named people`, async () => {
    const made = await makeShare()
    const [, bobsLink] = await listPeople(owner, made.shareId)
    await owner.delete(`/api/shares/${made.shareId}/people/${bobsLink!.id}`)
    for (const [path, headers] of ways(made[name], made.fileId)) {
      for (const method of ['HEAD', 'GET']) {
        const answer = await bob.call(method, path, { headers: headers ?? {} })
        assert.is(answer.status, 404, `${method} ${path}`)
        assert.equal([answer.headers['etag'], answer.headers['set-cookie']], [undefined, undefined])
      }
    }
    for (const path of ['verify', 'code', 'code/verify']) {
      const json = { password: '', code: '123456' }
      assert.is((await bob.post(`/api/shares/${made[name]}/${path}`, json)).status, 404)
    }
    assert.is(await downloadCount(service, made.shareId), 0)
    // Its owner needs no link.
    const own = await owner.get(`/api/shares/${made.shareId}/files/${made.fileId}`)
    assert.is(own.body.toString(), 'content')
  })
}

links('should count each person, and show whose link was used', async () => {
  const { shareId, fileId, adas } = await makeShare({ maxDownloads: 2 })
  const before = service.clock.now()
  await ada.call('HEAD', `/s/${adas}`)
  assert.is((await listPeople(owner, shareId))[0]!.first_opened_at, null)
  await ada.get(`/s/${adas}`)
  service.clock.advance(3_600_000)
  await ada.get(`/api/shares/${adas}/files/${fileId}`)
  await ada.get(`/api/shares/${adas}/download`)
  // She passes her link on.
  await bob.get(`/api/shares/${adas}/download`)
  const [adasLink, bobsLink] = await listPeople(owner, shareId)
  const { download_count: downloads, device_count: devices } = adasLink!
  assert.equal([downloads, devices, bobsLink!.download_count], [2, 2, 0])
  const opened = [adasLink!.first_opened_at, adasLink!.last_opened_at, bobsLink!.first_opened_at]
  assert.equal(opened, [
    new Date(before).toISOString(),
    new Date(before + 3_600_000).toISOString(),
    null,
  ])
  const activity = (await owner.get(`/api/shares/${shareId}/activity`)).json()
  const person = { link: adasLink!.id, email: 'Ada@example.org', name: '' }
  assert.equal(pluck<any, string>(activity, 'person'), [person, person, person])
  // The limit is one for all, and a lease is good for its own link alone.
  assert.is(await downloadCount(service, shareId), 2)
  const bobs = await tokenOf(owner, shareId, 'bob@example.org')
  assert.is((await ada.get(`/api/shares/${bobs}/download`)).status, 410)
  assert.is((await ada.get(`/api/shares/${adas}/files/${fileId}`)).status, 200)
  const rest = await ada.get(`/api/shares/${bobs}/files/${fileId}`, { range: 'bytes=3-' })
  assert.is(rest.status, 410)
})

links('should abort what runs through a revoked link, and nothing else', async () => {
  const content = randomContent(16 * 2 ** 20, 1)
  const { shareId, fileId, adas, bobs } = await makeShare({}, content)
  const [adasLink] = await listPeople(owner, shareId)
  const open = (name: string) =>
    SlowReader.open(`${service.url}/api/shares/${name}/files/${fileId}`)
  const [revoked, other] = [await open(adas), await open(bobs)]
  await Promise.all([revoked.read(1), other.read(1)])
  const path = `/api/shares/${shareId}/people/${adasLink!.id}`
  assert.is((await owner.delete(path)).status, 200)
  assert.is((await owner.delete(path)).status, 404)
  assert.not.ok((await revoked.readRest()).isComplete)
  await service.app.jobs.runAll()
  assert.ok((await other.readRest()).isComplete)
  await untilSettled(service, shareId)
})

links('should begin no download that was admitted before its link was revoked', async () => {
  const { shareId, adas } = await makeShare({ maxDownloads: 9 })
  const [adasLink] = await listPeople(owner, shareId)
  const { counting } = service.app.services
  const request = {
    share: {
      id: shareId,
      passwordVersion: 0,
      linkId: adasLink!.id,
      maxDownloads: 9,
      totalSize: 7,
    },
    target: 'archive',
    targetSize: 7,
    firstFileSize: 7,
    etag: '"v1"',
    range: 'whole' as const,
    newLeaseToken: adas,
    ip: '192.0.2.1',
    userAgent: '',
  }
  await counting.begin({ ...request, leaseToken: null }, () => {})
  await owner.delete(`/api/shares/${shareId}/people/${adasLink!.id}`)
  for (const leaseToken of [null, adas]) {
    const { code } = await failureOf(counting.begin({ ...request, leaseToken }, () => {}))
    assert.is(code, 'not_found')
  }
  assert.is(await downloadCount(service, shareId), 1)
})

links('should close a public share to its old link, with what runs and its leases', async () => {
  const content = randomContent(16 * 2 ** 20, 1)
  const shareId = await owner.share({ 'a.txt': content }, { recipients })
  const path = `/api/shares/${shareId}/download`
  assert.equal(await listPeople(owner, shareId), [])
  const running = await SlowReader.open(service.url + path)
  await running.read(1)
  await bob.get(path)
  const named = await owner.patch(`/api/shares/${shareId}`, { audience: 'named' })
  assert.equal([named.status, named.json().audience], [200, 'named'])
  assert.not.ok((await running.readRest()).isComplete)
  assert.is((await bob.get(path)).status, 404)
  const adas = await tokenOf(owner, shareId, 'Ada@example.org')
  assert.is((await ada.get(`/api/shares/${adas}/download`)).status, 200)
  await owner.patch(`/api/shares/${shareId}`, { audience: 'anyone' })
  assert.is((await bob.get(path)).status, 200)
  assert.is((await ada.get(`/api/shares/${adas}/download`)).status, 200, 'links that were sent')
})

links('should follow the recipients of the share, and revoke who is removed', async () => {
  const { shareId, adas, bobs } = await makeShare()
  const save = (json: object) => owner.patch(`/api/shares/${shareId}`, json)
  const live = async () =>
    (await listPeople(owner, shareId))
      .filter(({ revoked_at: end }) => end === null)
      .map(({ email, name }) => email || name)
  const add = (json: object) => owner.post(`/api/shares/${shareId}/people`, json)
  await save({ recipients: 'ADA@example.org, carl@example.org' })
  assert.equal(await live(), ['Ada@example.org', 'carl@example.org'])
  assert.is((await ada.get(`/s/${adas}`)).status, 200)
  assert.is((await bob.get(`/s/${bobs}`)).status, 404)
  const eve = (await add({ name: 'Eve' })).json()
  assert.equal([eve.email, eve.name, 'mail' in eve], ['', 'Eve', false])
  const [adasLink] = await listPeople(owner, shareId)
  await owner.delete(`/api/shares/${shareId}/people/${adasLink!.id}`)
  // Saving the same list again gives a revoked person no new link; naming them again does.
  await save({ recipients: 'ada@example.org, carl@example.org', name: 'Other' })
  assert.equal(await live(), ['carl@example.org', 'Eve'])
  assert.is((await add({ email: 'ada@example.org', name: 'Ada' })).json().mail, 'not configured')
  assert.equal(await live(), ['ada@example.org', 'carl@example.org', 'Eve'])
  assert.is.not(await tokenOf(owner, shareId, 'ada@example.org'), adas)
  for (const [json, status] of [
    [{ email: 'CARL@example.org' }, 409],
    [{}, 400],
    [{ email: ' ', name: '\u200b \u3164' }, 400],
    [{ email: 'a@example.org, b@example.org' }, 400],
    [{ email: 'nobody' }, 400],
  ] as const) {
    assert.is((await add(json)).status, status, JSON.stringify(json))
  }
  assert.is((await save({ recipientProof: 'account' })).json().field, 'recipientProof')
  const many = Array.from({ length: 100 }, (_, n) => `p${n}@example.org`).join()
  assert.equal((await save({ recipients: many })).json().field, 'recipients')
  const above = { audience: 'named', recipients: `${many},p100@example.org` }
  assert.is((await owner.post('/api/shares/init', above)).json().field, 'recipients')
  const open = await owner.share({ a: 'a' })
  assert.is((await owner.post(`/api/shares/${open}/people`, { name: 'Eve' })).status, 409)
})

for (const [when, saves] of [
  ['before', [{ audience: 'anyone' }, { recipients: 'ada@example.org' }, { audience: 'named' }]],
  ['as', [{ audience: 'anyone' }, { audience: 'named', recipients: 'ada@example.org' }]],
] as const) {
  links(`should revoke who is removed ${when} a public share names people again`, async () => {
    const { shareId, adas, bobs } = await makeShare()
    const save = (json: object) => owner.patch(`/api/shares/${shareId}`, json)
    await owner.post(`/api/shares/${shareId}/people`, { email: 'eve@example.org' })
    const eves = await tokenOf(owner, shareId, 'eve@example.org')
    for (const json of saves) assert.is((await save(json)).status, 200)
    const statuses = async () => {
      const answers = await Promise.all([adas, bobs, eves].map((name) => bob.get(`/s/${name}`)))
      return answers.map(({ status }) => status)
    }
    assert.equal(await statuses(), [200, 404, 200])
    await save({ audience: 'anyone' })
    await save({ recipients })
    await save({ audience: 'named' })
    assert.equal(await statuses(), [200, 404, 200])
    assert.ok(await tokenOf(owner, shareId, 'bob@example.org'), 'who is named again')
  })
}

links('should show links to their owner alone, and end with the share', async () => {
  const { shareId, adas } = await makeShare()
  const other = await service.user(`other-${service.clock.now()}@example.org`)
  const [adasLink] = await listPeople(owner, shareId)
  const path = `/api/shares/${shareId}/people`
  assert.is((await other.delete(`${path}/${adasLink!.id}`)).status, 404)
  await owner.post(`/api/shares/${shareId}/stop`)
  assert.is((await ada.get(`/api/public/shares/${adas}`)).status, 410)
  assert.is((await owner.post(path, { name: 'Eve' })).status, 410)
  assert.is((await listPeople(owner, shareId)).length, 2)
  await owner.delete(`/api/shares/${shareId}`)
  assert.is((await ada.get(`/api/public/shares/${adas}`)).status, 404)
  const left = await service.database.sql`select 1 from personal_links where token = ${adas}`
  assert.is(left.length, 0)
})
