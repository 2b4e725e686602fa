import { ConfigError } from '../config/load.ts'
import { databaseFailure } from '../database/connect.ts'
import { DatabaseMissing, DataDirInUse, EmbeddedFailure } from '../database/embedded/failure.ts'
import { DatabaseUnavailable } from '../database/failures.ts'
import { MigrationMismatch } from '../database/migrate.ts'
import { DatabaseInUse } from '../database/service-lock.ts'
import { CodedError } from '../lib/errors.ts'
import { StorageInUse } from '../blobs/storage-lock.ts'
import { StorageRootError } from '../blobs/storage-root.ts'
import { CommandError, UsageError } from './command-error.ts'
import { printableJson, printableLines } from './table.ts'

/** Errors with helpful messages, and their codes in addition to those of `lib/errors.ts`. */
const kinds: readonly (readonly [kind: abstract new (...args: never[]) => Error, code: string])[] =
  [
    [UsageError, 'usage'],
    [CommandError, 'failed'],
    [ConfigError, 'wrong_configuration'],
    [DataDirInUse, 'in_use'],
    [DatabaseInUse, 'in_use'],
    [StorageInUse, 'in_use'],
    [DatabaseMissing, 'no_database'],
    [EmbeddedFailure, 'no_database'],
    [MigrationMismatch, 'wrong_version'],
    [StorageRootError, 'wrong_storage'],
  ]

/** Text for standard error. Unknown errors keep their stack, because they are bugs. */
export function describeFailure(thrown: unknown, asJson: boolean): string {
  const error = thrown instanceof CodedError ? thrown : (databaseFailure(thrown) ?? thrown)
  const code = codeOf(error)
  if (asJson) return printableJson({ error: messageOf(error), code })
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
