// The dialogue with the mail server: encryption, sign-in, and its reports to administrators.
import type { SMTPServerOptions } from 'smtp-server'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Client } from '../helpers/client.ts'
import { adminEmail, startService, type Service } from '../helpers/service.ts'
import { makeCertificate } from './certificate.ts'
import { startMailServer, useMailServer, type MailServer } from './mail-server.ts'

const smtp = suite('email: SMTP')
let service: Service
let admin: Client
let server: MailServer

smtp.before(async () => {
  service = await startService()
  admin = await service.admin()
})
smtp.after(async () => {
  await admin.close()
  await service.stop()
})
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
  const answer = await admin.post('/api/admin/mail/test', body)
  assert.is(answer.status, 200, answer.body.toString())
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

smtp('should send it to another address on request', async () => {
  await test({}, {}, { to: 'ann@example.org' })
  assert.equal(server.recipients(), ['ann@example.org'])
  assert.is((await admin.post('/api/admin/mail/test', { to: 'ann' })).status, 400)
})

smtp('should sign in', async () => {
  const login = { smtpUser: 'files', smtpPassword: 'the SMTP password' }
  const { success, error } = await test(withLogin, login)
  assert.is(success, true, error)
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

smtp('should report that no server listens', async () => {
  server = await startMailServer()
  await useMailServer(admin, server.port)
  await server.stop()
  const { success, error } = (await admin.post('/api/admin/mail/test')).json()
  assert.is(success, false)
  assert.match(error, 'ECONNREFUSED')
  server = await startMailServer()
})

smtp('should answer 409 when email is not configured', async () => {
  server = await startMailServer()
  for (const missing of [{ smtpHost: '' }, { smtpFrom: '' }]) {
    await useMailServer(admin, server.port, missing)
    const answer = await admin.post('/api/admin/mail/test')
    assert.equal([answer.status, answer.json().code], [409, 'mail_not_configured'])
  }
})

smtp.run()
