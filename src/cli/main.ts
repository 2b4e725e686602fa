import { ConfigError } from '../config/load.ts'
import { DataDirInUse, EmbeddedFailure } from '../db/embedded/failure.ts'
import { MigrationMismatch } from '../db/migrate.ts'
import { CodedError } from '../lib/errors.ts'
import { StorageRootError } from '../storage/storage-root.ts'
import { CommandError } from './command-error.ts'

interface Command {
  readonly usage: string
  readonly doc: string
  readonly run: (args: readonly string[]) => Promise<void>
}

/** Every command by its words; loaded when it is called. */
const commands: Record<string, Command> = {
  serve: {
    usage: 'transfer serve',
    doc: 'Run the service.',
    run: async () => (await import('./serve.ts')).serve(),
  },
  docs: {
    usage: 'transfer docs',
    doc: 'Serve the documentation site alone: it needs no data and no database.',
    run: async () => (await import('./docs.ts')).serveDocs(),
  },
  migrate: {
    usage: 'transfer migrate',
    doc: 'Bring the database to the version of this program (serve does it too).',
    run: async () => (await import('./migrate.ts')).migrateDatabase(),
  },
  'user add': {
    usage: 'transfer user add <e-mail> [--name NAME] [--admin]',
    doc: 'Create an account; the password is asked for, or read from standard input.',
    run: async (args) => (await import('./user-add.ts')).addUser(args),
  },
  'config show': {
    usage: 'transfer config show',
    doc: 'Show the boot options as they were read, secrets masked.',
    run: async () => (await import('./config-show.ts')).showConfig(),
  },
}

async function main(args: readonly string[]): Promise<void> {
  if (args.length === 0 || args[0] === 'help' || args[0] === '--help') {
    process.stdout.write(usage())
    return
  }
  for (const words of [2, 1]) {
    const command = commands[args.slice(0, words).join(' ')]
    if (command) return command.run(args.slice(words))
  }
  throw new CommandError(`there is no command "${args.join(' ')}"\n\n${usage()}`)
}

function usage(): string {
  const lines = Object.values(commands).map(({ usage, doc }) => `  ${usage}\n      ${doc}`)
  return `Usage:\n${lines.join('\n')}\n`
}

/** Errors whose message says what to do; anything else is a fault of ours and keeps its stack. */
function isForPeople(error: unknown): error is Error {
  const kinds = [
    CodedError,
    CommandError,
    ConfigError,
    DataDirInUse,
    EmbeddedFailure,
    MigrationMismatch,
    StorageRootError,
  ]
  return kinds.some((kind) => error instanceof kind)
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(isForPeople(error) ? `${error.message}\n` : `${inspect(error)}\n`)
  process.exitCode = 1
})

function inspect(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
