// Passwords that attackers try first are refused wherever an account's password is set.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operator } from '../../../src/lib/actor.ts'
import { Passwords } from '../../../src/accounts/passwords/passwords.ts'
import { requireUncommon } from '../../../src/accounts/passwords/password-rules.ts'
import type { Answer, Client } from '../../helpers/client.ts'
import { adminPassword, startService, type Service } from '../../helpers/service.ts'
import { startMailServer, useMailServer, type MailServer } from '../../email/mail-server.ts'

const hashes = suite('password hashes')

hashes('should cost 19 MiB and two passes', async () => {
  const hash = await new Passwords().hash('a password')
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

hashes.run()

const rules = suite('password rules')
const owner = { email: 'Ada.Lovelace@example.org', appName: 'Acme Files' }

async function refusal(password: string): Promise<string> {
  try {
    await requireUncommon(password, owner)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

for (const [password, expected] of [
  ['password', /most common/],
  ['PassWord', /most common/],
  [' password ', /most common/],
  ['12345678', /most common/],
  ['qwertyuiop', /most common/],
  ['p@ssw0rd1', /most common/],
  ['        ', /single character/],
  ['aaaaaaaaaaaa', /single character/],
  ['😀😀😀😀', /single character/],
  ['ada.lovelace@example.org', /email address/],
  ['AdaLovelace', /email address/],
  ['acme-files', /name of this service/],
  ['ADA.LOVELACE@EXAMPLE.ORG', /email address/],
  ['ada.lovelace@example.org1!', /email address/],
  ['AdaLovelace2026!', /email address/],
  ['Acme Files', /name of this service/],
  ['acmefiles123', /name of this service/],
  ['!AcmeFiles!', /name of this service/],
  ['Summer2026', /season/],
  ['summer26!', /season/],
  ['Winter 2025!!', /season/],
  ['2026Autumn', /season/],
  ['Frühling2026', /season/],
  ['Printemps-2024', /season/],
  ['весна2026', /season/],
  ['ｓｕｍｍｅｒ２０２６'.normalize('NFKC'), /season/],
  ['ü'.repeat(7), /at least 8/],
] as const) {
  rules(`should refuse ${JSON.stringify(password)}`, async () => {
    assert.match(await refusal(password), expected)
  })
}
for (const password of [
  adminPassword,
  'password of ada',
  'word pass',
  'assword1 passwor',
  '😀😀😀🎈',
  'ada.lovelace@example.com',
  'ada.lovelace@example.org and more',
  'Acme Files of 1998',
  'Summers2026',
  'summer of love 1967',
  'a37482915b',
]) {
  rules(`should accept ${JSON.stringify(password)}`, async () => {
    assert.is(await refusal(password), '')
  })
}
rules.run()

// ---

const everywhere = suite('password rules: everywhere')
let service: Service
let mailServer: MailServer
let admin: Client
let ann: Client
const email = 'ann@example.org'

everywhere.before(async () => {
  service = await startService()
  mailServer = await startMailServer()
  admin = await service.admin()
  await useMailServer(admin, mailServer.port)
  ann = await service.user(email)
})
everywhere.after(async () => {
  await Promise.all([admin.close(), ann.close()])
  await service.stop()
  await mailServer.stop()
})

const tokenOf = (text: string) => /#token=([\w-]+)/.exec(text)?.[1]

let invited = 0
const ways: Record<string, (password: string) => Promise<Answer>> = {
  'a new account': (password) =>
    admin.post('/api/users', { email: 'b@example.org', name: 'B', password, is_admin: false }),
  'the own account': (newPassword) =>
    ann.post('/api/account/password', { currentPassword: `password of ${email}`, newPassword }),
  'an invitation': async (password) => {
    invited += 1
    const invitee = { email: `c${invited}@example.org`, name: 'C' }
    const { url } = (await admin.post('/api/users/invite', invitee)).json()
    return service.client().post('/api/auth/invitation/accept', { token: tokenOf(url), password })
  },
  'a reset': async (password) => {
    await service.client().post('/api/auth/password-reset/request', { email })
    await service.app.services.passwordReset.idle()
    await service.app.services.emails.idle()
    const token = tokenOf(mailServer.received.findLast(({ to }) => to[0] === email)?.text ?? '')
    return service.client().post('/api/auth/password-reset/complete', { token, password })
  },
}
for (const [way, set] of Object.entries(ways)) {
  everywhere(`should refuse a common password for ${way}`, async () => {
    for (const password of ['password', '        ', 'Transfer']) {
      const answer = await set(password)
      assert.is(answer.status, 400, `${password}: ${answer.body.toString()}`)
      const { code, field } = answer.json()
      const expected = way === 'the own account' ? 'newPassword' : 'password'
      assert.equal([code, field], ['invalid_input', expected])
    }
  })
}

everywhere('should refuse a common password on the command line', async () => {
  const { users, account } = service.app.services
  const refused = async (work: Promise<unknown>) => {
    try {
      await work
    } catch (error) {
      return (error as Error).message
    }
    return ''
  }
  const input = { email: 'd@example.org', name: 'D', password: 'password', isAdmin: false }
  assert.match(await refused(users.create(operator, input)), 'most common')
  assert.match(await refused(account.setPassword(operator, 1, 'password')), 'most common')
})

everywhere('should refuse a common password for the first account', async () => {
  const empty = await startService({ empty: true })
  const { token } = empty.app.services.setup
  const client = empty.client()
  const first = { token, email: 'first@example.org', name: 'First' }
  const answer = await client.post('/api/setup', { ...first, password: 'password' })
  assert.is(answer.status, 400)
  assert.is((await client.post('/api/setup', { ...first, password: adminPassword })).status, 200)
  await client.close()
  await empty.stop()
})
everywhere.run()
