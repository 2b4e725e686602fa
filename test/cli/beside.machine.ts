import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../helpers/until.ts'
import { makeApiToken } from '../accounts/people.ts'
import { Guest, makeLink, type Client } from '../helpers/client.ts'
import { addSecondFactor, evilName, evilShown, Scene } from './scene.ts'

const beside = suite<{ scene: Scene; admin: Client }>('cli: beside a running service')

beside.before(async (context) => {
  context.scene = new Scene()
  await context.scene.startService()
  context.admin = await context.scene.signIn()
})
beside.after(({ scene }) => scene.clear())

beside('should list accounts as the API does', async ({ scene, admin }) => {
  const answer = await admin.get('/api/users')
  assert.equal(await scene.json(['users', 'list']), answer.json())
  const text = await scene.text(['users', 'list'])
  assert.match(text, /^ID +EMAIL +NAME +ROLE +STATE +LAST SIGN-IN +CREATED +USED +QUOTA\n/)
  const row = /^1 +admin@example\.org +admin +admin +active +\S+ +\d{4}-\d\d-\d\d +0 B +default$/m
  assert.match(text, row)
})

beside('should add an account to sign in with, change it, and show no password', async (all) => {
  const { scene } = all
  const email = 'before@example.org'
  const args = ['users', 'add', email, '--name', evilName, '--admin']
  const made = await scene.run(args, 'first line of input\r\nsecond\n')
  assert.is(made.code, 0)
  assert.match(made.stdout, /^created user \d+: before@example\.org \(administrator\)\n$/)
  assert.not.match(made.stdout + made.stderr, 'first line')
  const client = await scene.signIn({ email, password: 'first line of input' })
  const { id, name, is_admin: isAdmin } = (await client.get('/api/account')).json()
  assert.equal([name, isAdmin], [evilName, true])

  const change = ['users', 'change', String(id)]
  const said = await scene.text([...change, '--name', 'Ada', '--email', 'after@example.org'])
  assert.is(said, `user ${id} is now Ada <after@example.org> (administrator)\n`)
  assert.is((await scene.json([...change, '--no-admin'])).is_admin, false)
  assert.is((await scene.json([...change, '--admin'])).is_admin, true)
  await scene.json([...change, '--no-admin'])
  const refused = await scene.failure(['users', 'change', '1', '--no-admin'])
  assert.is(refused.code, 'last_administrator')
})

beside('should refuse wrong input, and accounts that are unknown', async ({ scene }) => {
  for (const [words, input, code, said] of [
    [['add', 'nobody'], 'long enough', 'invalid_input', /^email: must be an email address/],
    [['add', 'b@example.org'], '', 'invalid_input', /^password: /],
    [['passwd', 'a@b.c'], 'long enough', 'not_found', 'There is no account "a@b.c".'],
    [['disable', '99999999999'], '', 'not_found', 'There is no account "99999999999".'],
    [['reset-2fa', "' or 1=1"], '', 'not_found', `There is no account "' or 1=1".`],
  ] as const) {
    const failure = await scene.failure(['users', ...words], input)
    assert.is(failure.code, code)
    assert.match(failure.error, said)
  }
})

beside('should set the quota of an account, and remove it', async ({ scene }) => {
  const { email, client } = await scene.user('quota@example.org')
  const quota = async () => (await client.get('/api/account/usage')).json().quota_bytes
  const said = await scene.text(['users', 'quota', email, '5000'])
  assert.is(said.trim(), `the quota of ${email} is 5000 bytes (5.0 kB)`)
  assert.is(await quota(), 5000)
  assert.match(await scene.text(['users', 'quota', email, 'default']), 'the setting userQuota')
  assert.is(await quota(), 0)
  await scene.text(['users', 'quota', email, '1.5GB'])
  assert.is(await quota(), 1_500_000_000)
  const { code, stderr } = await scene.run(['users', 'quota', email, '5 pounds'])
  assert.is(code, 2)
  assert.match(stderr, '"5 pounds" is no size: write 50GB, 500MiB')
})

beside('should end what lets an account in, and print how much it was', async ({ scene }) => {
  const { id, email, client } = await scene.user('ended@example.org')
  const password = `password of ${email}`
  const other = await scene.signIn({ email, password })
  const program = scene.client((await makeApiToken(client)).token)
  const refuses = async (...ended: Client[]) => {
    for (const one of ended) assert.is((await one.get('/api/shares')).status, 401)
  }
  assert.equal(await scene.json(['sessions', 'end', email]), { success: true, ended: 2 })
  await refuses(client, other)
  assert.is((await program.get('/api/shares')).status, 200)
  assert.is(await scene.text(['sessions', 'end', email]), `ended 0 sessions of ${email}\n`)

  assert.match(await scene.text(['users', 'reset-2fa', email]), 'has no second factor')
  const enrolled = await scene.signIn({ email, password })
  await addSecondFactor(enrolled, password)
  assert.equal(await scene.json(['users', 'reset-2fa', email]), { success: true })
  await refuses(enrolled)

  const last = await scene.signIn({ email, password })
  const again = scene.client((await makeApiToken(last)).token)
  const said = await scene.text(['users', 'passwd', String(id)], 'another password\n')
  assert.not.match(said, 'another')
  await refuses(last, again)
  assert.is((await scene.client().post('/api/auth/login', { email, password })).status, 401)

  const renewed = await scene.signIn({ email, password: 'another password' })
  assert.is((await scene.json(['users', 'disable', 'Ended@Example.org'])).disabled, true)
  await refuses(renewed)
  assert.match(await scene.text(['users', 'list']), /ended@example\.org .* disabled +\S+ /)
  assert.is((await scene.json(['users', 'enable', email])).disabled, false)
  await scene.signIn({ email, password: 'another password' })
})

beside('should list and revoke API tokens, and never show one', async ({ scene }) => {
  const { id, email, client } = await scene.user('tokens@example.org')
  const made = await makeApiToken(client, { name: evilName })
  const kept = await makeApiToken(client, { name: 'kept' })
  const mine = (await client.get('/api/tokens')).json()
  const owner = { id, email }
  const owned = mine.map((token: object) => ({ ...token, owner }))
  assert.equal(await scene.json(['tokens', 'list', email]), owned)
  assert.ok((await scene.json(['tokens', 'list'])).length >= mine.length, 'those of all accounts')
  const text = await scene.text(['tokens', 'list', String(id)])
  assert.match(text, evilShown)
  assert.match(text, made.id)
  assert.not.match(text, made.token)

  const unknown = '00000000-0000-4000-8000-000000000000'
  const args = ['tokens', 'revoke', made.id, unknown, 'no-uuid', '--json']
  const { code, stdout, stderr } = await scene.run(args)
  assert.equal([code, stderr], [1, ''])
  assert.equal(JSON.parse(stdout), [
    { id: made.id, deleted: true },
    { id: unknown, deleted: false },
    { id: 'no-uuid', deleted: false },
  ])
  assert.is((await scene.client(made.token).get('/api/shares')).status, 401)
  assert.is((await scene.client(kept.token).get('/api/shares')).status, 200)
})

beside('should show all settings as the API does, and one as its bare value', async (context) => {
  const { scene, admin } = context
  const shown = (await admin.get('/api/config')).json()
  assert.equal(await scene.json(['settings', 'get']), shown)
  assert.match(await scene.text(['settings', 'get']), /^blockedExtensions +\[\]$/m)
  assert.is(await scene.text(['settings', 'get', 'smtpSecurity']), 'starttls\n')
  assert.equal(await scene.json(['settings', 'get', 'smtpPort']), { smtpPort: 587 })
  const text = await scene.text(['settings', 'get', 'smtpPort', 'require2FA'])
  assert.is(text, 'KEY         VALUE\nsmtpPort    587\nrequire2FA  false\n')
  const failure = await scene.failure(['settings', 'get', 'smtpProt'])
  assert.is(failure.code, 'not_found')
  assert.match(failure.error, 'no setting "smtpProt"')
})

beside('should set several by their types, soon seen by the service', async (context) => {
  const { scene, admin } = context
  const values = ['appName=42', 'require2FA=false', 'smtpPort=2525', 'welcomeText=a=b']
  const sizes = ['userQuota=50GB', 'maxChunkSize=2 MiB', 'blockedExtensions=["exe"]']
  const answer = await scene.json(['settings', 'set', ...values, ...sizes])
  assert.equal(answer, { success: true, unknownKeys: [] })
  const shown = async () => (await admin.get('/api/config')).json()
  await until('the service has read them', async () => (await shown()).smtpPort === 2525)
  const { appName, require2FA, welcomeText, blockedExtensions, ...rest } = await shown()
  assert.equal([appName, require2FA, welcomeText], ['42', false, 'a=b'])
  assert.equal(blockedExtensions, ['exe'])
  assert.equal([rest.userQuota, rest.maxChunkSize], [50_000_000_000, 2 * 1024 * 1024])
  await scene.text(['settings', 'set', 'userQuota=0', 'maxChunkSize=100MiB'])
  const custom = ['settings', 'set', '--custom', 'theme={"dark":true}', 'note=words']
  assert.equal((await scene.json(custom)).unknownKeys, ['theme', 'note'])
  const found = await scene.json(['settings', 'get', 'theme', 'note'])
  assert.equal(found, { theme: { dark: true }, note: 'words' })
})

for (const wrong of ['userQuota=50 pounds', 'smtpPort=x', 'require2FA=yes', 'smtpPort=70000']) {
  beside(`should refuse ${wrong}, and change nothing else`, async ({ scene }) => {
    const failure = await scene.failure(['settings', 'set', 'privacyUrl=https://x.example', wrong])
    assert.is(failure.code, 'invalid_input')
    assert.match(failure.error, wrong.split('=')[0]!)
    assert.is(await scene.text(['settings', 'get', 'privacyUrl']), '\n')
  })
}

beside('should read secrets from standard input, and never show them', async ({ scene }) => {
  const secret = 'hunter2 of the mail server'
  const said = await scene.text(['settings', 'set', 'smtpPassword=-'], `${secret}\n`)
  assert.is(said, 'set smtpPassword\n')
  assert.is(await scene.text(['settings', 'get', 'smtpPassword']), '********\n')
  assert.not.match(await scene.text(['settings', 'get']), 'hunter2')
  await scene.text(['settings', 'set', 'smtpPassword=-'], '********')
  // What a password manager that failed passes on must not clear it.
  const empty = await scene.failure(['settings', 'set', 'smtpPassword=-'])
  assert.match(empty.error, 'to clear it, set smtpPassword=')
  assert.is(await scene.text(['settings', 'get', 'smtpPassword']), '********\n', 'unchanged')
  await scene.text(['settings', 'set', 'smtpPassword='])
  assert.is(await scene.text(['settings', 'get', 'smtpPassword']), '\n')
})

beside('should list the shares of all accounts as their owners see them', async (context) => {
  const { scene, admin } = context
  const { id, email, client } = await scene.user('owner@example.org')
  const complete = await client.share({ 'a.txt': 'hello' }, { name: evilName, password: 'secret' })
  const draft = await admin.init({ name: 'a draft' })

  const [own] = (await client.get('/api/shares')).json()
  const { files, preview_count: _, ...listed } = own
  const all = await scene.json(['shares', 'list'])
  const more = { file_count: files.length, damaged_files: 0, owner: { id, email } }
  assert.equal(all[1], { ...listed, ...more })
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

beside('should delete shares of any account with their bytes', async ({ scene, admin }) => {
  const before = scene.containers()
  const { client } = await scene.user('gone@example.org')
  const mine = await admin.share({ 'a.txt': 'mine' })
  const theirs = await client.share({ 'b.txt': 'theirs' })
  const dashed = '-one-id-in-64-is-so-xy'
  const ids = [mine, 'no-such-share', dashed, theirs, '../x\u001b']
  const { code, stdout, stderr } = await scene.run(['shares', 'delete', ...ids, '--yes'])
  assert.is(code, 1)
  assert.is(stdout, `deleted ${mine}\ndeleted ${theirs}\n`)
  assert.equal(stderr.trimEnd().split('\n'), [
    'there is no share "no-such-share"',
    'there is no share "../x\\u{1b}"',
    `there is no share "${dashed}"`,
  ])
  // The service may be writing the manifest of a share this young.
  await until(() => assert.equal(scene.containers(), before, 'the bytes are gone'))
})

beside('should show the audit log, filtered, the newest last', async ({ scene }) => {
  const visitor = scene.client()
  for (const password of ['wrong', 'wrong again']) {
    await visitor.post('/api/auth/login', { email: 'eve@example.org', password })
  }
  const args = ['audit', '--event', 'login.failed']
  const failed = await scene.json(args)
  for (const { event, target_name: name, ip } of failed.slice(0, 2)) {
    assert.equal([event, name, ip], ['login.failed', 'eve@example.org', '127.0.0.1'])
  }
  const lines = (await scene.text([...args, '--limit', '2'])).trimEnd().split('\n')
  assert.is(lines.length, 3)
  assert.match(lines[0]!, /^TIME +EVENT +ACTOR +TARGET +ADDRESS +DETAILS$/)
  const times = lines.slice(1).map((line) => line.slice(0, 19))
  assert.equal(times, times.toSorted())
  assert.equal(await scene.json([...args, '--since', '2999-01-01']), [])
})

beside('should list and delete reverse shares with their deliveries', async ({ scene, admin }) => {
  const before = scene.containers()
  const reverseId = await makeLink(admin, { name: evilName, maxSize: 1000 })
  await new Guest(scene.client(), reverseId).deliver({ 'in.txt': 'from a guest' })
  const { id, email } = (await admin.get('/api/account')).json()
  const owner = { id, email }
  const own = (await admin.get('/api/reverse')).json()
  const listed = own.map((link: object) => ({ ...link, damaged_files: 0, owner }))
  assert.equal(await scene.json(['reverse', 'list']), listed)
  const text = await scene.text(['reverse', 'list', '--owner', '1'])
  assert.match(text, evilShown)
  assert.match(text, /^ID +FILES +SIZE +DAMAGED +EXPIRES +OWNER +NAME\n/)
  assert.is(scene.containers().length, before.length + 1)

  const deleted = await scene.json(['reverse', 'delete', reverseId, '--yes'])
  assert.equal(deleted, [{ id: reverseId, deleted: true }])
  assert.equal(scene.containers(), before)
  assert.is((await scene.run(['reverse', 'delete', reverseId, '--yes'])).code, 1)
})
