import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The nearest folder in which `find` finds something: this module is emitted at varying depths. */
function searchUpwards(find: (folder: string) => string | undefined, problem: string): string {
  let folder = path.dirname(fileURLToPath(import.meta.url))
  for (;;) {
    const found = find(folder)
    if (found !== undefined) return found
    const parent = path.dirname(folder)
    if (parent === folder) throw new Error(problem)
    folder = parent
  }
}

/** An output of the build: in the folder of the built service, or in its `dist/`. */
export function findBuilt(name: string): string {
  return searchUpwards(
    (folder) => ['', 'dist'].map((place) => path.join(folder, place, name)).find(existsSync),
    `what the build makes is missing (${name}): run \`npm ci\``,
  )
}

export const packageRoot = searchUpwards(
  (folder) =>
    ['sql', 'static'].every((name) => existsSync(path.join(folder, name))) ? folder : undefined,
  'the folders sql/ and static/ of the package are missing',
)

const manifest = JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8')) as {
  version: string
}

export const version = manifest.version
