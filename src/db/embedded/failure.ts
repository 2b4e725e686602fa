/** The embedded PostgreSQL cannot run here: says why, and names the way out. */
export class EmbeddedFailure extends Error {
  constructor(problem: string, cause?: unknown) {
    super(`${problem}; if this cannot be changed, set DATABASE_URL`, { cause })
    this.name = 'EmbeddedFailure'
  }
}

/** Another service process owns the data directory. */
export class DataDirInUse extends Error {
  readonly holderPid: number | null

  constructor(holderPid: number | null) {
    super(`DATA_DIR in use by pid ${holderPid ?? 'unknown'}`)
    this.name = 'DataDirInUse'
    this.holderPid = holderPid
  }
}
