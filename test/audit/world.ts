// A service behind a proxy, remote clients, and every secret that was sent or received.
import { Client, type Answer, type Call } from '../helpers/client.ts'
import { operator } from '../../src/lib/actor.ts'
import { startMailServer, useMailServer } from '../email/mail-server.ts'
import { startService } from '../helpers/service.ts'
import { SmallProvider } from '../helpers/small-provider.ts'

/** The address of the clients; the proxy is on this machine. */
export const afar = '203.0.113.9'

/** Fields of requests and answers that only their sender or receiver may read. */
const secretFields = new Set([
  'accessToken',
  'clientSecret',
  'currentPassword',
  'message',
  'newPassword',
  'note',
  'password',
  'recoveryCode',
  'recoveryCodes',
  'secret',
  'smtpPassword',
  'thankYouMessage',
  'token',
  'uploadToken',
])

export interface Row {
  readonly id: number
  readonly at: string
  readonly actorKind: string
  readonly actorEmail: string
  readonly event: string
  readonly targetId: string
  readonly targetName: string
  readonly ip: string
  readonly details: Record<string, unknown>
}

export type World = Awaited<ReturnType<typeof makeWorld>>

/** A client whose requests come through the proxy; records the secrets sent and received. */
class FarClient extends Client {
  readonly #secrets: Set<string>

  constructor(url: string, token: string | null, secrets: Set<string>) {
    super(url, token)
    this.#secrets = secrets
  }

  override async call(method: string, path: string, options: Call = {}): Promise<Answer> {
    const headers = { 'x-forwarded-for': afar, ...options.headers }
    noteSecrets(options.json, this.#secrets)
    const answer = await super.call(method, path, { ...options, headers })
    const isJson = String(answer.headers['content-type']).startsWith('application/json')
    if (isJson) noteSecrets(answer.json(), this.#secrets)
    return answer
  }
}

function noteSecrets(value: unknown, secrets: Set<string>, isSecret = false): void {
  if (typeof value === 'string' && isSecret && value !== '') secrets.add(value)
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    noteSecrets(inner, secrets, isSecret || secretFields.has(key))
  }
}

export async function makeWorld() {
  // Passkeys need https or localhost.
  const BASE_URL = 'http://localhost'
  const off = { RATE_LIMIT_LOGIN: 'off', RATE_LIMIT_RESET: 'off' }
  const env = { TRUST_PROXY: 'loopback', BASE_URL, ...off }
  const service = await startService({ env, acceptsHttpProviders: true })
  const mailServer = await startMailServer()
  const provider = await new SmallProvider().start()
  const secrets = new Set<string>()
  const clients: Client[] = []
  const anonymous = (token: string | null = null): Client => {
    const client = new FarClient(service.url, token, secrets)
    clients.push(client)
    return client
  }
  const admin: Client = anonymous()
  /** Signs the administrator in again: sessions expire while the clock runs. */
  const signIn = async () => {
    const { token } = await service.admin()
    admin.token = token
  }
  await signIn()
  await useMailServer(admin, mailServer.port, { smtpPassword: 'the password of the mail server' })
  let made = 0
  return {
    service,
    mailServer,
    provider,
    admin,
    signIn,
    /** Secrets that clients have sent or received so far. */
    secrets,
    anonymous,
    async person() {
      made += 1
      const email = `person${made}@example.org`
      const password = `password of ${email}`
      const { users, auth } = service.app.services
      const account = { email, name: `Person ${made}`, password, isAdmin: false }
      const user = await users.create(operator, account)
      secrets.add(password)
      const session = await auth.startSession(user, { ip: afar, userAgent: 'test' })
      return { id: user.id, email, password, client: anonymous(session.token) }
    },
    async rows(after = 0): Promise<Row[]> {
      const rows = await service.database.sql<(Omit<Row, 'at'> & { at: Date })[]>`
        select * from audit where id > ${after} order by id`
      return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
    },
    async settle() {
      await service.app.services.passwordReset.idle()
      await service.app.services.signUp.idle()
      await service.app.services.emails.idle()
    },
  }
}

/** Tables that jobs clean up by themselves over time. */
const fading = ['api_tokens', 'emails', 'password_resets', 'segments', 'sessions']

/** Every row of every other table, as text: what an action may have changed. */
export async function dump({ service }: World, timePasses: boolean): Promise<Set<string>> {
  const { sql } = service.database
  const left = [
    'audit',
    'clock_watch',
    'job_runs',
    'traffic_days',
    'verify_runs',
    'migrations',
    ...(timePasses ? fading : []),
  ]
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables
    where schemaname = 'public' and tablename <> all(${left}::text[])`
  // Without columns that every request, and the background, writes too.
  const often = "'{last_used_at,last_seen_at,manifest_revision}'::text[]"
  const reads = tables.map(
    ({ name }) => `select '${name} ' || (to_jsonb(t) - ${often})::text as line from ${name} as t`,
  )
  const rows = await sql.unsafe<{ line: string }[]>(reads.join(' union all '))
  return new Set(rows.map(({ line }) => line))
}

/** Lines of one dump that the other lacks. */
export function missing(from: ReadonlySet<string>, other: ReadonlySet<string>): string[] {
  return [...other].filter((line) => !from.has(line))
}
