import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, okay, type Answer, type Client } from '../../helpers/client.ts'
import { startService } from '../../helpers/service.ts'
import { startMailServer, useMailServer } from '../../email/mail-server.ts'
import { listPeople, tokenOf } from './scene.ts'

const proof = suite('shares: proof of personal links')
const minuteMs = 60_000

let owner: Client
let ada: Client

const service = await startService({ env: { TRUST_PROXY: '127.0.0.1' } })
const server = await startMailServer()
await useMailServer(await service.admin(), server.port)
proof.before.each(async () => {
  ada = service.client()
  // Limits of earlier tests are over.
  service.clock.advance(60 * minuteMs)
  server.received.length = 0
  owner = await service.admin()
})

const recipients = 'ada@example.org, bob@example.org'
const idle = () => service.app.services.emails.idle()

async function makeShare(input: object) {
  const shareId = await owner.share(
    { 'secret.txt': 'x' },
    { audience: 'named', recipients, ...input },
  )
  await idle()
  return {
    shareId,
    adas: await tokenOf(owner, shareId, 'ada@example.org'),
    bobs: await tokenOf(owner, shareId, 'bob@example.org'),
  }
}

const send = (client: Client, name: string, headers: Record<string, string> = {}) =>
  client.post(`/api/shares/${name}/code`, undefined, headers)
const enter = (client: Client, name: string, code: string) =>
  client.post(`/api/shares/${name}/code/verify`, { code })
const fileOf = (client: Client, name: string) => client.get(`/api/shares/${name}/download`)

/** The code that was emailed last. */
async function sentCode(): Promise<string> {
  await idle()
  return /\d{6}/.exec(server.received.at(-1)!.headers['subject']!)![0]
}

const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

proof('should open a link with the code that is emailed to its person', async () => {
  const { shareId, adas, bobs } = await makeShare({ recipientProof: 'code', name: 'Plans' })
  assert.equal(server.recipients(), ['ada@example.org', 'bob@example.org'])
  for (const { to, text } of server.received) {
    const [own, others] = to[0] === 'ada@example.org' ? [adas, bobs] : [bobs, adas]
    assert.match(text, `http://transfer.test/s/${own}`)
    assert.not.match(text, new RegExp(`${others}|${shareId}`))
  }
  for (const path of [`/s/${adas}/download`, `/api/shares/${adas}/download`]) {
    const refused = await ada.get(path)
    const { code, proof: missing, address } = refused.json()
    assert.equal([refused.status, code, missing], [401, 'proof_required', 'code'])
    assert.is(address, 'a•••@example.org')
  }
  const { name, proof: missing, files } = (await ada.get(`/api/public/shares/${adas}`)).json()
  assert.equal([name, missing, files], ['Plans', 'code', []])
  const page = (await ada.get(`/s/${adas}`)).body.toString()
  assert.match(page, 'a•••@example.org')
  assert.not.match(page, /secret\.txt|ada@/)

  assert.equal((await send(ada, adas)).json(), { success: true, address: 'a•••@example.org' })
  const code = await sentCode()
  const [email] = server.received.slice(-1)
  assert.equal([email!.to, email!.text.includes(code)], [['ada@example.org'], true])
  assert.equal((await enter(ada, adas, code)).json(), { valid: true })
  assert.is((await fileOf(ada, adas)).status, 200)
  assert.match((await ada.get(`/s/${adas}`)).body.toString(), 'secret.txt')
  // It opens no other link, and no other browser.
  assert.is((await fileOf(ada, bobs)).status, 401)
  const bob = service.client()
  assert.is((await enter(bob, adas, code)).status, 401, 'a code is good once')
  assert.is((await fileOf(bob, adas)).status, 401)
  service.clock.advance(25 * 60 * minuteMs)
  assert.is((await fileOf(ada, adas)).status, 401, 'a day later')
})

type Use = (name: string, bobs: string, shareId: string) => Promise<Answer>
const misuses: Record<string, Use> = {
  'another code': async (name) => enter(ada, name, other(await sentCode())),
  'the code of another link': async (_name, bobs) => enter(ada, bobs, await sentCode()),
  async 'a code after ten minutes'(name) {
    const code = await sentCode()
    service.clock.advance(10 * minuteMs)
    return enter(ada, name, code)
  },
  async 'a code that was replaced'(name) {
    const code = await sentCode()
    service.clock.advance(minuteMs)
    await send(ada, name)
    return enter(ada, name, code)
  },
  async 'the right code after five wrong ones'(name) {
    const code = await sentCode()
    for (let tries = 0; tries < 5; tries += 1) await enter(ada, name, other(code))
    return enter(ada, name, code)
  },
  async 'a code of before the proof was changed'(name, _bobs, shareId) {
    await enter(ada, name, await sentCode())
    for (const recipientProof of ['none', 'code']) {
      await owner.patch(`/api/shares/${shareId}`, { recipientProof })
    }
    return fileOf(ada, name)
  },
}
for (const [title, use] of Object.entries(misuses)) {
  proof(`should refuse ${title}`, async () => {
    const { shareId, adas, bobs } = await makeShare({ recipientProof: 'code' })
    await send(ada, adas)
    const answer = await use(adas, bobs, shareId)
    assert.is(answer.status, 401)
    assert.is(answer.headers['set-cookie'], undefined)
    assert.is((await fileOf(ada, adas)).status, 401)
  })
}

proof('should record wrong codes only while one could be right', async () => {
  const { shareId, adas } = await makeShare({ recipientProof: 'code' })
  await send(ada, adas)
  const code = await sentCode()
  for (let tries = 0; tries < 20; tries += 1) await enter(ada, adas, other(code))
  const { count } = await service.database.sql`
    select from audit where event = 'share.code_failed' and target_id = ${shareId}`
  assert.is(count, 5)
})

proof('should email a code after the clock was ahead', async () => {
  const { adas } = await makeShare({ recipientProof: 'code' })
  service.clock.jump(24 * 60 * minuteMs)
  assert.is((await send(ada, adas)).status, 200)
  // What is sent in the wrong time would find that the next code has expired.
  await idle()
  service.clock.jump(-24 * 60 * minuteMs)
  service.clock.advance(minuteMs)
  assert.is((await send(ada, adas)).status, 200)
  assert.is((await enter(ada, adas, await sentCode())).status, 200)
})

proof('should email a code once a minute, and five an hour with a link', async () => {
  const { adas } = await makeShare({ recipientProof: 'code' })
  const statuses: number[] = []
  for (let sent = 0; sent < 6; sent += 1) {
    const ip = { 'x-forwarded-for': `192.0.${sent}.1` }
    for (let again = 0; again < 2; again += 1) statuses.push((await send(ada, adas, ip)).status)
    await idle()
    service.clock.advance(minuteMs)
  }
  const each = [200, 429]
  assert.equal(statuses, [...each, ...each, ...each, ...each, ...each, 429, 429])
  assert.is(server.received.length, 2 + 5)
})

for (const [whom, most, makeNext] of [
  ['to an address, whichever the links', 10, (n: number) => ['ada@example.org', `192.0.${n}.1`]],
  ['for a client, whichever the links', 10, (n: number) => [`p${n}@example.org`, '192.0.2.1']],
] as const) {
  proof(`should email ${most} codes an hour ${whom}`, async () => {
    const statuses: number[] = []
    for (let n = 0; n <= most; n += 1) {
      const [email, ip] = makeNext(n)
      const input = { audience: 'named', recipientProof: 'code', recipients: email! }
      const shareId = await owner.share({ a: 'a' }, input)
      const headers = { 'x-forwarded-for': ip! }
      statuses.push((await send(ada, await tokenOf(owner, shareId, email!), headers)).status)
    }
    assert.equal(statuses, [...Array<number>(most).fill(200), 429])
  })
}

proof('should email codes for one owner, whatever another one has used up', async () => {
  const other = await service.user('other@example.org')
  const input = { audience: 'named', recipientProof: 'code', recipients: 'ada@example.org' }
  for (let n = 0; n <= 10; n += 1) {
    const sender = n < 10 ? other : owner
    const name = await tokenOf(sender, await sender.share({ a: 'a' }, input), 'ada@example.org')
    assert.is((await send(ada, name, { 'x-forwarded-for': `192.0.${n}.1` })).status, 200)
  }
  await other.close()
})

proof('should keep unsent emails to people spelt otherwise, alone', async () => {
  await useMailServer(owner, 1)
  for (const [json, left] of [
    [{ recipients: 'ADA@example.org' }, { 'ADA@example.org': 'queued' }],
    [{ audience: 'named' }, { 'ada@example.org': null, 'bob@example.org': null }],
  ] as const) {
    const shareId = await owner.share({ a: 'a' }, { recipients })
    await owner.patch(`/api/shares/${shareId}`, json)
    const emails = (await owner.get(`/api/shares/${shareId}/emails`)).json<any[]>()
    assert.equal(Object.fromEntries(emails.map(({ to, status }) => [to, status])), left)
  }
  await idle()
  await useMailServer(owner, server.port)
})

proof('should take the code by the forms of the page, without a script', async () => {
  const { shareId, adas } = await makeShare({ recipientProof: 'code' })
  const submit = (path: string, body = '') => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return ada.call('POST', path, { headers, body })
  }
  const [page, form] = [`/s/${adas}`, `/s/${adas}/code`]
  const shown = async (path: string) => (await ada.get(path)).body.toString()
  assert.match(await shown(page), `<form method="post" action="${form}">`)
  assert.match(await shown(page), '<meta name="referrer" content="same-origin">')
  const outcomes = [
    [await submit(form), 'sent', `<form method="post" action="${page}"`],
    [await submit(form), 'wait', 'Too many codes'],
    [await submit(page, 'code=000000x'), 'wrong', 'The code is wrong'],
  ] as const
  for (const [{ status, headers }, outcome, words] of outcomes) {
    assert.equal([status, headers['location']], [303, `${page}?code=${outcome}`])
    assert.match(await shown(`${page}?code=${outcome}`), words)
  }
  const code = await sentCode()
  const done = await submit(page, `code=+${code.slice(0, 3)}+${code.slice(3)}`)
  assert.equal([done.status, done.headers['location']], [303, page])
  assert.match(await shown(page), 'secret.txt')
  await owner.post(`/api/shares/${shareId}/stop`)
  for (const path of [page, form]) {
    const ended = await submit(path)
    assert.equal([ended.status, ended.headers['location']], [303, page])
  }
  assert.is((await ada.get(page)).status, 410)
})

proof('should demand the password in addition to the code', async () => {
  const { shareId, adas } = await makeShare({ recipientProof: 'code', password: 'pw' })
  const verify = () => ada.post(`/api/shares/${adas}/verify`, { password: 'pw' })
  assertError(await verify(), 401, 'proof_required')
  await send(ada, adas)
  await enter(ada, adas, await sentCode())
  assert.is((await fileOf(ada, adas)).json().code, 'password_required')
  assert.is((await verify()).status, 200)
  assert.is((await fileOf(ada, adas)).status, 200)
  // Another audience ends what the password has opened, too.
  for (const audience of ['anyone', 'named']) {
    await owner.patch(`/api/shares/${shareId}`, { audience })
  }
  service.clock.advance(minuteMs)
  await send(ada, adas)
  await enter(ada, adas, await sentCode())
  assert.is((await fileOf(ada, adas)).json().code, 'password_required')
})

proof('should open a link to the account that verifiably has its address', async () => {
  const { adas } = await makeShare({ recipientProof: 'account' })
  const refusal = await fileOf(ada, adas)
  assert.equal([refusal.status, refusal.json().proof], [401, 'account'])
  assert.match((await ada.get(`/s/${adas}`)).body.toString(), `/login?next=%2Fs%2F${adas}`)
  assert.is((await send(ada, adas)).status, 404)

  const wrong = await service.user('eve@example.org')
  assert.is((await fileOf(wrong, adas)).status, 401)
  const claim = { email: 'ada@example.org', currentPassword: 'password of eve@example.org' }
  const changed = await okay(wrong.patch('/api/account', claim))
  assert.is((await fileOf(wrong, adas)).status, 401, 'an address that anyone can enter')
  // An administrator, or an emailed link, vouches for it.
  const { id } = changed.json()
  await owner.put(`/api/users/${id}`, { email: 'eve@example.org' })
  await owner.put(`/api/users/${id}`, { email: 'Ada@example.org' })
  assert.is((await fileOf(wrong, adas)).status, 200)
  // Following a link from elsewhere shows the page, and gives other sites nothing.
  const cookie = { cookie: `${wrong.sessionCookieName}=${wrong.token}`, authorization: '' }
  const from = { 'sec-fetch-site': 'cross-site' }
  const browser = service.client()
  const { cookie: session } = cookie
  const page = await browser.get(`/s/${adas}`, { cookie: session, ...from })
  assert.match(page.body.toString(), 'secret.txt')
  const path = `/api/shares/${adas}/download`
  assert.is((await browser.get(path, { cookie: session, ...from })).status, 401)
  assert.is((await browser.get(path, { cookie: session })).status, 200)
})

proof('should email a person who is named later, and resend to named people alone', async () => {
  const { shareId, adas } = await makeShare({})
  const people = `/api/shares/${shareId}/people`
  const carl = (await owner.post(people, { email: 'carl@example.org', name: 'Carl' })).json()
  assert.is(carl.mail, 'queued')
  await idle()
  assert.equal(server.received.at(-1)!.to, ['carl@example.org'])
  assert.match(server.received.at(-1)!.text, carl.url)
  const resend = (json: object) => owner.post(`/api/shares/${shareId}/resend`, json)
  assert.equal((await resend({ to: 'ADA@example.org' })).json().recipients, ['ada@example.org'])
  await idle()
  assert.match(server.received.at(-1)!.text, `/s/${adas}`)
  for (const json of [{ to: 'eve@example.org' }, { recipients: 'eve@example.org' }]) {
    assert.is((await resend(json)).status, 400)
  }
  const [adasLink] = await listPeople(owner, shareId)
  assert.is(adasLink!.mail_status, 'sent')
  await owner.delete(`${people}/${adasLink!.id}`)
  assert.is((await resend({ to: 'ada@example.org' })).status, 400)
  assert.equal((await resend({})).json().recipients, ['bob@example.org', 'carl@example.org'])
})

proof('should refuse codes where no email can be sent', async () => {
  const { shareId, adas } = await makeShare({ recipientProof: 'code' })
  await useMailServer(owner, server.port, { smtpFrom: '' })
  const form = await ada.call('POST', `/s/${adas}/code`)
  assert.is(form.headers['location'], `/s/${adas}?code=wait`)
  const input = { audience: 'named', recipientProof: 'code', recipients }
  const answer = await owner.post('/api/shares/init', input)
  assert.equal([answer.status, answer.json().field], [400, 'recipientProof'])
  const rename = await owner.patch(`/api/shares/${shareId}`, { name: 'Other' })
  assert.is(rename.status, 200, 'a share from before')
  await useMailServer(owner, server.port)
})
