import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../../src/lib/package-root.ts'
import { Child } from './child.ts'
import type { ServerSetting } from './target.ts'

/** Has a package.json of its own, so that only this bench installs the peers. */
const peersFolder = path.join(packageRoot, 'bench', 'peers')

/** Installs the peers if they are missing or older than their lock file. */
export function installPeers(): void {
  const installed = path.join(peersFolder, 'node_modules', '.package-lock.json')
  const lock = path.join(peersFolder, 'package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return
  console.log('installing the peers: npm ci in bench/peers')
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: peersFolder, stdio: 'inherit' })
}

/** Starts a server of the folder on a port of its own. */
export async function startPeer(
  file: string,
  { folder, env, limit }: ServerSetting,
): Promise<{ child: Child; port: number }> {
  mkdirSync(folder)
  const child = await Child.start({
    file: path.join(peersFolder, file),
    args: [folder],
    env: { NODE_ENV: 'production', ...env },
    limit,
    logFile: `${folder}.log`,
    readyText: 'listening on ',
  })
  return { child, port: child.port }
}

export function versionOf(name: string): string {
  const file = path.join(peersFolder, 'node_modules', name, 'package.json')
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
