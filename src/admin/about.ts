import { readFile } from 'node:fs/promises'
import { findBuilt, version } from '../lib/package-root.ts'

/** A third-party package in the service or its pages, with its licence. */
export interface UsedPackage {
  readonly name: string
  readonly version: string
  /** SPDX expression of the package. */
  readonly licence: string
  /** Licence text to distribute; '' when the package has none. */
  readonly text: string
}

export interface About {
  readonly version: string
  /** Version of Node. */
  readonly runtime: string
  readonly packages: readonly UsedPackage[]
}

/** The program's version and its packages, as recorded by the build. */
export async function readAbout(): Promise<About> {
  const packages = JSON.parse(await readFile(findBuilt('licences.json'), 'utf8')) as UsedPackage[]
  return { version, runtime: process.version, packages }
}
