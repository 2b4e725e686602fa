// Every audited action leaves its audit event in the same transaction, without secrets.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { events } from '../../src/audit/events.ts'
import { operations } from '../../src/routes.ts'
import { startService } from '../helpers/service.ts'
import { accountEvents, userEvents } from './account-events.ts'
import { testEvents } from './event-row.ts'
import { checkEvents, operatorEvents } from './operator-events.ts'
import { providerEvents } from './provider-events.ts'
import { guestEvents, shareEvents } from './share-events.ts'
import { afar, type World } from './world.ts'

/** Unsafe operations without an audit event, by the reason. */
const withoutRow = {
  'tested separately: it needs a service without accounts': 'setup',
  'part of an upload: covered by the audit events of its share or delivery':
    'uploadShareChunk uploadDeliveryChunk discardShareFiles putShareThumbnail uploadShareTar ' +
    'putDeliveryThumbnail ' +
    'uploadShareTarByPut uploadDeliveryTar uploadDeliveryTarByPut',
  'the same events as a share in several requests': 'sendTar sendTarByPut',
  'anyone could fill the log: a delivery or a confirmed address leaves its event':
    'initDelivery requestSignUp',
  'the form of another operation': 'requestLinkCode enterLinkCode unlockLink',
  'emails the person of the link, a few times an hour': 'sendLinkCode',
  'opens a link for an hour; attempts are limited by address':
    'verifySharePassword verifyReversePassword',
  'what an owner has seen is private': 'markDeliveriesSeen',
  'needs a proxy: tested with its events in accounts/proxy': 'signInByProxy',
  'stores and changes nothing':
    'receiveShareTarget verifySetup getPasskeyConfirmationOptions getPasskeyRegistrationOptions ' +
    'getPasskeySignInOptions startProviderSignIn linkIdentity testProvider verifyPasswordReset ' +
    'verifyInvitation verifySignUp runCheckUp sinkProbe endProbe',
  'the secret is unused until it is enabled': 'setupSecondFactor',
}
const untold = new Set(Object.values(withoutRow).flatMap((ids) => ids.split(' ')))

const rows = [...accountEvents, ...userEvents, ...providerEvents, ...operatorEvents, ...checkEvents]

/** Those of shares are recorded by share-events.test.ts. */
const isOfShares = (event: string) => /^(?:share|reverse_share|delivery)\./.test(event)

const leaving = suite('audit: events')
const { seen, world } = await testEvents(leaving, rows)

const refusals: Record<string, [status: number, run: () => ReturnType<World['admin']['call']>]> = {
  'a wrong current password, except the failure itself': [
    400,
    async () => {
      const change = { currentPassword: 'wrong', newPassword: 'long enough' }
      return (await world.person()).client.post('/api/account/password', change)
    },
  ],
  'a setting that is wrong beside one that is right': [
    400,
    () => world.admin.put('/api/config', { welcomeText: 'x', maxChunkSize: 1 }),
  ],
  'an incomplete upload': [
    400,
    async () => {
      const { client } = await world.person()
      return client.finalize(await client.init(), [{ fileId: 'f', originalName: 'a', size: 1 }])
    },
  ],
}

const others = new Set(['user.created', 'share.created', 'login.failed'])
for (const [what, [status, run]] of Object.entries(refusals)) {
  leaving(`should record nothing that was refused: ${what}`, async () => {
    const before = (await world.rows()).at(-1)?.id ?? 0
    assert.is((await run()).status, status)
    const told = (await world.rows(before)).filter(({ event }) => !others.has(event))
    assert.equal(told, [])
  })
}
leaving('should record no secrets', async () => {
  const { sql } = world.service.database
  const hashes = await sql<{ hash: string }[]>`
    select password_hash as hash from users
    union all select password_hash from shares where password_hash is not null
    union all select encode(token_hash, 'hex') from api_tokens
    union all select encode(code_hash, 'hex') from recovery_codes
    union all select encode(secret_sealed, 'hex') from second_factors
    union all select encode(secret_sealed, 'hex') from oidc_providers`
  const secrets = [...world.secrets, ...hashes.map(({ hash }) => hash), 'argon2', 'a private note']
  assert.ok(secrets.length > 100, `only ${secrets.length} secrets were used`)
  const lines = await sql<{ line: string }[]>`select audit::text as line from audit`
  assert.ok(lines.length > 100)
  const everything = lines.map(({ line }) => line).join('\n')
  for (const secret of secrets) assert.not.ok(everything.includes(secret), `tells ${secret}`)
})

leaving('should keep rows small for any values', async () => {
  const ann = await world.person()
  const keys = Array.from({ length: 90 }, (_, place) => `custom.${'x'.repeat(80)}${place}`)
  const before = (await world.rows()).at(-1)?.id ?? 0
  const json = Object.fromEntries(keys.map((key) => [key, 1]))
  assert.is((await world.admin.put('/api/config', json)).status, 200)
  const name = '😀'.repeat(100)
  await ann.client.post('/api/shares/init', { name })
  const [changed, created] = await world.rows(before)
  assert.equal(changed?.details['keys'], [...keys.slice(0, 30), 'and 60 more'])
  assert.is(created?.targetName, name)
})

const complete = suite('audit: completeness')

complete('should cover every unsafe operation by a row of the tables or a reason', () => {
  const told = new Set([...rows, ...shareEvents, ...guestEvents].map(({ id }) => id))
  for (const { id, method } of operations) {
    if (method === 'GET') continue
    const isKnown = told.has(id) || untold.has(id)
    assert.ok(isKnown, `${id}: record its event, and add it to a table of events in test/audit/`)
    assert.not.ok(told.has(id) && untold.has(id), `${id} is both`)
  }
  const ids = operations.map(({ id }) => id)
  for (const id of [...told, ...untold]) {
    assert.ok(ids.includes(id) || id === 'job' || id === 'command', `${id} is no operation`)
  }
})

complete('should record the setup with its IP address', async () => {
  const service = await startService({ empty: true, env: { TRUST_PROXY: 'loopback' } })
  const client = service.client()
  const account = { email: 'first@example.org', name: 'First', password: 'long enough' }
  const { token } = service.app.services.setup
  const headers = { 'x-forwarded-for': afar }
  assert.is((await client.post('/api/setup', { ...account, token: 'x' }, headers)).status, 403)
  assert.is((await client.post('/api/setup', { ...account, token }, headers)).status, 200)
  const { sql } = service.database
  const [found] = await sql`select event, actor_kind, target_name, ip from audit`
  const event = 'setup.completed'
  assert.equal(found, { event, actorKind: 'anonymous', targetName: account.email, ip: afar })
  seen.add(event)
})

complete('should have recorded every kind of audit event but those of shares', () => {
  const missed = events.filter((event) => !isOfShares(event) && !seen.has(event))
  assert.equal(missed, [])
})
