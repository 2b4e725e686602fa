// Accounts with shares in every state, for generated requests: each is created when first needed,
// and all are forgotten once a request has changed something.
import { operator } from '../../../src/lib/actor.ts'
import { hashToken, randomToken } from '../../../src/lib/random-id.ts'
import { makeApiToken } from '../../helpers/api-token.ts'
import { Client, type Answer } from '../../helpers/client.ts'
import { enableSecondFactor, totp } from '../../helpers/second-factor.ts'
import type { Service } from '../../helpers/service.ts'
import { Guest, makeLink } from '../../requests/guest.ts'
import { jpegOf, putThumbnail } from '../../shares/thumbnails/scene.ts'

/** The password of every account; its hash is computed once. */
const accountPassword = 'the password of accounts'
/** The password of every protected link. */
const linkPassword = 'the password of links'
/** A closed port: emails wait, and no attempt takes long. */
const closedPort = 9

/** The one file that every upload starts with, and its one chunk. */
const begunFile = { fileId: 'file-0', originalName: 'a.txt', size: 3 } as const
/** The list that finalizes such an upload. */
const listed = [{ ...begunFile, fileName: begunFile.originalName }]

interface Person {
  readonly id: number
  readonly email: string
  readonly name: string
  readonly token: string
  readonly client: Client
}

type Maker = (cast: Cast) => Promise<object>

export class Cast {
  readonly service: Service
  readonly #made = new Map<string, Promise<object>>()
  readonly #clients: Client[] = []
  readonly #passwordHash: string
  readonly #name: string

  constructor(service: Service, passwordHash: string, name: string) {
    this.service = service
    this.#passwordHash = passwordHash
    this.#name = name
  }

  /** A thing, or a field of it: `share.id`. */
  async get(path: string): Promise<unknown> {
    const [name = '', field] = path.split('.')
    const thing = await this.thing(name)
    if (field === undefined) return thing
    const value = (thing as Record<string, unknown>)[field]
    if (value === undefined) throw new Error(`${path} is nothing`)
    return value
  }

  thing<T extends object = any>(name: string): Promise<T> {
    const made = this.#made.get(name) ?? makers[name]!(this)
    this.#made.set(name, made)
    return made as Promise<T>
  }

  client(token: string | null = null): Client {
    const client = new Client(this.service.url, token)
    this.#clients.push(client)
    return client
  }

  /** A new account, signed in. */
  async person(part: string, isAdmin = false): Promise<Person> {
    const { sql } = this.service.database
    const name = `${part}-${this.#name}`
    const email = `${name}@example.org`
    const [row] = await sql<{ id: number }[]>`
      insert into users (email, name, password_hash, is_admin, created_at)
      values (${email}, ${name}, ${this.#passwordHash}, ${isAdmin}, now())
      returning id`
    const { users, auth } = this.service.app.services
    const account = await users.find(row!.id)
    const { token } = await auth.startSession(account, { ip: '127.0.0.1', userAgent: 'a browser' })
    return { id: row!.id, email, name, token, client: this.client(token) }
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#made.values())
    for (const client of this.#clients) await client.close()
  }
}

function expectDone(answer: Answer): any {
  if (answer.status === 200) return answer.json()
  throw new Error(`the cast: ${answer.status} ${answer.body.toString()}`)
}

/** A share with its files, as its owner sees it. */
async function shareOf(owner: Client, shareId: string): Promise<object> {
  const { files, ...share } = expectDone(await owner.get(`/api/shares/${shareId}`))
  return { ...share, fileId: files[0]?.id, fileIds: files.map(({ id }: any) => id).join(',') }
}

/** A complete share of Ann's; SQL then changes it as time would. */
function complete(input: object = {}): Maker {
  return async (cast) => {
    const { client } = await cast.thing<Person>('ann')
    const files = { 'a.txt': 'a text', 'folder/b.txt': Buffer.alloc(3000, 'b') }
    const more = { name: 'Letters', recipients: 'guest@example.org', ...input }
    return shareOf(client, await client.share(files, more))
  }
}

/** A started upload, with its token. */
function draft(input: object = {}): Maker {
  return async (cast) => {
    const { client } = await cast.thing<Person>('ann')
    const { shareId, uploadToken } = expectDone(await client.post('/api/shares/init', input))
    expectDone(await client.chunk(shareId, begunFile.fileId, 0, '123'))
    return { id: shareId, uploadToken }
  }
}

function reverse(person: string, input: object = {}): Maker {
  return async (cast) => {
    const { client } = await cast.thing<Person>(person)
    return { id: await makeLink(client, { name: 'Photos', ...input }) }
  }
}

/** A complete delivery at a link. */
function delivery(link: string): Maker {
  return async (cast) => {
    const { id } = await cast.thing(link)
    const guest = new Guest(cast.client(), id)
    const files = { 'c.txt': 'of a guest' }
    await guest.deliver(files, { senderName: 'Gus', senderEmail: 'gus@example.org' })
    const { client } = await cast.thing<Person>(link === 'bobsLink' ? 'bob' : 'ann')
    const [first] = expectDone(await client.get(`/api/reverse/${id}/deliveries`))
    const [file] = expectDone(await client.get(`/api/reverse/${id}/files`))
    return { id: first.id, fileId: file.id, uploadToken: guest.client.token }
  }
}

async function unlocked(cast: Cast, path: string): Promise<object> {
  const { accessToken } = expectDone(await cast.client().post(path, { password: linkPassword }))
  return { token: accessToken }
}

async function apiToken(cast: Cast, person: string): Promise<object> {
  const { client } = await cast.thing<Person>(person)
  return makeApiToken(client, { name: 'backup', currentPassword: accountPassword })
}

async function contact(cast: Cast, person: string): Promise<object> {
  const { client } = await cast.thing<Person>(person)
  return expectDone(await client.post('/api/account/contacts', { email: 'eve@example.org' }))
}

async function passkey(cast: Cast, person: string): Promise<object> {
  const { id: userId } = await cast.thing<Person>(person)
  const { sql } = cast.service.database
  const [row] = await sql<{ id: string }[]>`
    insert into passkeys (
      id, user_id, name, credential_id, public_key, counter, transports, user_handle, created_at
    )
    values (gen_random_uuid(), ${userId}, 'A', gen_random_uuid(), '', 0, '{}', '', now())
    returning id`
  return row!
}

/** Not the account's last way in: it has a password. */
async function identity(cast: Cast, person: string): Promise<object> {
  const { id: userId } = await cast.thing<Person>(person)
  const { sql } = cast.service.database
  const [row] = await sql<{ id: string }[]>`
    insert into oidc_identities (id, user_id, issuer, subject, name, created_at)
    values (gen_random_uuid(), ${userId}, 'https://127.0.0.1:1', gen_random_uuid(), 'A', now())
    returning id`
  return row!
}

/** A provider that does not answer, with a report that says so. */
async function provider(cast: Cast): Promise<object> {
  const { client } = await cast.thing<Person>('root')
  await cast.service.database.sql`delete from oidc_providers`
  const id = 'dead'
  const fields = { name: 'Dead', issuer: 'https://127.0.0.1:1', clientId: 'a' }
  expectDone(await client.post('/api/admin/providers', { id, ...fields }))
  expectDone(await client.post(`/api/admin/providers/${id}/test`))
  return { id }
}

async function expire(cast: Cast, table: 'shares' | 'reverse_shares', id: string): Promise<void> {
  const { sql } = cast.service.database
  await sql`update ${sql(table)} set expires_at = now() - interval '1 hour' where id = ${id}`
}

const makers: Readonly<Record<string, Maker>> = {
  words: async () => ({
    accountPassword,
    linkPassword,
    listed,
    fileId: begunFile.fileId,
    nonsense: 'no.token.at-all',
  }),
  ann: (cast) => cast.person('ann'),
  bob: (cast) => cast.person('bob'),
  root: (cast) => cast.person('root', true),
  /** An account with a second factor. */
  fay: async (cast) => {
    const person = await cast.person('fay')
    const factor = await enableSecondFactor(cast.service, person.email)
    return { ...person, code: factor.code(), recoveryCode: factor.recoveryCodes[0] }
  },
  /** An account with a second factor set up but not enabled. */
  gil: async (cast) => {
    const person = await cast.person('gil')
    const { secret } = expectDone(await person.client.post('/api/auth/2fa/setup'))
    const step = Math.floor(cast.service.clock.now() / 30_000)
    return { ...person, code: totp(fromBase32(secret), step) }
  },
  session: async (cast) => {
    const { client } = await cast.thing<Person>('ann')
    return expectDone(await client.get('/api/account/sessions'))[0]
  },
  bobsSession: async (cast) => {
    const { client } = await cast.thing<Person>('bob')
    return expectDone(await client.get('/api/account/sessions'))[0]
  },
  apiToken: (cast) => apiToken(cast, 'ann'),
  bobsApiToken: (cast) => apiToken(cast, 'bob'),
  rootsApiToken: (cast) => apiToken(cast, 'root'),
  passkey: (cast) => passkey(cast, 'ann'),
  bobsPasskey: (cast) => passkey(cast, 'bob'),
  identity: (cast) => identity(cast, 'ann'),
  bobsIdentity: (cast) => identity(cast, 'bob'),
  provider,
  contact: (cast) => contact(cast, 'ann'),
  bobsContact: (cast) => contact(cast, 'bob'),
  reset: async (cast) => {
    const { id, email } = await cast.thing<Person>('ann')
    const { sql } = cast.service.database
    const token = randomToken()
    await sql`
      insert into password_resets (token_hash, user_id, email, created_at, expires_at)
      values (${hashToken(token)}, ${id}, ${email}, now(), now() + interval '1 hour')`
    return { token }
  },
  invited: async (cast) => {
    const root = await cast.thing<Person>('root')
    const user = { email: `invited-${root.email}`, name: 'Invited' }
    const { id, url } = expectDone(await root.client.post('/api/users/invite', user))
    return { id, token: /token=(.+)/.exec(url as string)![1] }
  },
  share: complete(),
  emptied: async (cast) => {
    const { client } = await cast.thing<Person>('ann')
    const share = await client.share({ 'a.txt': 'a' })
    const { fileId } = (await shareOf(client, share)) as { fileId: number }
    expectDone(await client.delete(`/api/shares/${share}/files/${fileId}`))
    return { id: share }
  },
  locked: complete({ password: linkPassword, maxDownloads: 3 }),
  usedUp: async (cast) => {
    const share = (await complete({ maxDownloads: 1 })(cast)) as { id: string }
    await cast.service.database.sql`
      update shares set download_count = 1 where id = ${share.id}`
    return share
  },
  expired: async (cast) => {
    const share = (await complete()(cast)) as { id: string }
    await expire(cast, 'shares', share.id)
    return share
  },
  adding: async (cast) => {
    const share = (await complete()(cast)) as { id: string }
    const { client } = await cast.thing<Person>('ann')
    const begun = expectDone(await client.post(`/api/shares/${share.id}/additions`))
    expectDone(await client.chunk(share.id, begunFile.fileId, 0, '123'))
    return { ...share, uploadToken: begun.uploadToken }
  },
  slugged: async (cast) => {
    const share = (await complete()(cast)) as { id: string }
    const { client, name } = await cast.thing<Person>('ann')
    const json = { slug: `Slug-of-${name}` }
    expectDone(await client.call('PATCH', `/api/shares/${share.id}`, { json }))
    return { ...share, ...json }
  },
  draft: draft(),
  published: async (cast) => {
    const begun = (await draft({ message: 'soon' })(cast)) as { id: string }
    const { client } = await cast.thing<Person>('ann')
    const json = { published: true }
    expectDone(await client.call('PATCH', `/api/shares/${begun.id}`, { json }))
    return begun
  },
  /** A share with a thumbnail. */
  pictured: async (cast) => {
    const share = (await complete()(cast)) as { id: string }
    const { client } = await cast.thing<Person>('ann')
    expectDone(await putThumbnail(client, share.id, begunFile.fileId, jpegOf('a picture')))
    return share
  },
  bobsShare: async (cast) => {
    const { client } = await cast.thing<Person>('bob')
    return shareOf(client, await client.share({ 'b.txt': 'of Bob' }))
  },
  unlock: async (cast) => unlocked(cast, `/api/shares/${(await cast.thing('locked')).id}/verify`),
  link: reverse('ann', { allowSharing: true }),
  lockedLink: reverse('ann', { password: linkPassword, maxSize: 100_000 }),
  expiredLink: async (cast) => {
    const link = (await reverse('ann')(cast)) as { id: string }
    await expire(cast, 'reverse_shares', link.id)
    return link
  },
  bobsLink: reverse('bob'),
  reverseUnlock: async (cast) =>
    unlocked(cast, `/api/public/reverse/${(await cast.thing('lockedLink')).id}/verify`),
  delivery: delivery('link'),
  bobsDelivery: delivery('bobsLink'),
  /** An upload with a received chunk. */
  begun: async (cast) => {
    const { id } = await cast.thing('link')
    const guest = new Guest(cast.client(), id)
    expectDone(await guest.init({}))
    expectDone(await guest.chunk(begunFile.fileId, 0, '123'))
    return { uploadToken: guest.client.token }
  },
  mail: async (cast) => {
    await cast.thing('share')
    const { client } = await cast.thing<Person>('root')
    return expectDone(await client.get('/api/admin/mail?status=queued')).mails[0]
  },
}

/** The settings during every generated request. */
export async function putSettingsBack({ database, app }: Service): Promise<void> {
  const { settings } = app.services
  await database.sql`delete from settings`
  await settings.refresh()
  const smtp = { smtpHost: '127.0.0.1', smtpPort: closedPort, smtpSecurity: 'none' }
  const logo = 'data:image/png;base64,iVBORw0KGgo='
  await settings.update(operator, {
    ...smtp,
    smtpFrom: 'files@transfer.test',
    logo,
    logoDark: logo,
    groundPicture: logo,
  })
}

export async function hashOfPassword({ app, database }: Service): Promise<string> {
  const account = { email: 'hash@example.org', name: 'Hash', password: accountPassword }
  await app.services.users.create(operator, { ...account, isAdmin: false })
  const [row] = await database.sql<{ passwordHash: string }[]>`
    select password_hash from users where email = ${account.email}`
  return row!.passwordHash
}

function fromBase32(text: string): Buffer {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}
