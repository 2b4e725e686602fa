// Passwords that attackers try first are refused wherever an account's password is set.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf } from '../../helpers/until.ts'
import type { Answer } from '../../helpers/client.ts'
import {
  Argon2Missing,
  requireArgon2,
  Passwords,
  requireUncommon,
} from '../../../src/accounts/passwords/passwords.ts'
import { setPassword } from '../../../src/accounts/own-account/account.ts'
import { operator } from '../../../src/lib/actor.ts'
import { startMailServer, useMailServer } from '../../email/mail-server.ts'
import { adminPassword, startService } from '../../helpers/service.ts'

const hashes = suite('password hashes')

hashes('should cost 19 MiB and two passes', async () => {
  assert.match(await new Passwords().hash('a password'), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

const absent: [platform: NodeJS.Platform, arch: string, message: RegExp][] = [
  ['darwin', 'arm64', /^@node-rs\/argon2-darwin-arm64 is not installed, .*--omit=optional\.$/],
  ['linux', 'arm', /^@node-rs\/argon2-linux-arm-gnueabihf is not installed/],
  ['linux', 'riscv64', /^@node-rs\/argon2 does not run on linux-riscv64, and passwords need it\.$/],
]
for (const [platform, arch, message] of absent) {
  hashes(`should be named where it is missing: ${platform}-${arch}`, () => {
    assert.throws(
      () => requireArgon2(platform, arch),
      (error: Error) => error instanceof Argon2Missing && message.test(error.message),
    )
  })
}

const rules = suite('password rules')
const owner = { email: 'Ada.Lovelace@example.org', appName: 'Acme Files' }

const refusal = (password: string) =>
  requireUncommon(password, owner).then(
    () => '',
    (error: Error) => error.message,
  )

// oxfmt-ignore
const refused: [expected: RegExp, passwords: string[]][] = [
  [/^This password is too common\.$/, ['password', 'PassWord', ' password ', '12345678', 'qwertyuiop', 'p@ssw0rd1']],
  [/single character/, ['        ', 'aaaaaaaaaaaa', '😀😀😀😀']],
  [/email address/, [
    'ada.lovelace@example.org', 'ADA.LOVELACE@EXAMPLE.ORG', 'ada.lovelace@example.org1!',
    'AdaLovelace', 'AdaLovelace2026!',
  ]],
  [/name of this service/, ['acme-files', 'Acme Files', 'acmefiles123', '!AcmeFiles!']],
  [/season/, [
    'Summer2026', 'summer26!', 'Winter 2025!!', '2026Autumn', 'Frühling2026', 'Printemps-2024',
    'весна2026', 'ｓｕｍｍｅｒ２０２６'.normalize('NFKC'),
  ]],
  [/at least 8/, ['ü'.repeat(7)]],
]
for (const [expected, passwords] of refused) {
  for (const password of passwords) {
    rules(`should refuse ${JSON.stringify(password)}`, async () => {
      assert.match(await refusal(password), expected)
    })
  }
}

// oxfmt-ignore
const accepted = [
  adminPassword, 'password of ada', 'word pass', 'assword1 passwor', '😀😀😀🎈',
  'ada.lovelace@example.com', 'ada.lovelace@example.org and more', 'Acme Files of 1998',
  'Summers2026', 'summer of love 1967', 'a37482915b',
]
rules('should accept what is like none of these', async () => {
  for (const password of accepted) assert.is(await refusal(password), '', password)
})

const everywhere = suite('password rules: everywhere')
const email = 'ann@example.org'

const service = await startService()
const mailServer = await startMailServer()
const admin = await service.admin()
await useMailServer(admin, mailServer.port)
const ann = await service.user(email)

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
      const { code, field, reason } = answer.json()
      const expected = way === 'the own account' ? 'newPassword' : 'password'
      assert.equal([code, field, reason], ['invalid_input', expected, 'common_password'])
    }
  })
}

everywhere('should refuse a common password for the first account', async () => {
  const empty = await startService({ empty: true })
  const { token } = empty.app.services.setup
  const client = empty.client()
  const first = { token, email: 'first@example.org', name: 'First' }
  assert.is((await client.post('/api/setup', { ...first, password: 'password' })).status, 400)
  assert.is((await client.post('/api/setup', { ...first, password: adminPassword })).status, 200)
})
everywhere('should refuse a common password on the command line', async () => {
  const { services } = service.app
  const input = { email: 'd@example.org', name: 'D', password: 'password', isAdmin: false }
  for (const work of [
    services.users.create(operator, input),
    setPassword(services, operator, 1, 'password'),
  ]) {
    assert.match((await failureOf(work)).message, 'too common')
  }
})
