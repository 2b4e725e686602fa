import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { constants } from 'node:os'
import { loadConfig } from '../config/load.ts'
import { optionsAreRead } from '../config/options-file.ts'
import { options } from '../config/options.ts'
import { unlessError } from '../lib/errors.ts'

/** The owner can read the environment of the child, and root's may have keys and tokens. */
const passedOn =
  /^(?:PATH|TERM|TZ|TMPDIR|LANG\w*|LC_\w+|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|NODE_\w+|UV_\w+)$/

/**
 * Under root, runs this command again as a child of the user who owns DATA_DIR, the user of the
 * service: what it writes would otherwise belong to root, and the service could not read it. A
 * child, because Node may refuse to change the user of a process: libuv may have opened an
 * io_uring, which would keep the rights of root (CVE-2024-22017). The options are passed on as they
 * were read by root, because only root may read some of them. Call it before anything is read from
 * standard input.
 * @returns whether the command has run
 * @throws ConfigError with all mistakes
 */
export async function runAsOwner(): Promise<boolean> {
  if (process.getuid?.() !== 0) return false
  const { config, texts } = loadConfig(process.env)
  const { dataDir } = config
  return runAs(dataDir, { [optionsAreRead]: '1', ...texts, [options.dataDir.env]: dataDir })
}

/** The same for a command that needs no options, and the owner of its folder. */
export async function runAsOwnerOf(folder: string): Promise<boolean> {
  return process.getuid?.() === 0 && runAs(folder, {})
}

async function runAs(folder: string, read: NodeJS.ProcessEnv): Promise<boolean> {
  const found = unlessError(['ENOENT', 'ENOTDIR'], () => statSync(folder))
  if (!found || found.uid === 0) return false
  const { uid, gid } = found
  const passed = Object.entries(process.env).filter(([name]) => passedOn.test(name))
  const env: NodeJS.ProcessEnv = { ...Object.fromEntries(passed), ...read }
  const args = [...process.execArgv, ...process.argv.slice(1)]
  const child = spawn(process.execPath, args, { env, uid, gid, stdio: 'inherit' })
  // A terminal sends its signals to both.
  process.on('SIGINT', () => {})
  process.on('SIGHUP', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  process.exitCode = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal!]))
  })
  return true
}
