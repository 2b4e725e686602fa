// Settings, shares and reverse shares, beside a running service.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Client } from '../helpers/client.ts'
import { until } from '../helpers/until.ts'
import { Guest, makeLink } from '../requests/guest.ts'
import { evilName, evilShown, Scene } from './scene.ts'

interface Context {
  scene: Scene
  admin: Client
}

async function setUp(context: Context): Promise<void> {
  context.scene = new Scene()
  await context.scene.startService()
  context.admin = await context.scene.signIn()
}

const settings = suite<Context>('cli: settings, beside a running service')
settings.before(setUp)
settings.after(({ scene }) => scene.clear())

settings('should show all of them as the API does', async ({ scene, admin }) => {
  const shown = (await admin.get('/api/config')).json()
  assert.equal(await scene.json(['settings', 'get']), shown)
  const text = await scene.text(['settings', 'get'])
  assert.match(text, /^smtpPort +587$/m)
  assert.match(text, /^blockedExtensions +\[\]$/m)
})

settings('should show one as its bare value, and several as a table', async ({ scene }) => {
  assert.is(await scene.text(['settings', 'get', 'smtpSecurity']), 'starttls\n')
  assert.equal(await scene.json(['settings', 'get', 'smtpPort']), { smtpPort: 587 })
  const text = await scene.text(['settings', 'get', 'smtpPort', 'require2FA'])
  assert.is(text, 'KEY         VALUE\nsmtpPort    587\nrequire2FA  false\n')
  const failure = await scene.failure(['settings', 'get', 'smtpProt'])
  assert.is(failure.code, 'not_found')
  assert.match(failure.error, 'no setting "smtpProt"')
})

settings('should set several by their types, soon seen by the service', async (context) => {
  const { scene, admin } = context
  const values = ['appName=42', 'require2FA=false', 'smtpPort=2525', 'welcomeText=a=b']
  const answer = await scene.json(['settings', 'set', ...values, 'blockedExtensions=["exe"]'])
  assert.equal(answer, { success: true, unknownKeys: [] })
  const shown = async () => (await admin.get('/api/config')).json()
  await until('the service has read them', async () => (await shown()).smtpPort === 2525)
  const { appName, require2FA, welcomeText, blockedExtensions } = await shown()
  assert.equal([appName, require2FA, welcomeText], ['42', false, 'a=b'])
  assert.equal(blockedExtensions, ['exe'])
})

settings('should read sizes with their unit', async ({ scene }) => {
  await scene.text(['settings', 'set', 'userQuota=50GB', 'maxChunkSize=2 MiB'])
  const set = await scene.json(['settings', 'get', 'userQuota', 'maxChunkSize'])
  assert.equal(set, { userQuota: 50_000_000_000, maxChunkSize: 2 * 1024 * 1024 })
  await scene.text(['settings', 'set', 'userQuota=0', 'maxChunkSize=100MiB'])
})

for (const wrong of ['userQuota=50 pounds', 'smtpPort=x', 'require2FA=yes', 'smtpPort=70000']) {
  settings(`should refuse ${wrong}, and change nothing else`, async ({ scene }) => {
    const failure = await scene.failure(['settings', 'set', 'privacyUrl=https://x.example', wrong])
    assert.is(failure.code, 'invalid_input')
    assert.match(failure.error, wrong.split('=')[0]!)
    assert.is(await scene.text(['settings', 'get', 'privacyUrl']), '\n')
  })
}

settings('should read secrets from standard input, and never show them', async ({ scene }) => {
  const secret = 'hunter2 of the mail server'
  const said = await scene.text(['settings', 'set', 'smtpPassword=-'], `${secret}\n`)
  assert.is(said, 'set smtpPassword\n')
  assert.is(await scene.text(['settings', 'get', 'smtpPassword']), '********\n')
  assert.not.match(await scene.text(['settings', 'get']), 'hunter2')
  await scene.text(['settings', 'set', 'smtpPassword=-'], '********')
  assert.is(await scene.text(['settings', 'get', 'smtpPassword']), '********\n', 'unchanged')
  await scene.text(['settings', 'set', 'smtpPassword='])
  assert.is(await scene.text(['settings', 'get', 'smtpPassword']), '\n')
})

settings('should store unknown settings only when told to', async ({ scene }) => {
  const args = ['settings', 'set', '--custom', 'theme={"dark":true}', 'note=words']
  assert.equal((await scene.json(args)).unknownKeys, ['theme', 'note'])
  assert.equal(await scene.json(['settings', 'get', 'theme', 'note']), {
    theme: { dark: true },
    note: 'words',
  })
})

// ---

const things = suite<Context>('cli: shares and reverse shares, beside a running service')
things.before(setUp)
things.after(({ scene }) => scene.clear())

things('should list the shares of all accounts as their owners see them', async (context) => {
  const { scene, admin } = context
  const { id, email, client } = await scene.user('owner@example.org')
  const complete = await client.share({ 'a.txt': 'hello' }, { name: evilName, password: 'secret' })
  const draft = await admin.init({ name: 'a draft' })

  const [own] = (await client.get('/api/shares')).json()
  const uploading = ['progress', 'receiving', 'all_received', 'published', 'last_received_at']
  for (const field of ['files', 'preview_count', ...uploading]) delete own[field]
  const all = await scene.json(['shares', 'list'])
  assert.equal(all[1], { ...own, damaged_files: 0, owner: { id, email } })
  const idsOf = async (...args: string[]) =>
    (await scene.json(['shares', 'list', ...args])).map((share: { id: string }) => share.id)
  assert.equal(await idsOf(), [draft, complete], 'newest first')
  assert.equal(await idsOf('--owner', email), [complete])
  assert.equal(await idsOf('--owner', '1', '--state', 'draft'), [draft])
  assert.equal(await idsOf('--limit', '1'), [draft])
  assert.is((await scene.failure(['shares', 'list', '--owner', 'x@y.z'])).code, 'not_found')

  const text = await scene.text(['shares', 'list'])
  assert.match(text, /^ID +STATE +SIZE +DAMAGED +EXPIRES +OWNER +NAME\n/)
  assert.match(text, evilShown)
  assert.not.match(text, /[^\P{Cc}\n]|\p{Bidi_Control}|argon2|a\.txt/u)
})

things('should delete shares of any account with their bytes', async ({ scene, admin }) => {
  const before = scene.containers()
  const { client } = await scene.user('gone@example.org')
  const mine = await admin.share({ 'a.txt': 'mine' })
  const theirs = await client.share({ 'b.txt': 'theirs' })
  const dashed = '-one-id-in-64-is-so-xy'

  const { code, stdout, stderr } = await scene.run([
    'shares',
    'delete',
    mine,
    'no-such-share',
    dashed,
    theirs,
    '../x\u001b',
    '--yes',
  ])
  assert.is(code, 1)
  assert.is(stdout, `deleted ${mine}\ndeleted ${theirs}\n`)
  assert.equal(stderr.trimEnd().split('\n'), [
    'there is no share "no-such-share"',
    'there is no share "../x\\u{1b}"',
    `there is no share "${dashed}"`,
  ])
  assert.equal(scene.containers(), before, 'the bytes are gone')
})

things('should show the audit log, filtered, the newest last', async ({ scene }) => {
  const visitor = scene.client()
  for (const password of ['wrong', 'wrong again']) {
    await visitor.post('/api/auth/login', { email: 'eve@example.org', password })
  }
  const args = ['audit', '--event', 'login.failed']
  const failed = await scene.json(args)
  assert.equal(
    failed.slice(0, 2).map((row: any) => [row.event, row.target_name, row.ip]),
    Array.from({ length: 2 }, () => ['login.failed', 'eve@example.org', '127.0.0.1']),
  )
  const lines = (await scene.text([...args, '--limit', '2'])).trimEnd().split('\n')
  assert.is(lines.length, 3)
  assert.match(lines[0]!, /^TIME +EVENT +ACTOR +TARGET +ADDRESS +DETAILS$/)
  const times = lines.slice(1).map((line) => line.slice(0, 19))
  assert.equal(times, times.toSorted())
  assert.equal(await scene.json([...args, '--since', '2999-01-01']), [])
})

things('should list and delete reverse shares with their deliveries', async ({ scene, admin }) => {
  const before = scene.containers()
  const reverseId = await makeLink(admin, { name: evilName, maxSize: 1000 })
  await new Guest(scene.client(), reverseId).deliver({ 'in.txt': 'from a guest' })
  const { id, email } = (await admin.get('/api/account')).json()
  const owner = { id, email }
  const own = (await admin.get('/api/reverse')).json()
  assert.equal(
    await scene.json(['reverse', 'list']),
    own.map((link: object) => ({ ...link, damaged_files: 0, owner })),
  )
  const text = await scene.text(['reverse', 'list', '--owner', '1'])
  assert.match(text, evilShown)
  assert.match(text, /^ID +FILES +SIZE +DAMAGED +EXPIRES +OWNER +NAME\n/)
  assert.is(scene.containers().length, before.length + 1)

  assert.equal(await scene.json(['reverse', 'delete', reverseId, '--yes']), [
    { id: reverseId, deleted: true },
  ])
  assert.equal(scene.containers(), before)
  assert.is((await scene.run(['reverse', 'delete', reverseId, '--yes'])).code, 1)
})
