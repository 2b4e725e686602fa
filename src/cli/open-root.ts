import { openStorageRoot } from '../bytes/storage-root.ts'
import * as rows from '../bytes/segments/roots-sql.ts'
import { FolderRoot, readMarker } from '../bytes/store/folder-root.ts'
import { StorageRootError, type StorageRoot } from '../bytes/store/store.ts'
import { Roots } from '../bytes/store/roots.ts'
import type { BucketOptions } from '../bytes/store/s3/open.ts'
import type { BlobsAddress } from '../config/blobs-url.ts'
import type { Config } from '../config/load.ts'
import type { Database } from '../database/connect.ts'
import { systemClock } from '../lib/clock.ts'
import { closeAll } from './closers.ts'

export interface PlacesOptions {
  readonly config: Config
  readonly database: Database
  readonly processId: string
  /** Called for a folder before its first use. Resolves with what releases it. */
  readonly holdFolder: (folder: string) => Promise<() => Promise<void>>
}

/** @param bucket that of the options */
export function bucketOptions(config: Config, bucket: BlobsAddress): BucketOptions {
  const { awsAccessKeyId, awsSecretAccessKey, awsSessionToken: sessionToken } = config
  return {
    bucket,
    accessKeyId: awsAccessKeyId!,
    secretAccessKey: awsSecretAccessKey!,
    sessionToken,
    clock: systemClock,
  }
}

interface Opened {
  readonly root: StorageRoot
  readonly release: () => Promise<void>
}

/**
 * The places of stored bytes that this process has open: STORAGE_DIR, the bucket of BLOBS_URL, or
 * both while files are moved. Its rows tell others which, so that nothing is moved away from it.
 */
export class Places {
  readonly roots = new Roots([], '')
  readonly #options: PlacesOptions
  #config: Config
  #opened: Opened[] = []
  readonly #closers: (() => Promise<void>)[] = []
  #last: Promise<void> = Promise.resolve()

  private constructor(options: PlacesOptions) {
    this.#options = options
    this.#config = options.config
  }

  /**
   * @param create whether the first root of the database may be made
   * @throws StorageRootError, BucketRefused; errors of `holdFolder`
   */
  static async open(options: PlacesOptions, create: boolean): Promise<Places> {
    const places = new Places(options)
    try {
      const known = await rows.listStorageRoots(options.database.sql)
      if (known.length === 0) await places.#openNamed({ create })
      await places.follow()
      return places
    } catch (error) {
      await places.close()
      throw error
    }
  }

  /**
   * Opens roots that the database knows by now, and lets go of those that it has forgotten.
   * @param config changed options
   * @throws StorageRootError, BucketRefused
   */
  follow(config = this.#config): Promise<void> {
    this.#config = config
    const turn = this.#last.then(() => this.#follow())
    this.#last = turn.catch(() => {})
    return turn
  }

  /** Whether files can move: without BLOBS_URL there is one place. */
  get mayMove(): boolean {
    return this.#config.blobsUrl !== null
  }

  /** Opens the place to which files are about to move, and makes it known. */
  async openTarget(kind: 'folder' | 'bucket'): Promise<StorageRoot> {
    const isOfKind = ({ folder }: StorageRoot) => (folder === null) === (kind === 'bucket')
    const found = this.roots.all.find(isOfKind)
    if (found) return found
    const isFolder = kind === 'folder'
    const blobsUrl = isFolder ? null : this.#config.blobsUrl
    await this.#openNamed({ create: false, isTarget: true }, blobsUrl)
    await this.follow()
    return this.roots.all.find(isOfKind)!
  }

  async close(): Promise<void> {
    await rows.deleteOpenings(this.#options.database.sql, this.#options.processId).catch(() => {})
    await closeAll([...this.#closers, ...this.#opened.map(({ release }) => release)])
  }

  async #follow(): Promise<void> {
    const { processId, database } = this.#options
    const { sql } = database
    let known = await rows.listStorageRoots(sql)
    for (;;) {
      await this.#openMissing(known)
      const ids = this.#opened.map(({ root }) => root.id)
      await rows.insertOpenings(sql, processId, ids)
      // A move may have begun before others could see that this process is there.
      const again = await rows.listStorageRoots(sql)
      const isSame = again.every(({ id, isNeeded }) =>
        known.some((root) => root.id === id && (root.isNeeded || !isNeeded)),
      )
      known = again
      if (isSame) break
    }
    const isKnown = ({ root }: Opened) => known.some(({ id }) => id === root.id)
    const left = this.#opened.filter((opened) => !isKnown(opened))
    this.#opened = this.#opened.filter(isKnown)
    const current = known.find(({ isCurrent }) => isCurrent)!
    this.roots.use(
      this.#opened.map(({ root }) => root),
      current.id,
    )
    for (const { root, release } of left) {
      await release()
      await rows.deleteOpenings(sql, processId, root.id)
    }
  }

  async #openMissing(known: readonly rows.KnownRoot[]): Promise<void> {
    const listRest = () =>
      known.filter(({ id }) => !this.#opened.some(({ root }) => root.id === id))
    if (listRest().length === 0) return
    const { storageDir, blobsUrl } = this.#config
    const marked = await readMarker(storageDir)
    if (marked !== null && listRest().some(({ id }) => id === marked)) {
      await this.#add(new FolderRoot(marked, storageDir))
    }
    const rest = listRest()
    if (rest.length === 0) return
    if (blobsUrl === null && !rest.some(({ isNeeded }) => isNeeded)) return
    // It says why the place is none of the roots.
    if (blobsUrl !== null || this.#opened.length === 0) return this.#openNamed({ create: false })
    throw new StorageRootError(
      `${storageDir} has only some of the files: set BLOBS_URL to the bucket that has the others.`,
    )
  }

  async #openNamed(
    options: { create: boolean; isTarget?: boolean },
    blobsUrl = this.#config.blobsUrl,
  ): Promise<void> {
    const { database } = this.#options
    if (blobsUrl === null) {
      return this.#add(await openStorageRoot(this.#config.storageDir, database, options))
    }
    const { openBucketRoot } = await import('../bytes/store/s3/open.ts')
    const root = await openBucketRoot(bucketOptions(this.#config, blobsUrl), database, options)
    // Not before the end: downloads may still read from it.
    this.#closers.push(() => root.close())
    await this.#add(root)
  }

  async #add(root: StorageRoot): Promise<void> {
    const { folder } = root
    const release = folder === null ? async () => {} : await this.#options.holdFolder(folder)
    this.#opened.push({ root, release })
  }
}
