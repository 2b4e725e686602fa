// Whether something has to be built again, by names, sizes and times of its sources.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const packages = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json']
const app = path.join('static', 'app')

/** Files and folders that the web UI is built from. */
export const webInputs = [path.join('src', 'web'), ...packages]
/** Those of the service. It has to match the web UI. */
export const serviceInputs = [
  'src',
  'docs',
  'static',
  'sql',
  'README.md',
  path.join(app, 'manifest.json'),
  ...packages,
]

/** What `note` has kept in this file, while all inputs are as they were; null otherwise. */
export function readNote(file, inputs) {
  if (!existsSync(file)) return null
  const { of, result } = JSON.parse(readFileSync(file, 'utf8'))
  return of === fingerprint(inputs) ? result : null
}

/** Builds, and notes the result for the next build. What changes meanwhile is built again then. */
export async function noted(file, inputs, build) {
  const of = fingerprint(inputs)
  const result = await build()
  writeFileSync(file, JSON.stringify({ of, result }))
  return result
}

function fingerprint(inputs) {
  const hash = createHash('sha256').update(process.version).update(path.resolve('.'))
  for (const name of new Set(inputs.flatMap(filesOf))) {
    const found = statSync(name, { throwIfNoEntry: false })
    if (found?.isFile()) hash.update(`${name}\0${found.size}\0${found.mtimeMs}\n`)
  }
  return hash.digest('hex')
}

/** The files in a folder, without built ones, or the file itself. */
function filesOf(name) {
  if (!statSync(name, { throwIfNoEntry: false })?.isDirectory()) return [name]
  return readdirSync(name, { recursive: true })
    .map((file) => path.join(name, String(file)))
    .filter((file) => !file.startsWith(`${app}${path.sep}`))
    .toSorted()
}
