// A service process on a machine whose power can be cut, under traffic.
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { clusterDirOf, homeOf } from '../../../src/database/embedded/place.ts'
import { readPostmasterFile } from '../../../src/database/embedded/processes.ts'
import { connect, type Database } from '../../../src/database/connect.ts'
import { Client } from '../../helpers/client.ts'
import { patient } from '../../helpers/patience.ts'
import type { Seeded } from '../../helpers/seeded.ts'
import { until } from '../../helpers/until.ts'
import { makeLink } from '../../requests/guest.ts'
import { FaultScene } from '../scene.ts'
import type { Caller } from './calls.ts'
import { checkAll, finishAll, type CheckOptions } from './check.ts'
import { Ledger } from './ledger.ts'
import type { MachineState } from './preload.ts'
import { assertNothingCut, assertQuiet, listUnused, segmentSizes, type Place } from './traces.ts'
import { Traffic } from './traffic.ts'

/** Passes between two starts: short lifetimes end soon, and the clock is trusted. */
const stepMs = 50 * 60_000
const jobsFaster = 60
const acknowledgedMax = 50
const delayMsMax = 40
const patienceMs = patient(30_000)

export interface MachineOptions {
  readonly chance: Seeded
  /** The service's folder. */
  readonly dataDir: string
}

export class Machine {
  readonly ledger = new Ledger()
  readonly scene: FaultScene
  readonly #chance: Seeded
  #bootId = randomUUID() as string
  #starts = 0
  #anonymous: Client | null = null
  #reverseId = ''

  constructor({ chance, dataDir }: MachineOptions) {
    const off = { RATE_LIMIT_UPLOAD: 'off', UV_THREADPOOL_SIZE: '16' }
    this.scene = new FaultScene(off, dataDir)
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
    this.#anonymous = new Client(this.scene.service.url)
    if (this.#reverseId === '') {
      this.#reverseId = await makeLink(this.scene.sender, { expirationVal: 0, allowSharing: true })
    }
    assertNothingCut(before, folder)
    await this.check({ wasStarted: true })
  }

  /** Compares everything with the ledger, then rows with files. */
  async check(how: Pick<CheckOptions, 'wasStarted'>): Promise<void> {
    const { ledger } = this
    const chance = this.#chance
    await checkAll({ caller: this.#caller(), ledger, chance, ...how })
    await this.#look(async (place) => {
      for (const id of await listUnused(place)) ledger.unused.add(id)
      await assertQuiet(place)
    })
  }

  /** Completes every upload. */
  async finish(): Promise<void> {
    const how = { wasStarted: false }
    const options = { caller: this.#caller(), ledger: this.ledger, chance: this.#chance, ...how }
    await finishAll(options)
    await this.check(how)
  }

  /**
   * Lets clients work, and triggers the fault after some number of acknowledged chunks.
   * Their connections may break then; they are done when this resolves.
   */
  async workUntil(fault: () => Promise<void>): Promise<void> {
    const target = this.#chance.between(1, acknowledgedMax)
    const delayMs = this.#chance.between(0, delayMsMax)
    let acknowledged = 0
    const traffic = new Traffic({
      caller: this.#caller(),
      ledger: this.ledger,
      chance: this.#chance,
      onAcknowledged: () => (acknowledged += 1),
    })
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

  /** The final summary of the suites. */
  async close(): Promise<void> {
    await this.scene.stop()
  }

  #caller(): Caller {
    return { owner: this.scene.sender, anonymous: this.#anonymous!, reverseId: this.#reverseId }
  }

  async #look(look: (place: Place) => Promise<void>): Promise<void> {
    const database = this.#connect()
    try {
      const now = () => new Date(Date.now() + this.#starts * stepMs)
      const { pid } = this.scene.service.child
      await look({ database, storageDir: this.storageDir, pid: pid!, now })
    } finally {
      await database.close()
    }
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
