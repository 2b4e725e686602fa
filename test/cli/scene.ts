// Helpers of the command tests: a data directory, calls in it, and its database.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/cli/open-database.ts'
import { loadConfig } from '../../src/config/load.ts'
import type { Database } from '../../src/database/connect.ts'
import { createLog } from '../../src/lib/log.ts'
import { Client, okay } from '../helpers/client.ts'
import { codeAt } from '../accounts/people.ts'
import type { TestDatabase } from '../helpers/postgres.ts'
import { plantSeed } from '../helpers/seed.ts'
import { makeBallast, makeDataDir, removeDataDir, runCommand } from '../helpers/service-process.ts'
import { ServiceProcess, type Ended, type Environment } from '../helpers/service-process.ts'

export const admin = { email: 'admin@example.org', password: 'correct horse battery' }
/** A name that would clear the screen, ring and turn the direction around. */
export const evilName = 'x\u001b[2J\u0007\u009b31m\u202ey'
export const evilShown = 'x\\u{1b}[2J\\u{7}\\u{9b}31m\\u{202e}y'

/** A test's database for DATABASE_URL. */
export const urlOf = ({ socketDir, user, database }: TestDatabase) =>
  `postgres://${user}@localhost/${database}?host=${encodeURIComponent(socketDir)}`

/** Returns the secret of the client's new second factor. */
export async function addSecondFactor(client: Client, currentPassword = admin.password) {
  const { secret } = (await client.post('/api/auth/2fa/setup')).json()
  const body = { currentPassword, code: codeAt(secret, Date.now()) }
  await okay(client.post('/api/auth/2fa/enable', body))
  return secret
}

export class Scene {
  readonly dataDir: string
  readonly env: Readonly<Record<string, string>>
  service: ServiceProcess | null = null

  /**
   * @param dataDir an existing folder instead of a new one
   * @param hasBallast whether the database keeps a real ballast, which takes time to write
   */
  constructor(env: Environment = {}, dataDir = makeDataDir(), hasBallast = false) {
    this.dataDir = dataDir
    this.env = { DATA_DIR: dataDir, BASE_URL: 'http://transfer.test', ...env }
    if (!hasBallast) makeBallast(dataDir)
  }

  async startService(env: Environment = {}): Promise<ServiceProcess> {
    plantSeed(this.dataDir)
    this.service = await ServiceProcess.start({
      ...this.env,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      RATE_LIMIT_LOGIN: 'off',
      ...env,
    })
    return this.service
  }

  /** Runs a command; words are separate arguments, as from a shell. */
  run(args: readonly string[], input = ''): Promise<Ended> {
    return runCommand(args, this.env, input)
  }

  async text(args: readonly string[], input = ''): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, input)
    assert.is(stderr, '', args.join(' '))
    assert.is(code, 0, args.join(' '))
    return stdout
  }

  async json<T = any>(args: readonly string[], input = ''): Promise<T> {
    const stdout = await this.text([...args, '--json'], input)
    assert.match(stdout, /^[^\n]+\n$/, 'one line')
    return JSON.parse(stdout) as T
  }

  async failure(args: readonly string[], input = ''): Promise<{ error: string; code: string }> {
    const { code, stdout, stderr } = await this.run([...args, '--json'], input)
    assert.is(stdout, '')
    const said = JSON.parse(stderr) as { error: string; code: string }
    assert.is(code, said.code === 'invalid_input' ? 2 : 1, stderr)
    assert.equal(Object.keys(said), ['error', 'code'])
    return said
  }

  client(token: string | null = null): Client {
    return new Client(this.service!.url, token)
  }

  async signIn(account: { email: string; password: string } = admin): Promise<Client> {
    const client = this.client()
    const answer = await okay(client.post('/api/auth/login', account))
    client.token = answer.json().token
    client.cookies.clear()
    return client
  }

  async user(email: string): Promise<{ id: number; email: string; client: Client }> {
    const password = `password of ${email}`
    const { id } = await this.json(['users', 'add', email], password)
    return { id, email, client: await this.signIn({ email, password }) }
  }

  /** Uses the current database: that of the service, or one started for this. */
  async database<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const log = createLog({ level: 'silent' })
    const how = { beside: true, create: false }
    const open = await openDatabase(loadConfig(this.env).config, log, how)
    try {
      return await work(open.database)
    } finally {
      await open.close()
    }
  }

  containers(): string[] {
    const folder = path.join(this.dataDir, 'storage')
    if (!existsSync(folder)) return []
    return readdirSync(folder)
      .filter((name) => name.length === 2)
      .flatMap((name) => readdirSync(path.join(folder, name)))
      .toSorted()
  }

  async clear(): Promise<void> {
    await this.service?.clear()
    await removeDataDir(this.dataDir)
  }
}
