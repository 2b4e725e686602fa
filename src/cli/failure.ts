import { Argon2Missing } from '../accounts/passwords/passwords.ts'
import { KeyDamaged } from '../accounts/sign-in/keys.ts'
import { BackupProblem } from '../backup/problem.ts'
import { ConfigError } from '../config/load.ts'
import { databaseFailure } from '../database/connect.ts'
import { DatabaseMissing, DataDirInUse, EmbeddedFailure } from '../database/embedded/failure.ts'
import { DatabaseUnavailable } from '../database/failures.ts'
import { MigrationMismatch } from '../database/migrate.ts'
import { DatabaseInUse } from '../database/service-lock.ts'
import { CodedError } from '../lib/errors.ts'
import { StorageInUse } from '../bytes/storage-lock.ts'
import { BucketRefused, StorageRootError } from '../bytes/store/store.ts'
import { CommandError, UsageError, WrongOption } from './command.ts'
import { OtherInstance } from './identity.ts'
import { machineProblem } from './machine-problem.ts'
import { printableJson, printableLines } from './table.ts'

/** EX_CONFIG of sysexits.h. systemd does not start the service again: see transfer.service. */
const wrongConfiguration = 78

/** What starting again does not change. */
const lasting = ['wrong_configuration', 'wrong_version', 'other_instance', 'not_installed']

/** Errors with helpful messages, and their codes in addition to those of `lib/errors.ts`. */
const kinds: readonly (readonly [kind: abstract new (...args: never[]) => Error, code: string])[] =
  [
    [UsageError, 'usage'],
    [WrongOption, 'wrong_configuration'],
    [CommandError, 'failed'],
    [ConfigError, 'wrong_configuration'],
    [OtherInstance, 'other_instance'],
    [KeyDamaged, 'wrong_secret'],
    [Argon2Missing, 'not_installed'],
    [DataDirInUse, 'in_use'],
    [DatabaseInUse, 'in_use'],
    [StorageInUse, 'in_use'],
    [DatabaseMissing, 'no_database'],
    [EmbeddedFailure, 'no_database'],
    [MigrationMismatch, 'wrong_version'],
    [StorageRootError, 'wrong_storage'],
    [BucketRefused, 'wrong_configuration'],
    [BackupProblem, 'failed'],
  ]

export function exitCodeOf(thrown: unknown): number {
  const code = codeOf(thrown)
  if (code === 'usage' || code === 'invalid_input') return 2
  return lasting.includes(code) ? wrongConfiguration : 1
}

/** Text for standard error. Unknown errors keep their stack, because they are bugs. */
export function describeFailure(thrown: unknown, asJson: boolean): string {
  const error = thrown instanceof CodedError ? thrown : (databaseFailure(thrown) ?? thrown)
  const code = codeOf(error)
  const problem = code === 'internal' ? machineProblem(error) : null
  if (asJson) {
    return printableJson({
      error: problem ?? messageOf(error),
      code: problem === null ? code : 'failed',
    })
  }
  if (problem !== null) return printableLines(problem)
  const isForPeople = code !== 'internal'
  const stack = error instanceof Error ? error.stack : undefined
  return printableLines(isForPeople ? messageOf(error) : (stack ?? messageOf(error)))
}

function codeOf(error: unknown): string {
  if (error instanceof CodedError) return error.code
  return kinds.find(([kind]) => error instanceof kind)?.[1] ?? 'internal'
}

function messageOf(error: unknown): string {
  if (error instanceof DatabaseUnavailable) {
    return `the database went away (${messageOf(error.cause)}). Run the command again.`
  }
  return error instanceof Error ? error.message : String(error)
}
