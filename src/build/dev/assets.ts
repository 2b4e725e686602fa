import { statSync } from 'node:fs'
import path from 'node:path'
import { Assets as BuiltAssets } from '../../pages/assets.ts'

/**
 * The files of static/, read again after each build. Replaces the product's `Assets` in development
 * builds (builds.mjs), so that a change of the web UI needs no restart.
 */
export class Assets implements Pick<BuiltAssets, keyof BuiltAssets> {
  readonly #folder: string
  #readAt = 0
  #read: BuiltAssets

  constructor(folder: string) {
    this.#folder = folder
    this.#read = new BuiltAssets(folder)
  }

  find(name: string) {
    return this.#newest().find(name)
  }

  findBuilt(name: string) {
    return this.#newest().findBuilt(name)
  }

  shareTarget() {
    return this.#newest().shareTarget()
  }

  page(entry: Parameters<BuiltAssets['page']>[0]) {
    return this.#newest().page(entry)
  }

  get textsVersion() {
    return this.#newest().textsVersion
  }

  textsOf(...of: Parameters<BuiltAssets['textsOf']>) {
    return this.#newest().textsOf(...of)
  }

  /** A build writes the manifest last. */
  #newest(): BuiltAssets {
    const { mtimeMs } = statSync(path.join(this.#folder, 'app', 'manifest.json'))
    if (mtimeMs !== this.#readAt) this.#read = new BuiltAssets(this.#folder)
    this.#readAt = mtimeMs
    return this.#read
  }
}
