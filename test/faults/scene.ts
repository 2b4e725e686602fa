// Helpers of tests that kill processes: a service process with its embedded database, and a client
// that retries after a refusal or a broken connection, like real ones.
import * as assert from 'uvu/assert'
import { Client } from '../helpers/client.ts'
import { plantSeed } from '../helpers/seed.ts'
import {
  databaseProcesses,
  makeBallast,
  makeDataDir,
  removeDataDir,
  ServiceProcess,
  tryToSignal,
  type Environment,
} from '../helpers/service-process.ts'
import { until } from '../helpers/until.ts'

const admin = { email: 'admin@example.org', password: 'correct horse battery' }

export class FaultScene {
  readonly dataDir: string
  readonly #env: Environment
  /** The default disk and the embedded database. */
  readonly #isPlain: boolean
  readonly #processes: ServiceProcess[] = []
  service!: ServiceProcess
  sender!: Client

  /**
   * @param dataDir an existing folder instead of a new one
   * @param hasBallast whether the database keeps a real ballast, which takes time to write
   */
  constructor(env: Environment = {}, dataDir: string | null = null, hasBallast = false) {
    this.dataDir = dataDir ?? makeDataDir()
    if (!hasBallast) makeBallast(this.dataDir)
    this.#isPlain = dataDir === null && !env['DATABASE_URL']
    this.#env = {
      DATA_DIR: this.dataDir,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      RATE_LIMIT_LOGIN: 'off',
      RATE_LIMIT_DOWNLOAD: 'off',
      ...env,
    }
  }

  /** Starts the service, also after its end; the sender's session survives that. */
  async start(env: Environment = {}): Promise<void> {
    if (this.#isPlain) plantSeed(this.dataDir)
    this.service = await ServiceProcess.start({ ...this.#env, ...env })
    this.#processes.push(this.service)
    const token: string | null = this.sender?.token ?? null
    this.sender = new Client(this.service.url, token)
    if (token !== null) return
    const login = await this.sender.post('/api/auth/login', admin)
    assert.is(login.status, 200)
    this.sender.token = login.json().token
  }

  /** kill -9 of the service; its database keeps running. */
  async kill(): Promise<void> {
    this.service.child.kill('SIGKILL')
    await this.service.ended()
  }

  /** Waits until the service answers again by itself. */
  async untilReady(): Promise<void> {
    await until('the service is ready', async () => {
      return (await this.sender.get('/readyz')).status === 200
    })
  }

  /** SIGKILL of the service and of every process of its database, like a power cut. */
  async killAll(): Promise<void> {
    this.service.child.kill('SIGKILL')
    for (const pid of databaseProcesses(this.dataDir)) tryToSignal(pid, 'SIGKILL')
    await this.service.ended()
    await until('the database is gone', () => databaseProcesses(this.dataDir).length === 0)
  }

  async clear(): Promise<void> {
    await this.stop()
    await removeDataDir(this.dataDir)
  }

  /** Ends everything that was started, and keeps the folder. */
  async stop(): Promise<void> {
    for (const process of this.#processes) await process.clear()
  }
}
