/** The embedded PostgreSQL cannot run here; the message says why, and what to do. */
export class EmbeddedFailure extends Error {
  constructor(problem: string, cause?: unknown) {
    super(`${problem}; if you cannot fix this, set DATABASE_URL`, { cause })
    this.name = 'EmbeddedFailure'
  }
}

/** Another process (a service or a command) owns the data directory. */
export class DataDirInUse extends Error {
  readonly holderPid: number | null

  constructor(dataDir: string, holderPid: number | null) {
    const by = holderPid === null ? 'another process' : `pid ${holderPid}`
    super(`DATA_DIR (${dataDir}) is in use by ${by}. Stop that service or command first.`)
    this.name = 'DataDirInUse'
    this.holderPid = holderPid
  }
}

/** An expected database is missing; the message says where, and what to do. */
export class DatabaseMissing extends Error {
  override readonly name = 'DatabaseMissing'
}

/** The message for a place without any data. */
export function nothingIn(place: string, option: 'DATA_DIR' | 'DATABASE_URL'): DatabaseMissing {
  return new DatabaseMissing(
    `there is no data in ${place}. Check ${option}, or start the service with it first.`,
  )
}
