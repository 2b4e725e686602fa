import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findSecretName } from '../../src/settings/settings.ts'
import { startService } from '../helpers/service.ts'

const names = suite('settings: other names')

const service = await startService()
const admin = await service.admin()

const put = (json: unknown) => admin.put('/api/config', json)
const config = async () => (await admin.get('/api/config')).json()
const storedKeys = async () =>
  (await service.database.sql<{ key: string }[]>`select key from settings`).map(({ key }) => key)

for (const [name, value, key, shown] of [
  ['smtpPass', 'hunter2 hunter2', 'smtpPassword', '********'],
  ['smtp_password', 'hunter2 hunter2', 'smtpPassword', '********'],
  ['SMTP_PASS', 'hunter2 hunter2', 'smtpPassword', '********'],
  ['smtpUsername', 'files', 'smtpUser', 'files'],
  ['smtpSecure', true, 'smtpSecurity', 'tls'],
  ['smtpSecure', false, 'smtpSecurity', 'starttls'],
  ['blockedExtensionsUser', ['.EXE', 'bat'], 'blockedExtensions', ['exe', 'bat']],
  ['blockedExtensionsGuest', ['js'], 'blockedExtensionsGuests', ['js']],
  ['shareIdLength', 30, 'linkIdLength', 30],
  ['serverTimezone', 'Europe/Berlin', 'timeZone', 'Europe/Berlin'],
  ['timezone', 'Europe/Rome', 'timeZone', 'Europe/Rome'],
  ['link_previews', false, 'linkPreviews', false],
  ['app.name', 'Files', 'appName', 'Files'],
] as const) {
  names(`should take ${name} = ${JSON.stringify(value)} for ${key}`, async () => {
    const before = await config()
    const answer = await put({ [name]: value })
    assert.equal([answer.status, answer.json()], [200, { success: true, unknownKeys: [] }])
    const after = await config()
    assert.equal([after[key], after[name]], [shown, undefined])
    assert.is((await storedKeys()).includes(name), false)
    assert.is((await put({ ...before, smtpPassword: '' })).status, 200)
  })
}

names('should refuse a wrong value under the name that was sent', async () => {
  for (const [name, value, problem] of [
    ['blockedExtensionsUser', 'exe', 'must be an array'],
    ['shareIdLength', 12, 'must be at least 22'],
    ['smtpSecure', 'tls', 'must be true or false'],
    ['require2fa', 'yes', 'must be true or false'],
  ] as const) {
    const before = await config()
    const answer = await put({ welcomeText: 'changed', [name]: value })
    assert.equal([answer.status, answer.json().field], [400, name])
    assert.is(answer.json().error, `${name}: ${problem}`)
    assert.equal(await config(), before)
  }
})

names('should refuse two names of a setting that disagree, and take two that agree', async () => {
  for (const body of [
    { blockedExtensions: [], blockedExtensionsUser: ['exe'] },
    { blockedExtensionsUser: ['exe'], blockedExtensions: ['bat'] },
    { smtpPassword: 'one secret', smtpPass: 'another' },
    { smtpPass: 'one secret', smtp_pass: 'another' },
    { smtpSecurity: 'none', smtpSecure: false },
  ]) {
    const before = await config()
    const answer = await put(body)
    assert.is(answer.status, 400, JSON.stringify(body))
    assert.match(answer.json().error, /: differs from \w+: send one of them$/)
    assert.ok(Object.keys(body).includes(answer.json().field))
    assert.equal(await config(), before)
  }
  const same = { blockedExtensions: ['exe'], blockedExtensionsUser: ['.EXE'] }
  assert.is((await put(same)).status, 200)
  assert.is((await put({ blockedExtensions: [] })).status, 200)
})

names('should keep a password beside its mask, unless a new one comes', async () => {
  const secret = () => service.app.services.settings.secret('smtpPassword')
  for (const [body, expected] of [
    [{ smtpPassword: '', smtpPass: 'first secret' }, 'first secret'],
    [{ smtpPassword: '********', smtpPass: '' }, 'first secret'],
    [{ smtpPass: '********' }, 'first secret'],
    [{ smtpPassword: '********', smtpPass: 'second secret' }, 'second secret'],
    [{ smtpPass: '' }, ''],
  ] as const) {
    assert.is((await put(body)).status, 200)
    assert.is(secret(), expected, JSON.stringify(body))
  }
})

names('should require a password again for a server that comes under another name', async () => {
  await put({ smtpHost: 'mail.example.org', smtpPass: 'hunter2 hunter2' })
  const answer = await put({ smtp_host: 'evil.example.org' })
  assert.equal([answer.status, answer.json().field], [400, 'smtpPassword'])
  await put({ smtpHost: '', smtpPass: '' })
})

names('should refuse what looks like a secret', async () => {
  const before = await config()
  for (const [key, value] of [
    ['smtpPasswd', 'hunter2'],
    ['oidc_client_secret', 'hunter2'],
    ['apiKey', 'hunter2'],
    ['telegramBotToken', 'hunter2'],
    ['pin.passcode', 1234],
    ['sso', { provider: { clientSecret: 'hunter2' } }],
    ['servers', [{ host: 'a', password: 'hunter2' }]],
  ] as const) {
    const answer = await put({ welcomeText: 'changed', [key]: value })
    assert.equal([answer.status, answer.json().field], [400, key])
    assert.match(answer.json().error, /looks like a secret, and custom values.*smtpPassword/)
    assert.not.match(answer.json().error, 'hunter2')
    assert.is((await storedKeys()).includes(key), false)
  }
  assert.equal(await config(), before)
})

names('should store what only sounds like a secret', async () => {
  for (const [key, value] of [
    ['compass', 'north'],
    ['passwordMinLength', 8],
    ['tokenLifeDays', 7],
    ['allowPassword', true],
    ['oidcSecret', ''],
    ['monkey', 'x'],
  ] as const) {
    assert.is(findSecretName(key, value), null, key)
    const answer = await put({ [key]: value })
    assert.equal([answer.status, answer.json().unknownKeys], [200, [key]])
    await put({ [key]: null })
  }
})
