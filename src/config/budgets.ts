// How much memory each part of the service may use, by the memory of the process. docs/limits.md
// shows the figures.

import { connectionBounds, type ConnectionBounds } from '../http/connections.ts'
import type { Config } from './load.ts'
import { formatMemory } from './memory.ts'

const mebibyte = 1024 * 1024

/** What an idle service and its database need, with a reserve for the work between two budgets. */
const baseBytes = 128 * mebibyte

export interface Budgets {
  /** Bytes of uploads that are not written yet. */
  readonly uploadBytes: number
  /** Bytes that were read ahead for downloads. */
  readonly downloadBytes: number
  /** Downloads at once; each has a buffer of 16 KiB in any case. */
  readonly downloadsMax: number
  readonly connectionsMax: number
  /** Layouts of archives that are kept for the next request. */
  readonly archiveCacheBytes: number
  /** What is known of selected files while their archives are sent. */
  readonly selectionBytes: number
  /** JSON bodies that are read whole. */
  readonly jsonBodiesMax: number
  /** Lists of up to 64 MiB that are read at once. */
  readonly longBodiesMax: number
  readonly longAnswersMax: number
  /** Password hashes that are computed at once, of 19 MiB each. */
  readonly hashesMax: number
  /** How far the JavaScript heap may grow between full collections while bodies arrive. */
  readonly heapGrowthBytes: number
  readonly database: DatabaseBudget
}

/** The connections of the service, and settings of the embedded server. */
export interface DatabaseBudget {
  /** A connection has a process of the server. */
  readonly connectionsMax: number
  readonly sharedBytes: number
  /** For one sort or hash of a query. */
  readonly workBytes: number
  readonly maintenanceBytes: number
}

/**
 * Each budget is a part of what `memoryBytes` leaves above 128 MiB, between two bounds. From
 * 512 MiB on, all are at their upper bound.
 */
export function budgetsOf(memoryBytes: number): Budgets {
  const room = Math.max(0, memoryBytes - baseBytes)
  const bytes = (part: number, minMebibytes: number, maxMebibytes: number) =>
    Math.floor(clamp((room * part) / mebibyte, minMebibytes, maxMebibytes)) * mebibyte
  const count = (bytesOfOne: number, min: number, max: number) =>
    Math.floor(clamp(room / bytesOfOne, min, max))
  return {
    uploadBytes: bytes(1 / 12, 6, 32),
    downloadBytes: bytes(1 / 12, 6, 32),
    downloadsMax: count(64 * 1024, 1024, 4096),
    connectionsMax: count(64 * 1024, 512, Infinity),
    archiveCacheBytes: bytes(1 / 12, 4, 32),
    selectionBytes: bytes(1 / 6, 8, 64),
    jsonBodiesMax: count(4 * mebibyte, 16, 64),
    longBodiesMax: count(64 * mebibyte, 2, 4),
    longAnswersMax: count(8 * mebibyte, 8, 32),
    hashesMax: count(96 * mebibyte, 1, 2),
    heapGrowthBytes: bytes(1 / 4, 16, 96),
    database: {
      connectionsMax: count(16 * mebibyte, 5, 8),
      sharedBytes: bytes(1 / 8, 8, 16),
      workBytes: bytes(1 / 64, 1, 2),
      maintenanceBytes: bytes(1 / 8, 8, 16),
    },
  }
}

/** With less memory there are fewer connections in all. */
export function boundsOfConnections({
  connectionsMax,
  connectionsPerAddress,
  trustProxy,
  memoryLimit,
}: Config): ConnectionBounds {
  const budget = budgetsOf(memoryLimit).connectionsMax
  return connectionBounds(Math.min(connectionsMax, budget), connectionsPerAddress, trustProxy)
}

/** The figures that matter to operators, for the log and `transfer config show`. */
export function describeBudgets(memoryBytes: number): Record<string, string | number> {
  const budgets = budgetsOf(memoryBytes)
  return {
    limit: formatMemory(memoryBytes),
    uploads: formatMemory(budgets.uploadBytes),
    downloads: formatMemory(budgets.downloadBytes),
    hashes: budgets.hashesMax,
    databaseConnections: budgets.database.connectionsMax,
    databaseShared: formatMemory(budgets.database.sharedBytes),
  }
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value))
}
