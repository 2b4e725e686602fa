import type { SMTPServerOptions } from 'smtp-server'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, okay } from '../helpers/client.ts'
import { greetingName } from '../../src/email/smtp.ts'
import { adminEmail, startService } from '../helpers/service.ts'
import { makeCertificate } from './certificate.ts'
import { type MailServer, startMailServer, useMailServer } from './mail-server.ts'

const smtp = suite('email: SMTP')
let server: MailServer

const service = await startService()
const admin = await service.admin()
smtp.after.each(() => server.stop())

const withLogin: SMTPServerOptions = {
  allowInsecureAuth: true,
  authOptional: false,
  onAuth: ({ username, password }, _session, callback) => {
    const isRight = username === 'files' && password === 'the SMTP password'
    callback(isRight ? null : new Error('5.7.8 no'), isRight ? { user: username } : {})
  },
}

async function test(options: SMTPServerOptions, settings: object = {}, body: object = {}) {
  server = await startMailServer(options)
  await useMailServer(admin, server.port, { smtpUser: '', smtpPassword: '', ...settings })
  const answer = await okay(admin.post('/api/admin/mail/test', body))
  return answer.json<{ success: boolean; answer?: string; error?: string }>()
}

smtp('should send a test email to the requesting administrator, and show the answer', async () => {
  const { success, answer } = await test({})
  assert.is(success, true)
  assert.match(answer!, /^250/)
  const [mail] = server.received
  assert.equal(mail!.to, [adminEmail])
  assert.is(mail!.headers['from'], 'Transfer <files@transfer.test>')
  assert.is(mail!.headers['auto-submitted'], 'auto-generated')
  assert.match(mail!.headers['message-id']!, /^<[0-9a-f-]{36}@transfer\.test>$/)
})

for (const [smtpFrom, name] of [
  ['files@example.org', ''],
  ['Smith, Jones & Co. <files@example.org>', 'Smith, Jones & Co.'],
  ['Team: Files; <files@example.org>', 'Team: Files;'],
  ['eve@evil.example <files@example.org>', 'eve@evil.example'],
  ['A <b@c.example> D <files@example.org>', 'A <b@c.example> D'],
  ['Files (Test) "X" <files@example.org>', 'Files (Test) "X"'],
  ['"Smith, \\"J\\"" <files@example.org>', 'Smith, "J"'],
  ['Größe, 文件 <files@example.org>', 'Größe, 文件'],
] as const) {
  smtp(`should keep the sender name of ${smtpFrom}`, async () => {
    const { success, error } = await test({}, { smtpFrom })
    assert.is(success, true, error)
    const [mail] = server.received
    assert.is(mail!.from, 'files@example.org')
    const quoted = `"${name.replaceAll(/["\\]/g, '\\$&')}"`
    const forms = name === '' ? [''] : [`${name} `, `${quoted} `]
    const from = mail!.headers['from']!
    assert.ok(
      forms.some((form) => [`${form}<files@example.org>`, 'files@example.org'].includes(from)),
      from,
    )
    if (name !== '') assert.match(from, '<files@example.org>')
  })
}

smtp('should greet with the host of BASE_URL', async () => {
  await test({})
  assert.is(server.received[0]?.greeting, 'transfer.test')
  for (const [baseUrl, name] of [
    ['https://files.example.org:8443/files', 'files.example.org'],
    ['https://dateien.müller.example', 'dateien.xn--mller-kva.example'],
    ['http://192.0.2.7:8080', '[192.0.2.7]'],
    ['http://[2001:db8::7]', '[IPv6:2001:db8::7]'],
    ['http://localhost:8080', '[127.0.0.1]'],
  ] as const) {
    assert.is(greetingName(baseUrl), name)
  }
})

smtp('should know a domain in any script everywhere', async () => {
  const ascii = 'anna@xn--mller-kva.example'
  const typed = 'Anna@MÜLLER.example'
  await test({}, { smtpFrom: 'Müller <files@müller.example>' }, { to: typed })
  const [mail] = server.received
  const { to, from } = mail!.headers
  assert.equal([to, from], ['Anna@xn--mller-kva.example', 'Müller <files@xn--mller-kva.example>'])
  // This server shows envelopes in the letters of people.
  assert.equal(mail!.to, ['Anna@müller.example'])

  const password = 'long enough for it'
  const made = await admin.post('/api/users', {
    email: 'anna@müller.example',
    password,
    name: 'Anna',
  })
  assert.is(made.status, 200, made.body.toString())
  for (const email of [typed, ascii]) {
    const login = await service.client().post('/api/auth/login', { email, password })
    assert.equal([login.status, login.json().user?.email], [200, ascii])
    assert.is((await admin.post('/api/users', { email, password, name: 'Anna' })).status, 409)
  }
  await useMailServer(admin, server.port)
  server.received.length = 0
  const shareId = await admin.share({ a: 'a' }, { recipients: `${typed}, Bob <bob@büro.example>` })
  await service.app.services.emails.idle()
  assert.equal(server.recipients().toSorted(), ['Anna@müller.example', 'bob@büro.example'])
  await okay(admin.post(`/api/shares/${shareId}/resend`, { to: 'bob@büro.example' }))
  // Otherwise it meets the server of the next test.
  await service.app.services.emails.idle()
})

smtp('should sign in, and send to another address on request', async () => {
  const login = { smtpUser: 'files', smtpPassword: 'the SMTP password' }
  const { success, error } = await test(withLogin, login, { to: 'ann@example.org' })
  assert.is(success, true, error)
  assert.equal(server.recipients(), ['ann@example.org'])
})

smtp("should show the server's answer to a failed sign-in, without the password", async () => {
  const login = { smtpUser: 'files', smtpPassword: 'a wrong password' }
  const { success, error } = await test(withLogin, login)
  assert.is(success, false)
  assert.match(error!, /535/)
  const base64 = Buffer.from('\0files\0a wrong password').toString('base64')
  for (const secret of ['a wrong password', base64]) {
    assert.not.match(error!, secret)
    assert.not.match(service.logLines.join(''), secret)
  }
})

smtp('should refuse a server without STARTTLS, and send it no password', async () => {
  const login = { smtpUser: 'files', smtpPassword: 'x', smtpSecurity: 'starttls' }
  let logins = 0
  const counting: SMTPServerOptions = {
    ...withLogin,
    onAuth: (_auth, _session, callback) => {
      logins += 1
      callback(null, { user: 'files' })
    },
  }
  const { success, error } = await test(counting, login)
  assert.is(success, false)
  assert.match(error!, /STARTTLS/i)
  assert.equal([logins, server.received.length], [0, 0])
})

for (const smtpSecurity of ['starttls', 'tls']) {
  smtp(`should refuse an untrusted certificate, with ${smtpSecurity}`, async () => {
    const certificate = makeCertificate()
    server = await startMailServer()
    if (!certificate) return
    await server.stop()
    certificate.remove()
    const options = { ...withLogin, ...certificate.tls, secure: smtpSecurity === 'tls' }
    const { success, error } = await test(options, { smtpSecurity, smtpUser: 'files' })
    assert.is(success, false)
    assert.match(error!, /self-signed certificate/)
    assert.is(server.received.length, 0)
  })
}

smtp('should answer 409 when email is not configured', async () => {
  server = await startMailServer()
  for (const missing of [{ smtpHost: '' }, { smtpFrom: '' }]) {
    await useMailServer(admin, server.port, missing)
    assertError(await admin.post('/api/admin/mail/test'), 409, 'mail_not_configured')
  }
})
