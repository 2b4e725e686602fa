// Whether tests need a new build of the service, by names, sizes and times of its sources.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const folders = ['src', 'docs', 'static', 'sql']
const files = ['package.json', 'package-lock.json', 'README.md', 'node_modules/.package-lock.json']
/** Output of the build itself. */
const built = path.join('static', 'app')
const manifest = path.join(built, 'manifest.json')
const noteName = 'inputs.txt'

/** @param {string} folder of the built service */
export function areUpToDate(folder) {
  const note = path.join(folder, noteName)
  return existsSync(note) && existsSync(manifest) && readFileSync(note, 'utf8') === fingerprint()
}

/** @param {string} folder of the built service */
export function noteInputs(folder) {
  writeFileSync(path.join(folder, noteName), fingerprint())
}

function fingerprint() {
  const inputs = folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true }).map((name) => path.join(folder, String(name))),
    )
    .filter((name) => !`${name}${path.sep}`.startsWith(`${built}${path.sep}`))
  const hash = createHash('sha256').update(process.version).update(path.resolve('.'))
  for (const name of [...files, ...inputs].toSorted((a, b) => (a < b ? -1 : 1))) {
    const found = statSync(name, { throwIfNoEntry: false })
    if (found?.isFile()) hash.update(`${name}\0${found.size}\0${found.mtimeMs}\n`)
  }
  // Builds for use write it too.
  return `${hash.digest('hex')} ${existsSync(manifest) ? readFileSync(manifest, 'utf8') : ''}`
}
