/** The disk of a database that the service runs itself, and the reserve on it. */
export interface DatabaseDisk {
  /** A folder on that disk. */
  readonly folder: string
  /** Bytes that the reserve takes up now; 0 while it is given to the database. */
  reserveBytes(): number
  /** Gives the reserve to the database when it is about to need it: before something is deleted. */
  freeWhenLow(): Promise<void>
}
