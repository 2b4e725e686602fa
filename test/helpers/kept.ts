// Clusters of PostgreSQL that take seconds to create, kept beside the build for later runs until a
// migration, or the code that creates a cluster, changes.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { thisMachine } from '../../src/database/embedded/machine.ts'
import { isAlive } from '../../src/database/embedded/processes.ts'
import { packageRoot } from '../../src/lib/package-root.ts'

const built = fileURLToPath(new URL('../..', import.meta.url))
const root = path.join(built, 'databases')

export type Kept = 'cluster' | 'seed'

/** Copies one that an earlier run has kept. @returns false when there is none */
export function copyKept(name: Kept, clusterDir: string): boolean {
  const folder = path.join(root, keyOf(name))
  if (existsSync(folder)) copy(folder, clusterDir)
  return existsSync(clusterDir)
}

/** Keeps one whose server has been stopped, in place of an older one. */
export function keep(name: Kept, clusterDir: string): void {
  mkdirSync(root, { recursive: true })
  const unfinished = path.join(root, `${name}-new-${process.pid}`)
  copy(clusterDir, unfinished)
  try {
    renameSync(unfinished, path.join(root, keyOf(name)))
    removeOthers(name)
  } catch {
    // Another run keeps the same at this time.
    rmSync(unfinished, { recursive: true, force: true })
  }
}

/** Older ones, and those of runs that were killed in the middle. */
function removeOthers(name: Kept): void {
  for (const other of readdirSync(root)) {
    const pid = Number(/-new-(\d+)$/.exec(other)?.[1] ?? 0)
    const isInUse = other === keyOf(name) || (pid > 0 && isAlive(pid))
    if (isInUse || !other.startsWith(`${name}-`)) continue
    rmSync(path.join(root, other), { recursive: true, force: true })
  }
}

function copy(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' })
  if (status === 0) return
  rmSync(to, { recursive: true, force: true })
  throw new Error(`the database cannot be copied: ${stderr}`)
}

/** A hash of everything that a cluster is made from, and of the user who runs it. */
function keyOf(name: Kept): string {
  const { version } = thisMachine.findPackage()
  const hash = createHash('sha256').update(`${version} ${process.getuid?.()}`)
  const folders = ['src/database', 'src/database/embedded'].map((one) => path.join(built, one))
  const files = [path.join(packageRoot, 'sql'), ...folders].flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => /\.(?:sql|js)$/.test(file))
      .toSorted()
      .map((file) => path.join(folder, file)),
  )
  for (const file of [...files, path.join(built, 'test', 'helpers', `${name}.js`)]) {
    hash.update(path.basename(file)).update(readFileSync(file))
  }
  return `${name}-${hash.digest('hex').slice(0, 16)}`
}
