import { listAdministratorEmails } from '../../accounts/users/sql.ts'
import type { Sql } from '../../database/connect.ts'
import type { Problem, ProblemTemplateData } from '../../email/problem-templates.ts'
import { dayMs, hourMs } from '../../lib/clock.ts'
import type { DiskWatch } from './disk-watch.ts'
import * as rows from './sql.ts'
import type { AdminDeps } from '../deps.ts'

const failingMsMin = hourMs
const namesMax = 10
const topic = 'administrators'
/** The notice that is never repeated. */
const updateKind = 'updated'

type Deps = Pick<AdminDeps, 'emails' | 'jobs' | 'disks' | 'clock'> & {
  readonly version: string
  /** Whether administrators want these emails. */
  readonly isWanted: () => boolean
}

/** A problem with its kind, which is told at most once a day. */
interface Told {
  readonly kind: string
  readonly problem: Problem
}

/**
 * Emails administrators about problems and updates, each kind at most once a day; the end of a
 * problem is not told. Other ways to tell them belong into `#send`.
 */
export class ProblemNotices {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** For the job. */
  async run(): Promise<void> {
    const { emails, disks, isWanted } = this.#deps
    const states = await disks.look()
    if (!emails.isConfigured || !isWanted()) return
    await emails.begin(async (sql) => {
      const last = new Map((await rows.lockNotices(sql)).map((one) => [one.kind, one]))
      const isDue = (kind: string) => this.#ageMs(last.get(kind)) >= dayMs
      const all: Told[] = [
        ...diskProblems(states),
        ...(await this.#countedProblems(sql, (kind) => this.#newsOf(last.get(kind)))),
        ...this.#jobProblems(),
      ]
      const due = all.filter(({ kind }) => isDue(kind))
      const problems = due.map(({ problem }) => problem)
      const count = problems.length > 0 ? await this.#send(sql, { kind: 'problems', problems }) : 0
      // A full queue takes them later.
      for (const { kind } of count > 0 ? due : []) await this.#save(sql, kind, '')
      await this.#tellUpdate(sql, last.get(updateKind))
    })
  }

  /** Time since a notice; a clock that was set back does not prevent the next one for long. */
  #ageMs(last: rows.SentNotice | undefined): number {
    return last ? Math.abs(this.#deps.clock.now() - last.sentAt.getTime()) : Infinity
  }

  /** Events since the last notice, or of the last day; none that the clock was ahead for. */
  #newsOf(last: rows.SentNotice | undefined): rows.Period {
    const until = new Date(this.#deps.clock.now())
    const since = last && last.sentAt <= until ? last.sentAt : new Date(until.getTime() - dayMs)
    return { since, until }
  }

  async #countedProblems(sql: Sql, news: (kind: string) => rows.Period): Promise<Told[]> {
    const count = await rows.countDeadEmails(sql, news('emails'))
    const files = await rows.countDamagedFiles(sql, news('damage'))
    return [
      ...(files > 0 ? [{ kind: 'damage', problem: { kind: 'damage', files } } as const] : []),
      ...(count > 0 ? [{ kind: 'emails', problem: { kind: 'emails', count } } as const] : []),
    ]
  }

  #jobProblems(): Told[] {
    const { jobs, clock } = this.#deps
    const names = jobs
      .report()
      .filter(({ failingSince: since }) => since && clock.now() - since.getTime() >= failingMsMin)
      .map(({ name }) => name)
      .slice(0, namesMax)
    return names.length > 0 ? [{ kind: 'jobs', problem: { kind: 'jobs', names } }] : []
  }

  /** Tells that this version has migrated an existing database, within a day. */
  async #tellUpdate(sql: Sql, last: rows.SentNotice | undefined): Promise<void> {
    const { clock, version } = this.#deps
    const newest = await rows.findNewestMigration(sql)
    if (!newest?.isUpdate || newest.name === last?.about) return
    if (clock.now() - newest.appliedAt.getTime() >= dayMs) return
    const count = await this.#send(sql, { kind: 'updated', version })
    if (count > 0) await this.#save(sql, updateKind, newest.name)
  }

  async #save(sql: Sql, kind: string, about: string): Promise<void> {
    const sentAt = new Date(this.#deps.clock.now())
    await rows.saveNotice(sql, { kind, about, sentAt })
  }

  /** Returns the number of queued emails. */
  async #send(sql: Sql, data: ProblemTemplateData): Promise<number> {
    const to = await listAdministratorEmails(sql)
    const usefulUntil = new Date(this.#deps.clock.now() + dayMs)
    return this.#deps.emails.queue(sql, data, { to, topic, usefulUntil })
  }
}

/** Uploads are refused below the floor; below twice the floor they soon will be. */
function diskProblems(states: Awaited<ReturnType<DiskWatch['look']>>): Told[] {
  return states
    .filter(({ free, floor }) => free < 2 * floor)
    .map((state) => ({
      kind: `disk_${state.isFull ? 'full' : 'low'}:${state.disk}`,
      problem: { kind: 'disk', ...state },
    }))
}
