// A bucket of the small S3 whose objects are also files, for tests that look into it.
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { BucketRoot } from '../../src/bytes/store/s3/bucket-root.ts'
import { openBucketRoot } from '../../src/bytes/store/s3/open.ts'
import type { Database } from '../../src/database/connect.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { S3Stub, stubKeys, type Stored } from './s3-stub.ts'

const stubs = new Map<string, Promise<S3Stub>>()

/** Opens a bucket whose objects are also files of a folder, as if they were stored there. */
export async function openStubRoot(folder: string, database: Database): Promise<BucketRoot> {
  if (!stubs.has(folder)) stubs.set(folder, S3Stub.start(new Mirrored(folder)))
  const { bucket } = await stubs.get(folder)!
  return openBucketRoot({ bucket, ...stubKeys, clock: systemClock }, database)
}

class Mirrored extends Map<string, Stored> {
  readonly folder: string

  constructor(folder: string) {
    super()
    this.folder = folder
    mkdirSync(folder, { recursive: true })
  }

  override set(key: string, stored: Stored): this {
    const file = this.#fileOf(key)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, stored.data)
    return super.set(key, stored)
  }

  override delete(key: string): boolean {
    const file = this.#fileOf(key)
    rmSync(file, { force: true })
    // Prefixes end with their last object.
    const isEmpty = existsSync(path.dirname(file)) && readdirSync(path.dirname(file)).length === 0
    if (isEmpty) rmdirSync(path.dirname(file))
    return super.delete(key)
  }

  #fileOf(key: string): string {
    return path.join(this.folder, key.slice(key.indexOf('/') + 1))
  }
}
