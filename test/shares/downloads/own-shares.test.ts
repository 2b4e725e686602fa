import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { apiTokenOf, makeApiToken } from '../../accounts/people.ts'
import { assertError, sessionCookie } from '../../helpers/client.ts'
import { downloadCount, fileIds, startUnlimited, untilSettled } from '../../bytes/send/scene.ts'

const own = suite('downloads: own shares')

const service = await startUnlimited()
const owner = await service.user('owner@example.org')
const other = await service.user('other@example.org')
const anonymous = service.client()
const token = await apiTokenOf(service, owner)
const sendingToken = (await makeApiToken(owner, { scopes: ['send', 'manage'] })).token

/** A protected share that allows one download, and the ways to its bytes. */
async function lockedShare(): Promise<{ id: string; paths: string[] }> {
  const id = await owner.share({ 'a.txt': 'content' }, { password: 'pw', maxDownloads: 1 })
  const file = (await fileIds(service, id))['a.txt']
  const base = `/api/shares/${id}`
  return {
    id,
    paths: [`${base}/download`, `${base}/download?files=${file}`, `${base}/files/${file}`],
  }
}

const cookie = sessionCookie(owner)
for (const [way, headers] of [
  ['the token of a session', { authorization: `Bearer ${owner.token}` }],
  ['the cookie of a session', { cookie }],
  ['an API token', { authorization: `Bearer ${token.token}` }],
  ['a link of our own pages', { cookie, 'sec-fetch-site': 'same-origin' }],
] as [way: string, headers: Record<string, string>][]) {
  own(`should not count downloads of owners by ${way}, nor ask for a password`, async () => {
    const { id, paths } = await lockedShare()
    for (const path of [...paths, ...paths]) {
      const answer = await anonymous.get(path, headers)
      assert.is(answer.status, 200, path)
      assert.is(answer.headers['set-cookie'], undefined, 'no lease is needed')
      assert.is((await anonymous.get(path, { ...headers, range: 'bytes=0-2' })).status, 206)
      assert.is((await anonymous.call('HEAD', path, { headers: headers })).status, 200)
    }
    await untilSettled(service, id)
    assert.is(await downloadCount(service, id), 0)
    assert.equal((await owner.get(`/api/shares/${id}/activity`)).json(), [])
    await service.database.sql`update shares set download_count = 1 where id = ${id}`
    assert.is((await anonymous.get(paths[0]!, headers)).status, 200, 'at the download limit, too')
  })
}

for (const [who, headers] of [
  ['an API token without the scope read', { authorization: `Bearer ${sendingToken}` }],
  ['another account', { authorization: `Bearer ${other.token}` }],
  ['a wrong token beside the cookie', { cookie, authorization: 'Bearer wrong' }],
  ['a cross-site page', { cookie, 'sec-fetch-site': 'cross-site' }],
  ['a page with another Origin', { cookie, origin: 'https://evil.example' }],
] as [who: string, headers: Record<string, string>][]) {
  own(`should treat ${who} as a recipient, who needs the password and is counted`, async () => {
    const { paths } = await lockedShare()
    for (const path of paths)
      assertError(await anonymous.get(path, headers), 401, 'password_required')
    const open = await owner.share({ 'a.txt': 'content' }, { maxDownloads: 1 })
    assert.is((await anonymous.get(`/api/shares/${open}/download`, headers)).status, 200)
    assert.is(await downloadCount(service, open), 1)
    anonymous.cookies.clear()
  })
}

own('should count downloads with the token of an unlocked link', async () => {
  const { id, paths } = await lockedShare()
  const { accessToken } = (
    await anonymous.post(`/api/shares/${id}/verify`, { password: 'pw' })
  ).json()
  anonymous.cookies.clear()
  const headers = { authorization: `Bearer ${accessToken}`, cookie }
  assert.is((await anonymous.get(paths[0]!, headers)).status, 200)
  assert.is(await downloadCount(service, id), 1)
  anonymous.cookies.clear()
})
