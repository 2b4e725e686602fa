import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Client, okay, pluck, setCookie, statusesOf } from '../helpers/client.ts'
import { startService } from '../helpers/service.ts'
import { downloadCount, fileIds } from '../bytes/send/scene.ts'

const passwords = suite('shares: passwords')
const hourMs = 3_600_000

let owner: Client
let anonymous: Client
let shareId: string
let fileId: number

const service = await startService({
  env: { RATE_LIMIT_DOWNLOAD: 'off', TRUST_PROXY: '127.0.0.1' },
})
passwords.before.each(async () => {
  owner = await service.admin()
  anonymous = service.client()
  const input = { name: 'Shown', message: 'concealed words', password: 'open sesame' }
  shareId = await owner.share({ 'concealed name.txt': 'concealed content' }, input)
  fileId = (await fileIds(service, shareId))['concealed name.txt']!
})

const verify = (client: Client, id: string, password: unknown) =>
  client.post(`/api/shares/${id}/verify`, { password })
const metadata = async (client: Client, id = shareId) =>
  (await client.get(`/api/public/shares/${id}`)).json()
const isLocked = async (client: Client) => (await metadata(client)).files.length === 0

passwords('should refuse a wrong password and stay locked', async () => {
  for (const wrong of ['', 'open', 'Open sesame', 'open sesame ', 'x'.repeat(256)]) {
    const answer = await verify(anonymous, shareId, wrong)
    assert.is(answer.status, 401, JSON.stringify(wrong))
    const body = answer.json()
    assert.equal([body.code, body.valid], ['wrong_password', false])
    assert.is(answer.headers['set-cookie'], undefined)
  }
  assert.ok(await isLocked(anonymous))
})

passwords('should open with the right password, by cookie', async () => {
  const answer = await verify(anonymous, shareId, 'open sesame')
  const body = answer.json()
  assert.is(answer.status, 200)
  assert.equal([body.valid, body.message], [true, 'concealed words'])
  assert.equal(pluck<any, string>(body.files, 'original_name'), ['concealed name.txt'])
  assert.match(
    setCookie(answer, 'unlocked'),
    new RegExp(`=${shareId}~[\\w.~-]+; Path=/; Max-Age=3600; HttpOnly; SameSite=Lax$`),
  )
  assert.is(await downloadCount(service, shareId), 0)

  const shown = await metadata(anonymous)
  assert.equal([shown.message, shown.protected], ['concealed words', true])
  assert.equal(shown.files, body.files)
  assert.match((await anonymous.get(`/s/${shareId}`)).body.toString(), 'concealed name.txt')
  const file = await anonymous.get(`/api/shares/${shareId}/files/${fileId}`)
  assert.is(file.body.toString(), 'concealed content')
  assert.is((await anonymous.get(`/api/shares/${shareId}/download`)).status, 200)
})

passwords('should lock again after an hour', async () => {
  const { accessToken } = (await verify(anonymous, shareId, 'open sesame')).json()
  const bearer = new Client(service.url, accessToken)
  service.clock.advance(hourMs - 1000)
  assert.equal([await isLocked(anonymous), await isLocked(bearer)], [false, false])
  service.clock.advance(1000)
  assert.equal([await isLocked(anonymous), await isLocked(bearer)], [true, true])
  assert.is((await anonymous.get(`/api/shares/${shareId}/download`)).status, 401)
})

passwords('should open only with the token of this share', async () => {
  const otherId = await owner.share({ a: 'a' }, { password: 'open sesame' })
  const draft = (await owner.post('/api/shares/init', {})).json()
  const someone = await service.user('someone@example.org')
  const { accessToken } = (await verify(anonymous, otherId, 'open sesame')).json()
  for (const token of [accessToken, someone.token, draft.uploadToken]) {
    const client = new Client(service.url, token)
    assert.ok(await isLocked(client), token)
    assert.is((await client.get(`/api/shares/${shareId}/download`)).status, 401)
  }
})

passwords('should open a share without a password with any password', async () => {
  const openId = await owner.share({ a: 'a' }, { password: '' })
  assert.is((await metadata(anonymous, openId)).protected, false)
  const answer = await okay(verify(anonymous, openId, 'any password'))
  assert.equal([answer.json().valid, answer.json().files.length], [true, 1])
})

passwords('should allow 20 attempts per address and share, and let others go on', async () => {
  const otherId = await owner.share({ a: 'a' }, { password: 'other' })
  const attempt = (password: string, address: string, id = shareId) =>
    anonymous.post(`/api/shares/${id}/verify`, { password }, { 'x-forwarded-for': address })
  const answers = await Promise.all(Array.from({ length: 25 }, () => attempt('wrong', '192.0.2.9')))
  assert.equal(statusesOf(answers), [...Array(20).fill(401), ...Array(5).fill(429)])
  const refused = await attempt('open sesame', '192.0.2.9')
  assert.equal([refused.status, refused.json().code], [429, 'rate_limited'])
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.is((await attempt('open sesame', '192.0.2.10')).status, 200)
  assert.is((await attempt('other', '192.0.2.9', otherId)).status, 200)
  for (let turn = 0; turn < 25; turn++) {
    const { status } = await attempt('open sesame', '192.0.2.11')
    assert.is(status, 200, 'the right password costs nothing')
  }
})

passwords('should show the attempts left by any name, and with none the time to wait', async () => {
  const input = { password: 'another', slug: 'guess-me' }
  const id = await owner.share({ a: 'a' }, input)
  const link = (await owner.post('/api/reverse', input)).json().id
  for (const [kind, ...names] of [
    ['shares', id, 'guess-me', 'GUESS-me'],
    ['public/reverse', link, 'guess-me', 'GUESS-me'],
  ] as const) {
    const attempt = (password: string, name = names[0]) => {
      const headers = { 'x-forwarded-for': '192.0.2.77' }
      return anonymous.post(`/api/${kind}/${name}/verify`, { password }, headers)
    }
    for (let left = 19; left >= 0; left -= 1) {
      const { status, headers } = await attempt('wrong', names[left % 3])
      assert.equal([status, headers['ratelimit-remaining']], [401, String(left)])
      assert.is(Number(headers['retry-after'] ?? 0) > 0, left === 0)
    }
    assert.is((await attempt('another')).status, 429)
    service.clock.advance(15 * 60_000)
    const right = await attempt('another')
    assert.equal([right.status, right.headers['ratelimit-remaining']], [200, undefined])
  }
})

passwords('should take the password by the form of the page, without a script', async () => {
  const page = `/s/${shareId}`
  const form = `${page}/unlock`
  const submit = async (password: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = String(new URLSearchParams({ password }))
    const answer = await anonymous.call('POST', form, { headers, body })
    return [answer.status, answer.headers['location']]
  }
  const shown = async (path = page) => (await anonymous.get(path)).body.toString()
  assert.match(await shown(), `<form method="post" action="${form}"`)
  assert.match(await shown(), '<meta name="referrer" content="same-origin">')
  assert.equal(await submit('wrong'), [303, `${page}?code=wrong`])
  assert.match(await shown(`${page}?code=wrong`), 'Wrong password.')
  assert.match(await shown(`${page}?code=wait`), 'Too many attempts.')
  assert.not.match(await shown(), 'concealed')
  assert.equal(await submit('open sesame'), [303, page])
  assert.match(await shown(), 'concealed name.txt')
  await owner.post(`/api/shares/${shareId}/stop`)
  assert.equal(await submit('open sesame'), [303, page])
})
