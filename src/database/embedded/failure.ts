/** The embedded PostgreSQL cannot run here: says why, and names the way out. */
export class EmbeddedFailure extends Error {
  constructor(problem: string, cause?: unknown) {
    super(`${problem}; if you cannot fix this, set DATABASE_URL`, { cause })
    this.name = 'EmbeddedFailure'
  }
}

/** Another process, a service or a command, owns the data directory. */
export class DataDirInUse extends Error {
  readonly holderPid: number | null

  constructor(dataDir: string, holderPid: number | null) {
    const by = holderPid === null ? 'another process' : `pid ${holderPid}`
    super(`DATA_DIR (${dataDir}) is in use by ${by}. Stop that service or command first.`)
    this.name = 'DataDirInUse'
    this.holderPid = holderPid
  }
}

/** There is no database where one is expected: the message says where, and what to do. */
export class DatabaseMissing extends Error {
  override readonly name = 'DatabaseMissing'
}

/** What to say where nothing was ever made. */
export function nothingIn(place: string, option: 'DATA_DIR' | 'DATABASE_URL'): DatabaseMissing {
  return new DatabaseMissing(
    `there is no data in ${place}. Check ${option}, or start the service with it first.`,
  )
}
