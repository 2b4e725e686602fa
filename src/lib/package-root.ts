import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The package's folder, searched upwards because this module is emitted at varying depths. */
function findPackageRoot(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url))
  for (;;) {
    const isPackage =
      existsSync(path.join(folder, 'sql')) && existsSync(path.join(folder, 'static'))
    if (isPackage) return folder
    const parent = path.dirname(folder)
    if (parent === folder)
      throw new Error('the folders sql/ and static/ of the package are missing')
    folder = parent
  }
}

/**
 * An output of the build, searched upwards because this module is emitted at varying depths: in the
 * folder of the built service, or in its `dist/`.
 */
export function findBuilt(name: string): string {
  let folder = path.dirname(fileURLToPath(import.meta.url))
  for (;;) {
    for (const place of ['', 'dist']) {
      const found = path.join(folder, place, name)
      if (existsSync(found)) return found
    }
    const parent = path.dirname(folder)
    if (parent === folder)
      throw new Error(`what the build makes is missing (${name}): run \`npm ci\``)
    folder = parent
  }
}

export const packageRoot = findPackageRoot()

const manifest = JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8')) as {
  version: string
}

/** This program's version, from package.json. */
export const version = manifest.version
