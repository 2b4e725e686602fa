// Folders of files that become packages.
import * as fs from 'node:fs'
import path from 'node:path'

/** Every file, folder and link below a folder, in one order. */
export function listTree(folder) {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.toSorted((a, b) => (a < b ? -1 : 1))
}

/** Gives everything in a folder the modes of a new checkout under umask 022. */
export function normalize(folder) {
  for (const name of [...listTree(folder), '.']) {
    const file = path.join(folder, name)
    const found = fs.lstatSync(file)
    if (found.isSymbolicLink()) continue
    const isExecutable = found.isDirectory() || (found.mode & 0o100) !== 0
    fs.chmodSync(file, isExecutable ? 0o755 : 0o644)
  }
}

/** Writes a file and its folders. */
export function write(root, name, text, mode = 0o644) {
  const file = path.join(root, name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
  fs.chmodSync(file, mode)
}
