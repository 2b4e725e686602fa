import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { Audit } from '../audit/audit.ts'
import { Passwords } from '../users/passwords.ts'
import { loadConfig } from '../config/load.ts'
import { migrate } from '../db/migrate.ts'
import { parseInput } from '../http/schema.ts'
import { operator } from '../lib/actor.ts'
import { systemClock } from '../lib/clock.ts'
import { createLog } from '../lib/log.ts'
import { emailSchema, newPasswordSchema, userNameSchema } from '../users/schemas.ts'
import { Users } from '../users/users.ts'
import { CommandError } from './command-error.ts'
import { migrationsFolder } from './migrate.ts'
import { openDatabase } from './open-database.ts'
import { readPassword } from './read-password.ts'

const inputSchema = v.object({
  email: emailSchema,
  name: userNameSchema,
  password: newPasswordSchema,
})

/**
 * Never takes the password from the command line, where every user of the machine could read it.
 */
export async function addUser(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseWords(args)
  const email = positionals[0]
  const { config } = loadConfig(process.env)
  const password = await readPassword(`Password for ${email}: `)
  const name = values.name ?? email?.split('@')[0]
  const input = parseInput(inputSchema, { email, name, password })

  const log = createLog({ level: 'error' })
  const open = await openDatabase(config, log, { beside: true })
  try {
    await migrate(open.database, { folder: migrationsFolder, log })
    const users = new Users({
      database: open.database,
      audit: new Audit({ database: open.database, clock: systemClock, daysKept: () => 0 }),
      passwords: new Passwords(),
      clock: systemClock,
      // Creating an account deletes nothing and ends no login.
      belongings: [],
      logins: { end: async () => {} },
    })
    const user = await users.create(operator, { ...input, isAdmin: values.admin })
    process.stdout.write(
      `created user ${user.id}: ${user.email}${user.isAdmin ? ' (administrator)' : ''}\n`,
    )
  } finally {
    await open.close()
  }
}

function parseWords(args: readonly string[]) {
  try {
    const words = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { name: { type: 'string' }, admin: { type: 'boolean', default: false } },
    })
    if (words.positionals.length === 1) return words
  } catch (error) {
    throw new CommandError((error as Error).message, { cause: error })
  }
  throw new CommandError(
    'user add takes one e-mail address; the password is asked for, or read from standard input, ' +
      'never from the command line',
  )
}
