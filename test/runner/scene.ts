// Helpers of the runner's tests: files of small suites, run by run.mjs.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../src/lib/package-root.ts'
import { endOf } from '../helpers/child.ts'

/** For an import, relative to this file. */
export const moduleOf = (name: string) =>
  JSON.stringify(fileURLToPath(new URL(name, import.meta.url)))
export const good = `export const good = suite('good')
good('should pass', () => {})
good.run()`

/** Runs files of these texts, named `a.test.js` and so on, with a bound of a second. */
export async function run(
  folder: string,
  ...texts: string[]
): Promise<{ said: string; code: number }> {
  return runWith(['--processes=1'], folder, ...texts)
}

export async function runWith(
  options: readonly string[],
  folder: string,
  ...texts: string[]
): Promise<{ said: string; code: number }> {
  for (const [place, text] of texts.entries()) {
    const name = `${String.fromCodePoint(0x61 + place)}.test.js`
    const head = `import { suite } from ${moduleOf('suites.js')}
import { within } from ${moduleOf('bounds.js')}
import { addWitness } from ${moduleOf('witnesses.js')}
import { rounds, slow } from ${moduleOf('slow.js')}
`
    writeFileSync(path.join(folder, name), head + text)
  }
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
  const args = [path.join(packageRoot, 'test', 'run.mjs'), '--bound-ms=1000', ...options]
  const child = spawn(process.execPath, args, {
    env: { ...process.env, TEST_FILES: folder, SLOW: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const { code } = await endOf(child)
  return { said, code: code ?? -1 }
}

export const closing = (said: string) => said.trimEnd().split('\n').at(-1)

export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}
