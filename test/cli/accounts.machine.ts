// Accounts, their sessions and tokens, beside a running service, which sees changes at once.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { makeApiToken } from '../helpers/api-token.ts'
import { addSecondFactor, evilName, evilShown, Scene } from './scene.ts'

interface Context {
  scene: Scene
}

const accounts = suite<Context>('cli: accounts, beside a running service')

accounts.before(async (context) => {
  context.scene = new Scene()
  await context.scene.startService()
})
accounts.after(({ scene }) => scene.clear())

accounts('should list accounts as the API does', async ({ scene }) => {
  const answer = await (await scene.signIn()).get('/api/users')
  assert.equal(await scene.json(['users', 'list']), answer.json())
  const text = await scene.text(['users', 'list'])
  assert.match(text, /^ID +EMAIL +NAME +ROLE +STATE +LAST SIGN-IN +CREATED +USED +QUOTA\n/)
  assert.match(
    text,
    /^1 +admin@example\.org +Administrator +admin +active +\S+ +\d{4}-\d\d-\d\d +0 B +default$/m,
  )
})

accounts('should change name, address and role of an account', async ({ scene }) => {
  const { id, email } = await scene.user('before@example.org')
  const said = await scene.text([
    'users',
    'change',
    email,
    '--name',
    'Ada',
    '--email',
    'after@example.org',
    '--admin',
  ])
  assert.is(said, `user ${id} is now Ada <after@example.org> (administrator)\n`)
  const changed = await scene.json(['users', 'change', String(id), '--no-admin'])
  assert.equal([changed.name, changed.email, changed.is_admin], ['Ada', 'after@example.org', false])
  const refused = await scene.failure(['users', 'change', '1', '--no-admin'])
  assert.is(refused.code, 'last_administrator')
})

accounts('should add an account to sign in with, and never show its password', async (context) => {
  const { scene } = context
  const args = ['users', 'add', 'added@example.org', '--name', evilName, '--admin']
  const made = await scene.run(args, 'first line of input\r\nsecond\n')
  assert.is(made.code, 0)
  assert.match(made.stdout, /^created user \d+: added@example\.org \(administrator\)\n$/)
  assert.not.match(made.stdout + made.stderr, 'first line')
  const account = { email: 'added@example.org', password: 'first line of input' }
  const me = (await (await scene.signIn(account)).get('/api/account')).json()
  assert.is(me.name, evilName)
  assert.is(me.is_admin, true)
})

accounts('should refuse a wrong address and a short password', async ({ scene }) => {
  for (const [address, password, said] of [
    ['nobody', 'long enough', /^email: must be an email address/],
    ['b@example.org', '', /^password: /],
  ] as const) {
    const failure = await scene.failure(['users', 'add', address], password)
    assert.is(failure.code, 'invalid_input')
    assert.match(failure.error, said)
  }
})

accounts('should invite with a link that works once, and again with another', async ({ scene }) => {
  const email = 'invited@example.org'
  const old = (await scene.json(['users', 'invite', email, '--name', 'Inga'])) as {
    url: string
    mailed: boolean
  }
  assert.is(old.mailed, false)
  assert.match(await scene.text(['users', 'list']), /invited@example\.org +Inga +user +invited +-/)
  const refused = await scene.failure(['users', 'invite', email, '--admin'])
  assert.match(refused.error, 'its name and rights')
  const said = await scene.text(['users', 'invite', 'INVITED@example.org'])
  assert.match(
    said,
    /^invited INVITED@example\.org: this link sets the password once and expires at /,
  )
  const accept = (link: string) => {
    const [, token] = /#token=(\S+)/.exec(link)!
    const body = { token, password: 'one of my own' }
    return scene.client().post('/api/auth/invitation/accept', body)
  }
  assert.is((await accept(old.url)).status, 403)
  assert.is((await accept(said)).status, 200)
})

accounts('should set the quota of an account, and remove it', async ({ scene }) => {
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
  assert.is(await quota(), 1_500_000_000)
})

accounts('should set a password, and end sessions and API tokens', async ({ scene }) => {
  const { id, email, client } = await scene.user('passwd@example.org')
  const { token } = await makeApiToken(client)
  const program = scene.client(token)
  assert.is((await program.get('/api/shares')).status, 200)

  const said = await scene.text(['users', 'passwd', String(id)], 'another password\n')
  assert.not.match(said, 'another')
  for (const ended of [client, program]) assert.is((await ended.get('/api/shares')).status, 401)
  const old = { email, password: `password of ${email}` }
  assert.is((await scene.client().post('/api/auth/login', old)).status, 401)
  await scene.signIn({ email, password: 'another password' })
})

accounts('should disable an account at once, by its address in any case', async ({ scene }) => {
  const { email, client } = await scene.user('disabled@example.org')
  assert.is((await scene.json(['users', 'disable', 'Disabled@Example.org'])).disabled, true)
  assert.is((await client.get('/api/account')).status, 401)
  assert.match(await scene.text(['users', 'list']), /disabled@example\.org .* disabled +\d{4}/)
  assert.is((await scene.json(['users', 'enable', email])).disabled, false)
  await scene.signIn({ email, password: `password of ${email}` })
})

accounts('should remove a second factor, and say when there was none', async ({ scene }) => {
  const account = { email: 'factor@example.org', password: 'password of factor@example.org' }
  const { email, client } = await scene.user(account.email)
  assert.match(await scene.text(['users', 'reset-2fa', email]), 'has no second factor')
  await addSecondFactor(client, account.password)
  assert.equal(await scene.json(['users', 'reset-2fa', email]), { success: true })
  assert.is((await client.get('/api/account')).status, 401)
  await scene.signIn(account)
})

accounts('should end only sessions, and print their number', async ({ scene }) => {
  const { email, client } = await scene.user('sessions@example.org')
  const other = await scene.signIn({ email, password: `password of ${email}` })
  const { token } = await makeApiToken(client)
  assert.equal(await scene.json(['sessions', 'end', email]), { success: true, ended: 2 })
  for (const ended of [client, other]) assert.is((await ended.get('/api/account')).status, 401)
  assert.is((await scene.client(token).get('/api/shares')).status, 200)
  assert.is(await scene.text(['sessions', 'end', email]), `ended 0 sessions of ${email}\n`)
})

accounts('should list and revoke API tokens, and never show one', async ({ scene }) => {
  const { id, email, client } = await scene.user('tokens@example.org')
  const made = await makeApiToken(client, { name: evilName })
  const kept = await makeApiToken(client, { name: 'kept' })
  const mine = (await client.get('/api/tokens')).json()
  const owner = { id, email }
  assert.equal(
    await scene.json(['tokens', 'list', email]),
    mine.map((token: object) => ({ ...token, owner })),
  )
  assert.ok((await scene.json(['tokens', 'list'])).length > mine.length, 'those of all accounts')
  const text = await scene.text(['tokens', 'list', String(id)])
  assert.match(text, evilShown)
  assert.match(text, made.id)
  assert.not.match(text, made.token)

  const unknown = '00000000-0000-4000-8000-000000000000'
  const args = ['tokens', 'revoke', made.id, unknown, 'no-uuid', '--json']
  const { code, stdout, stderr } = await scene.run(args)
  assert.is(code, 1)
  assert.is(stderr, '')
  assert.equal(JSON.parse(stdout), [
    { id: made.id, deleted: true },
    { id: unknown, deleted: false },
    { id: 'no-uuid', deleted: false },
  ])
  assert.is((await scene.client(made.token).get('/api/shares')).status, 401)
  assert.is((await scene.client(kept.token).get('/api/shares')).status, 200)
})

accounts('should not find unknown accounts, whatever the word is', async ({ scene }) => {
  for (const [verb, word] of [
    ['passwd', 'nobody@example.org'],
    ['disable', '99999999999'],
    ['reset-2fa', "' or 1=1"],
  ] as const) {
    const failure = await scene.failure(['users', verb, word], 'long enough')
    assert.equal(failure, { error: `There is no account "${word}".`, code: 'not_found' })
  }
})
