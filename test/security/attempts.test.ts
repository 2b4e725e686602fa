// Attempts from many addresses at once, as F7 in docs/security.md: limited by account, link and
// network.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startMailServer, useMailServer } from '../email/mail-server.ts'
import { assertError, okay, setCookie, type Answer, type Client } from '../helpers/client.ts'
import { enableSecondFactor } from '../accounts/people.ts'
import { startService } from '../helpers/service.ts'

const service = await startService({ env: { TRUST_PROXY: 'loopback' } })
const anonymous = service.client()
const mailServer = await startMailServer()
await useMailServer(await service.admin(), mailServer.port)

let owner: Client
let email = ''
let password = ''
let people = 0

/** An account without failures, long after those of other tests. */
async function meet(): Promise<void> {
  service.clock.advance(25 * 60 * 60_000)
  people += 1
  email = `owner${people}@example.org`
  password = `password of ${email}`
  owner = await service.user(email)
  // What earlier tests have caused arrives first.
  await service.app.services.failureNotices.idle()
  await service.app.services.emails.idle()
  mailServer.received.length = 0
}
const from = (ip: string) => ({ 'x-forwarded-for': ip })
const signIn = (ip: string, word: string, address = email): Promise<Answer> =>
  service.client().post('/api/auth/login', { email: address, password: word }, from(ip))
/** One address in each of many /24s. */
const elsewhere = (index: number) => `198.${index >> 8}.${index & 255}.7`
/** Answers to so many requests at once. */
const atOnce = (length: number, send: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length }, (_, index) => send(index)))
/** Answers to so many requests, one after the other. */
async function inTurn(length: number, send: (index: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let index = 0; index < length; index += 1) answers.push(await send(index))
  return answers
}
const fail = (index: number) => signIn(elsewhere(index), 'wrong')
const subjects = async () => {
  await service.app.services.emails.idle()
  return mailServer.received.map(({ headers }) => headers['subject'])
}
const count = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length

const attempts = suite('security: attempts')
attempts.before.each(meet)

attempts('should limit passwords for one account from any number of networks', async () => {
  const answers = await atOnce(60, fail)
  assert.is(count(answers, 401), 10)
  assert.is(count(answers, 429), 50)
  const refused = answers.find(({ status }) => status === 429)!
  assertError(refused, 429, 'rate_limited')
  assert.is(refused.headers['retry-after'], '1')
  // An unknown address has to wait even with the right password: else 429 would reveal it.
  assert.is((await signIn('203.0.113.9', password)).status, 429)
  service.clock.advance(1000)
  assert.is((await signIn('203.0.113.9', password)).status, 200)
})

attempts('should answer the same for an account that does not exist', async () => {
  const answers = await inTurn(15, (index) =>
    signIn(elsewhere(index), 'wrong', 'no.such@example.org'),
  )
  assert.equal([count(answers, 401), count(answers, 429)], [10, 5])
})

attempts('should limit codes from many /64s of one /48', async () => {
  await enableSecondFactor(service, email)
  const attempt = { email, password, code: '000000' }
  const answers = await atOnce(100, (index) => {
    const ip = `2001:db8:1:${(index % 80).toString(16)}::1`
    return service.client().post('/api/auth/verify-2fa', attempt, from(ip))
  })
  const wrong = count(answers, 401)
  assert.ok(wrong <= 11, `${wrong} codes were tried`)
  assert.is(wrong + count(answers, 429), 100)
})

attempts('should limit attempts at many accounts from one wide network', async () => {
  const answers = await atOnce(90, (index) =>
    signIn(`2001:db8:2:${(index % 60).toString(16)}::1`, 'wrong', `user${index}@example.org`),
  )
  assert.is(count(answers, 401), 50)
})

attempts('should admit an owner whose address or device has signed in before', async () => {
  const home = '203.0.113.5'
  const browser = service.client()
  assert.is((await signIn(home, password)).status, 200)
  const credentials = { email, password }
  assert.is((await browser.post('/api/auth/login', credentials, from('192.0.2.77'))).status, 200)
  for (let round = 0; round < 2; round += 1) {
    await atOnce(60, fail)
    // The same networks too: a neighbour's attempts lock out no owner.
    for (let near = 10; near < 30; near += 1) await signIn(`203.0.113.${near}`, 'wrong')
    service.clock.advance(16 * 60_000)
  }
  await atOnce(60, fail)
  assert.is((await signIn('203.0.114.5', password)).status, 429)
  assert.is((await signIn(home, password)).status, 200)
  const travelling = await okay(browser.post('/api/auth/login', credentials, from('203.0.114.5')))
  assert.match(
    setCookie(travelling, 'device'),
    /^transfer_device_[\w-]{8}=[\w.-]+; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Strict$/,
  )
})

attempts('should limit attempts of a device, and trust it for one account only', async () => {
  const thief = service.client()
  await service.user('eve@example.org')
  const eve = { email: 'eve@example.org', password: 'password of eve@example.org' }
  await thief.post('/api/auth/login', eve, from('192.0.2.1'))
  await inTurn(30, fail)
  const attempt = { email, password: 'wrong' }
  assert.is((await thief.post('/api/auth/login', attempt, from('192.0.3.1'))).status, 429)

  const stolen = service.client()
  const right = { email, password }
  service.clock.advance(60_000)
  assert.is((await stolen.post('/api/auth/login', right, from('192.0.4.1'))).status, 200)
  const answers = await inTurn(40, (index) =>
    stolen.post('/api/auth/login', attempt, from(`192.1.${index}.1`)),
  )
  assert.ok(count(answers, 401) <= 21, `${count(answers, 401)} attempts`)
})

/** Requests that need the current password, and change nothing when it is right. */
const confirm = (client: Client, ip: string, currentPassword: string): Promise<Answer> => {
  const proof = { currentPassword, newPassword: password }
  return client.post('/api/account/password', proof, from(ip))
}

attempts('should count wrong passwords of a stolen session against its account', async () => {
  const answers = await inTurn(20, (index) => confirm(owner, elsewhere(index), 'wrong'))
  assert.equal([count(answers, 400), count(answers, 429)], [5, 15])
  assertError(answers[19]!, 429, 'rate_limited')
  // Five more failures delay sign-ins.
  const signIns = await inTurn(10, (index) => fail(100 + index))
  assert.equal([count(signIns, 401), count(signIns, 429)], [5, 5])
})

attempts('should let owners confirm during any number of anonymous attempts', async () => {
  const home = '203.0.113.5'
  await inTurn(10, () => signIn(home, 'wrong'))
  await atOnce(60, fail)
  await inTurn(80, (index) =>
    signIn(`203.0.113.${100 + (index % 20)}`, 'wrong', `user${index}@example.org`),
  )
  assert.is((await signIn('203.0.113.200', 'wrong', 'new@example.org')).status, 429)
  for (const ip of [home, elsewhere(7), '203.0.114.5']) {
    assertError(await confirm(owner, ip, 'wrong'), 400, 'wrong_current_password')
    assert.is((await confirm(owner, ip, password)).status, 200)
  }
})

attempts('should email the owner after ten failures, once a day', async () => {
  const failTwelveTimes = async () => {
    for (let index = 0; index < 12; index += 1) {
      await fail(index)
      service.clock.advance(6 * 60_000)
    }
    await service.app.services.failureNotices.idle()
  }
  await failTwelveTimes()
  assert.equal(await subjects(), ['Failed sign-ins to your account at Transfer'])
  const text = mailServer.received[0]!.text.replaceAll(/\s+/g, ' ')
  assert.match(text, /from IP address 198\.0\.9\.7/)
  await failTwelveTimes()
  assert.is((await subjects()).length, 1)
  service.clock.advance(25 * 60 * 60_000)
  await failTwelveTimes()
  assert.is((await subjects()).length, 2)
  assert.equal(mailServer.recipients(), [email, email])
})

attempts('should email the owner after three wrong codes with a right password', async () => {
  await enableSecondFactor(service, email)
  const attempt = { email, password, code: '000000' }
  await inTurn(3, (index) =>
    anonymous.post('/api/auth/verify-2fa', attempt, from(elsewhere(index))),
  )
  await service.app.services.failureNotices.idle()
  assert.equal(await subjects(), ['Wrong codes for your account at Transfer'])
})

const kinds = {
  share: async () => {
    const id = await owner.share({ a: 'a' }, { password: 'open sesame', name: 'Plans' })
    return [`/api/shares/${id}/verify`, 'Wrong passwords for your share “Plans”'] as const
  },
  'file request': async () => {
    const input = { name: 'Photos', password: 'open sesame' }
    const { id } = (await owner.post('/api/reverse', input)).json()
    const path = `/api/public/reverse/${id}/verify`
    return [path, 'Wrong passwords for your file request “Photos”'] as const
  },
}
for (const [kind, make] of Object.entries(kinds)) {
  attempts(`should limit passwords for one ${kind} from any number of networks`, async () => {
    const [path, subject] = await make()
    const verify = (ip: string, word: string) => anonymous.post(path, { password: word }, from(ip))
    assert.is((await verify('203.0.113.5', 'open sesame')).status, 200)
    const answers = await atOnce(120, (index) => verify(elsewhere(index), 'wrong'))
    const wrong = count(answers, 401)
    assert.ok(wrong <= 40, `${wrong} passwords were tried`)
    assert.is(wrong + count(answers, 429), 120)
    assert.is((await verify('203.0.114.5', 'open sesame')).status, 429)
    // Clients that opened it before open it again; others wait for at most a minute.
    assert.is((await verify('203.0.113.5', 'open sesame')).status, 200)
    service.clock.advance(60_000)
    assert.is((await verify('203.0.114.5', 'open sesame')).status, 200)
    await service.app.services.failureNotices.idle()
    assert.equal(await subjects(), [subject])
  })
}

attempts('should not delay a recipient because of one network that keeps guessing', async () => {
  const [path] = await kinds.share()
  const verify = (ip: string, word: string) => anonymous.post(path, { password: word }, from(ip))
  await inTurn(100, (index) => verify(`198.51.100.${index % 20}`, 'wrong'))
  assert.is((await verify('203.0.113.5', 'open sesame')).status, 200)
})

const places: readonly ((name: string) => string)[] = [
  (name) => `/s/${name}`,
  (name) => `/r/${name}`,
  (name) => `/api/public/shares/${name}`,
  (name) => `/api/public/shares/${name}/qr-code`,
  (name) => `/api/public/reverse/${name}`,
  (name) => `/api/shares/${name}/download`,
  (name) => `/api/shares/${name}/files/1`,
]

attempts('should limit misses by address on every way to a link', async () => {
  const id = await owner.share({ a: 'a' })
  await owner.patch(`/api/shares/${id}`, { slug: 'holiday' })
  const ip = from('203.0.113.5')
  assert.is((await anonymous.get('/s/holiday', ip)).status, 200)
  for (let index = 0; index < 100; index += 1) {
    const answer = await anonymous.get(places[index % places.length]!(`guess-${index}`), ip)
    assert.is(answer.status, 404)
  }
  for (const place of places) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await anonymous.call(method, place('guess'), { headers: ip })
      assert.is(answer.status, 429, place('guess'))
      assert.ok(Number(answer.headers['retry-after']) > 0)
    }
  }
  // Existing names are refused too: the answer reveals nothing.
  assert.is((await anonymous.get('/s/holiday', ip)).status, 429)
  // A name that cannot be guessed opens, for a neighbour behind the same address.
  assert.is((await anonymous.get(`/s/${id}`, ip)).status, 200)
  assert.is((await anonymous.get(`/api/shares/${id}/download`, ip)).status, 200)
  assert.is((await anonymous.get('/s/holiday', from('203.0.114.5'))).status, 200)
  service.clock.advance(15 * 60_000)
  assert.is((await anonymous.get('/s/holiday', ip)).status, 200)
})

attempts('should limit misses by wide network', async () => {
  const answers = await atOnce(400, (index) =>
    anonymous.get(`/s/guess-${index}`, from(`2001:db8:3:${(index % 80).toString(16)}::1`)),
  )
  assert.is(count(answers, 404), 300)
})

attempts('should email the owner of failures, although the clock was ahead before', async () => {
  const failTenTimes = async () => {
    for (let index = 0; index < 10; index += 1) {
      await fail(index)
      service.clock.advance(6 * 60_000)
    }
    await service.app.services.failureNotices.idle()
    return (await subjects()).length
  }
  service.clock.jump(300 * 24 * 60 * 60_000)
  assert.is(await failTenTimes(), 1)
  service.clock.jump(-300 * 24 * 60 * 60_000)
  service.clock.advance(25 * 60 * 60_000)
  assert.is(await failTenTimes(), 2)
})
