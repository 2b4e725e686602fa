// A folder with files of options, and what is said of an environment.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Test } from 'uvu'
import { ConfigError, loadConfig } from '../../src/config/load.ts'
import { makeFolder } from '../helpers/folder.ts'

export interface Scene {
  folder: string
  /** Returns the path of the file. */
  write: (name: string, text: string) => string
}

export function withFolder(suite: Test<Scene>): void {
  suite.before.each((scene) => {
    scene.folder = makeFolder()
    scene.write = (name, text) => {
      const file = path.join(scene.folder, name)
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, text, { mode: 0o600 })
      return file
    }
  })
}

/** The lines of a refusal; an accepted configuration fails the test. */
export function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  throw new Error(`should have been refused: ${JSON.stringify(env)}`)
}
