// Imported into the service before it starts: programs that it starts with a separate environment
// (PostgreSQL) get the shim of sync-delay.c as well.
import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

const { spawn } = childProcess
const { LD_PRELOAD = '', SYNC_DELAY_MS = '' } = process.env

childProcess.spawn = ((file: string, args: string[], options: { env?: NodeJS.ProcessEnv }) =>
  spawn(file, args, {
    ...options,
    env: { ...options.env, LD_PRELOAD, SYNC_DELAY_MS },
  })) as typeof spawn
syncBuiltinESMExports()
