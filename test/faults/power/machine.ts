// A service process on a machine whose power can be cut, under traffic.
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { clusterDirOf, homeOf } from '../../../src/database/embedded/place.ts'
import { readPostmasterFile } from '../../../src/database/embedded/processes.ts'
import { connect, type Database } from '../../../src/database/connect.ts'
import { makeLink, type Client } from '../../helpers/client.ts'
import { patient } from '../../helpers/patience.ts'
import type { Seeded } from '../../helpers/seeded.ts'
import { until } from '../../helpers/until.ts'
import { FaultScene } from '../scene.ts'
import { checkAll, finishAll, type CheckOptions } from './check.ts'
import { Ledger } from './ledger.ts'
import type { MachineState } from './preload.ts'
import { assertNothingCut, assertQuiet, segmentSizes } from './traces.ts'
import { Traffic } from './traffic.ts'

/** Passes between two starts: what jobs leave for a while is due, and the clock is trusted. */
const stepMs = 50 * 60_000
const jobsFaster = 60
const acknowledgedMax = 50
const delayMsMax = 40
const patienceMs = patient(30_000)

export class Machine {
  readonly ledger = new Ledger()
  readonly scene: FaultScene
  readonly #chance: Seeded
  #bootId = randomUUID() as string
  #starts = 0
  #anonymous: Client | null = null
  #reverseId = ''

  /** @param dataDir the service's folder */
  constructor(chance: Seeded, dataDir: string) {
    this.scene = new FaultScene({ RATE_LIMIT_UPLOAD: 'off', UV_THREADPOOL_SIZE: '16' }, dataDir)
    this.#chance = chance
  }

  get storageDir(): string {
    return path.join(this.scene.dataDir, 'storage')
  }

  /** Starts the service, which must succeed, and compares it with the ledger. */
  async start({ wasCut }: { wasCut: boolean }): Promise<void> {
    if (wasCut) this.#bootId = randomUUID()
    this.#starts += 1
    const { storageDir: folder } = this
    const state: MachineState = {
      bootId: this.#bootId,
      aheadMs: this.#starts * stepMs,
      jobsFaster,
    }
    const before = segmentSizes(folder)
    await this.scene.start({
      FAULT_MACHINE: JSON.stringify(state),
      NODE_OPTIONS: `--import=${new URL('preload.js', import.meta.url).href}`,
    })
    this.#anonymous = this.scene.client()
    if (this.#reverseId === '') {
      this.#reverseId = await makeLink(this.scene.sender, { expirationVal: 0, allowSharing: true })
    }
    assertNothingCut(before, folder)
    await this.check()
  }

  async check(): Promise<void> {
    await checkAll(this.#options())
    const database = this.#connect()
    try {
      const now = () => new Date(Date.now() + this.#starts * stepMs)
      const { pid } = this.scene.service!.child
      await assertQuiet({ database, storageDir: this.storageDir, pid: pid!, now })
    } finally {
      await database.close()
    }
  }

  async finish(): Promise<void> {
    await finishAll(this.#options())
    await this.check()
  }

  /**
   * Lets clients work, and triggers the fault after some number of acknowledged chunks.
   * Their connections may break then; they are done when this resolves.
   */
  async workUntil(fault: () => Promise<void>): Promise<void> {
    const target = this.#chance.between(1, acknowledgedMax)
    const delayMs = this.#chance.between(0, delayMsMax)
    let acknowledged = 0
    const onAcknowledged = () => void (acknowledged += 1)
    const traffic = new Traffic({ ...this.#options(), onAcknowledged })
    try {
      const isEnough = () => acknowledged >= target || traffic.hasFailed
      await until('some chunks are acknowledged', isEnough, patienceMs)
      await setTimeout(delayMs)
      await fault()
    } finally {
      await traffic.stop()
    }
  }

  /** SIGKILL of PostgreSQL's first process; returns when the service has started another one. */
  async killDatabase(): Promise<void> {
    const { pid } = this.#findPostmaster()!
    process.kill(pid, 'SIGKILL')
    await until('there is another database', () => {
      const found = this.#findPostmaster()
      return found !== null && found.pid !== pid
    })
    await this.scene.untilReady()
  }

  #options(): CheckOptions {
    const [owner, anonymous, reverseId] = [this.scene.sender, this.#anonymous!, this.#reverseId]
    return { caller: { owner, anonymous, reverseId }, ledger: this.ledger, chance: this.#chance }
  }

  #connect(): Database {
    const found = this.#findPostmaster()
    if (!found) throw new Error('no database runs')
    const address = { socketDir: found.socketDir, user: 'transfer', database: 'postgres' }
    return connect({ ...address, connectionsMax: 1, applicationName: 'test' })
  }

  #findPostmaster(): { pid: number; socketDir: string } | null {
    return readPostmasterFile(clusterDirOf(homeOf(this.scene.dataDir)))
  }
}
