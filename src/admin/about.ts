import { readFile } from 'node:fs/promises'
import { findBuilt, version } from '../lib/package-root.ts'

/** Somebody else's work that the service or its pages are made of, under its own licence. */
export interface UsedPackage {
  readonly name: string
  readonly version: string
  /** As the package calls it, by SPDX. */
  readonly licence: string
  /** The text that has to go along; '' where the package has none. */
  readonly text: string
}

export interface About {
  readonly version: string
  /** Of Node. */
  readonly runtime: string
  readonly packages: readonly UsedPackage[]
}

/** What this is, and what it is made of, as the build has found it. */
export async function readAbout(): Promise<About> {
  const packages = JSON.parse(await readFile(findBuilt('licences.json'), 'utf8')) as UsedPackage[]
  return { version, runtime: process.version, packages }
}
