/** The disk of the service's own database, and the reserve on it. */
export interface DatabaseDisk {
  /** A folder on that disk. */
  readonly folder: string
  /** Bytes that the reserve takes now; 0 while the database has them. */
  reserveBytes(): number
  /** Frees the reserve for the database when space is low: call before deletions. */
  freeWhenLow(): Promise<void>
}
