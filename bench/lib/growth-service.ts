// The service and its database for benches with much data, and a client that times answers.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { Agent, request } from 'undici'
import { connect, type Database } from '../../src/database/connect.ts'
import { Client } from '../../test/helpers/client.ts'
import { createTestDatabase, type TestDatabase } from '../../test/helpers/postgres.ts'
import {
  makeDataDir,
  runCommand,
  ServiceProcess,
  type Environment,
} from '../../test/helpers/service-process.ts'
import { Curves, type Growth } from './growth-table.ts'
import { median } from './measure.ts'

export const email = 'admin@example.org'
const password = 'correct horse battery'

/** Repeats a question until it has so many answers, or this time is over. */
const answersMax = 9
const answersMin = 3
const patienceMs = 3_000
const keptBytesMax = 4096

export interface Timed {
  readonly firstMs: number
  readonly wholeMs: number
  readonly bytes: number
  /** The body, unless it is long. */
  readonly text: string
}

export interface Sending {
  readonly headers?: Record<string, string>
  readonly json?: unknown
  readonly body?: Buffer
}

/** Medians of several answers. */
export type Question = Pick<Timed, 'firstMs' | 'wholeMs' | 'bytes'>

interface Place {
  readonly database: TestDatabase
  readonly dataDir: string
  readonly environment: Environment
}

export class GrowthService {
  readonly process: ServiceProcess
  readonly storageDir: string
  readonly rows: Database
  /** For commands beside the service. */
  readonly environment: Environment
  readonly #database: TestDatabase
  readonly #dataDir: string
  readonly #agent = new Agent({ connections: 1 })
  readonly #clients: Client[] = []

  private constructor(
    service: ServiceProcess,
    rows: Database,
    { database, dataDir, environment }: Place,
  ) {
    this.process = service
    this.environment = environment
    this.rows = rows
    this.#database = database
    this.#dataDir = dataDir
    this.storageDir = path.join(dataDir, 'data', 'storage')
  }

  static async start(more: Environment = {}): Promise<GrowthService> {
    const database = await createTestDatabase()
    const { socketDir, user, database: name } = database
    const rows = connect({ socketDir, user, database: name, applicationName: 'bench' })
    const dataDir = makeDataDir()
    const environment = {
      DATA_DIR: path.join(dataDir, 'data'),
      DATABASE_URL: `postgres:///${name}?host=${socketDir}&user=${user}`,
    }
    const service = await ServiceProcess.start({
      ...environment,
      ADMIN_EMAIL: email,
      ADMIN_PASSWORD: password,
      RATE_LIMIT_LOGIN: 'off',
      RATE_LIMIT_UPLOAD: 'off',
      RATE_LIMIT_DOWNLOAD: 'off',
      ...more,
    })
    return new GrowthService(service, rows, { database, dataDir, environment })
  }

  async signIn(name = email): Promise<Client> {
    const login = new Client(this.process.url)
    const answer = await login.post('/api/auth/login', { email: name, password })
    const client = new Client(this.process.url, answer.json().token)
    this.#clients.push(login, client)
    return client
  }

  /** Sends one request and reads its answer to the end. */
  async time(
    method: string,
    target: string,
    token: string | null,
    sending: Sending = {},
  ): Promise<Timed> {
    const headers: Record<string, string> = { ...sending.headers }
    if (token !== null) headers['authorization'] = `Bearer ${token}`
    if (sending.json !== undefined) headers['content-type'] = 'application/json'
    const body = sending.json === undefined ? sending.body : JSON.stringify(sending.json)
    const startedMs = performance.now()
    const answer = await request(`${this.process.url}${target}`, {
      method: method as 'GET',
      headers,
      body: body ?? null,
      dispatcher: this.#agent,
      headersTimeout: 600_000,
      bodyTimeout: 600_000,
    })
    let firstMs = 0
    let bytes = 0
    let text = ''
    for await (const data of answer.body as AsyncIterable<Buffer>) {
      if (bytes === 0) firstMs = performance.now() - startedMs
      bytes += data.length
      if (bytes <= keptBytesMax) text += data.toString()
    }
    const wholeMs = performance.now() - startedMs
    if (answer.statusCode >= 400) {
      throw new Error(`${method} ${target}: ${answer.statusCode} ${text}`)
    }
    return { firstMs, wholeMs, bytes, text }
  }

  /** Medians of the same question, asked again and again after one that is not counted. */
  async ask(target: string, token: string | null, headers = {}): Promise<Question> {
    await this.time('GET', target, token, { headers })
    return repeat(() => this.time('GET', target, token, { headers }))
  }

  /** Runs the clean-up as a command, and returns its milliseconds with those of its start. */
  async cleanUp(): Promise<number> {
    const startedMs = performance.now()
    const { code, stderr } = await runCommand(['clean-up'], this.environment)
    if (code !== 0) throw new Error(`clean-up: ${stderr}`)
    return performance.now() - startedMs
  }

  /** Lets PostgreSQL know how many rows there are now. */
  async analyze(): Promise<void> {
    await this.rows.sql`set statement_timeout = 0`
    await this.rows.sql`vacuum analyze`
  }

  async stop(): Promise<void> {
    for (const client of this.#clients) await client.close()
    await this.#agent.destroy()
    await this.process.clear()
    await this.rows.close()
    await this.#database.drop()
    rmSync(this.#dataDir, { recursive: true, force: true })
  }
}

/** Medians of repeated measurements. */
export async function repeat(measure: () => Promise<Question>): Promise<Question> {
  const answers: Question[] = []
  const startedMs = performance.now()
  while (
    answers.length < answersMin ||
    (answers.length < answersMax && performance.now() - startedMs < patienceMs)
  ) {
    answers.push(await measure())
  }
  return {
    firstMs: median(answers.map(({ firstMs }) => firstMs)),
    wholeMs: median(answers.map(({ wholeMs }) => wholeMs)),
    bytes: median(answers.map(({ bytes }) => bytes)),
  }
}

/** Measures one kind of growth at each size, after rounds that only warm up. */
export async function growEach(
  what: string,
  sizes: readonly number[],
  warmUps: readonly number[],
  growOnce: (service: GrowthService, curves: Curves, owner: Client, size: number) => Promise<void>,
): Promise<Growth> {
  const curves = new Curves()
  const service = await GrowthService.start()
  try {
    const owner = await service.signIn()
    for (const size of warmUps) await growOnce(service, new Curves(true), owner, size)
    for (const size of sizes) {
      console.log(`${size} ${what}`)
      await growOnce(service, curves, owner, size)
    }
  } finally {
    await service.stop()
  }
  return { what, sizes, curves: curves.toArray() }
}
