import * as v from 'valibot'
import * as accounts from '../accounts/own-account/account.ts'
import { reset } from '../accounts/second-factor/enrolment.ts'
import {
  emailSchema,
  newPasswordSchema,
  presentListedUser,
  presentManagedUser,
  quotaSchema,
  userNameSchema,
} from '../accounts/users/schemas.ts'
import type { ListedUser, User } from '../accounts/users/sql.ts'
import { parseInput, present } from '../http/schema.ts'
import { operator } from '../lib/actor.ts'
import { localPartOf } from '../lib/email-address.ts'
import { formatBytes, parseBytes } from '../lib/sizes.ts'
import { UsageError, type Call, type Report } from './command.ts'
import { withApp } from './open-app.ts'
import { confirm, readNewPassword } from './prompt.ts'
import { type Column, day, formatTable, printable } from './table.ts'
import { rowNumberMax } from '../lib/path-parameters.ts'
import { CodedError } from '../lib/errors.ts'
import type { Users } from '../accounts/users/users.ts'
import { remove } from '../accounts/api-tokens/api-tokens.ts'
import { tokenSchema } from '../accounts/api-tokens/operations.ts'
import { listApiTokens, type OwnedApiToken } from '../accounts/api-tokens/sql.ts'
import { deleteEach } from './delete-each.ts'

const columns: Column<ListedUser>[] = [
  { title: 'ID', text: (user) => String(user.id) },
  { title: 'EMAIL', text: (user) => user.email },
  { title: 'NAME', text: (user) => user.name },
  { title: 'ROLE', text: (user) => (user.isAdmin ? 'admin' : 'user') },
  { title: 'STATE', text: stateOf },
  { title: 'LAST SIGN-IN', text: (user) => (user.lastLoginAt ? day(user.lastLoginAt) : '-') },
  { title: 'CREATED', text: (user) => day(user.createdAt) },
  { title: 'USED', text: ({ usedBytes }) => formatBytes(usedBytes) },
  { title: 'QUOTA', text: ({ quota }) => sayQuota(quota) },
]

function stateOf({ disabledAt, invitedAt, requestedAt }: ListedUser): string {
  if (requestedAt) return 'waiting'
  if (disabledAt) return 'disabled'
  return invitedAt ? 'invited' : 'active'
}

/** In the form that `users quota` accepts. */
function sayQuota(quota: number | null): string {
  if (quota === null) return 'default'
  return quota === 0 ? '0' : formatBytes(quota)
}

export function listUsers(call: Call): Promise<Report> {
  return withApp({ bytes: false }, async ({ services }) => {
    const newest = await services.users.list()
    const users = call.has('by-use')
      ? newest.toSorted((left, right) => right.usedBytes - left.usedBytes)
      : newest
    return {
      json: users.map(presentListedUser),
      text: formatTable(users, columns),
    }
  })
}

export async function setPassword(call: Call): Promise<Report> {
  const [word = ''] = call.operands
  const given = await readNewPassword(`New password for ${printable(word)}: `)
  const password = parseInput(newPasswordSchema, given, 'password')
  return withApp({ bytes: false }, async ({ services }) => {
    const user = await findAccount(services.users, word)
    await accounts.setPassword(services, operator, user.id, password)
    return {
      json: { success: true },
      text: `set the password of ${printable(user.email)}; its sessions and API tokens have ended`,
    }
  })
}

const changeSchema = v.object({
  name: v.optional(userNameSchema),
  email: v.optional(emailSchema),
})

export async function changeUser(call: Call): Promise<Report> {
  const [word = ''] = call.operands
  const change = parseInput(changeSchema, {
    name: call.text('name') ?? undefined,
    email: call.text('email') ?? undefined,
  })
  const isAdmin = readRole(call)
  if (Object.values({ ...change, isAdmin }).every((value) => value === undefined)) {
    throw new UsageError('users change takes --name, --email, --admin or --no-admin')
  }
  return withApp({ bytes: false }, async ({ services }) => {
    const { id } = await findAccount(services.users, word)
    await services.users.update(operator, id, { ...change, isAdmin })
    const user = await services.users.find(id)
    const role = user.isAdmin ? ' (administrator)' : ''
    return {
      json: presentManagedUser(user),
      text: `user ${id} is now ${printable(user.name)} <${printable(user.email)}>${role}`,
    }
  })
}

function readRole(call: Call): boolean | undefined {
  if (call.has('admin') && call.has('no-admin')) {
    throw new UsageError('--admin and --no-admin exclude each other')
  }
  return call.has('admin') ? true : call.has('no-admin') ? false : undefined
}

export async function setQuota(call: Call): Promise<Report> {
  const [word = '', bytes = ''] = call.operands
  const quota = parseInput(quotaSchema, readQuota(bytes), 'quota')
  return withApp({ bytes: false }, async ({ services }) => {
    const user = await findAccount(services.users, word)
    await services.users.update(operator, user.id, { quota })
    const said = quota === null ? 'the setting userQuota' : sayBytes(quota ?? 0)
    return { json: { success: true }, text: `the quota of ${printable(user.email)} is ${said}` }
  })
}

/** @throws UsageError */
function readQuota(text: string): number | null {
  if (text === 'default') return null
  const bytes = parseBytes(text)
  if (bytes === null) {
    throw new UsageError(
      `"${text}" is no size: write 50GB, 500MiB, bytes, 0 for no limit, or default`,
    )
  }
  return bytes
}

function sayBytes(quota: number): string {
  if (quota === 0) return 'unlimited'
  return quota < 1000 ? `${quota} bytes` : `${quota} bytes (${formatBytes(quota)})`
}

export function setDisabled(call: Call, disabled: boolean): Promise<Report> {
  return withApp({ bytes: false }, async ({ services }) => {
    const { id, email } = await findAccount(services.users, call.operands[0]!)
    await services.users.update(operator, id, { disabled })
    return {
      json: presentManagedUser(await services.users.find(id)),
      text: `${disabled ? 'disabled' : 'enabled'} ${printable(email)}`,
    }
  })
}

export function resetSecondFactor(call: Call): Promise<Report> {
  return withApp({ bytes: false }, async ({ services }) => {
    const { id, email } = await findAccount(services.users, call.operands[0]!)
    const had = await reset(services, operator, id)
    const shown = printable(email)
    return {
      json: { success: true },
      text: had
        ? `removed the second factor of ${shown}; its sessions and API tokens have ended`
        : `${shown} has no second factor: nothing was changed`,
    }
  })
}

export function endSessions(call: Call): Promise<Report> {
  return withApp({ bytes: false }, async ({ services }) => {
    const { id, email } = await findAccount(services.users, call.operands[0]!)
    const ended = await services.auth.endSessionsOf(operator, id)
    return {
      json: { success: true, ended },
      text: `ended ${ended} sessions of ${printable(email)}`,
    }
  })
}

export function deleteUser(call: Call): Promise<Report> {
  return withApp({ bytes: true }, async ({ services }) => {
    const { id, email } = await findAccount(services.users, call.operands[0]!)
    const heir = await findOwnerId(services.users, call.text('transfer-to'))
    const fate =
      heir === null ? 'Everything it owns is deleted too.' : 'Everything it owns is kept.'
    await confirm(`${fate} Type the email address to confirm (${email}):`, email, call.has('yes'))
    await services.users.delete(operator, id, heir)
    return { json: { success: true }, text: `deleted ${printable(email)}` }
  })
}

/** The account with this id or email address. Throws CodedError not_found. */
async function findAccount(users: Users, word: string): Promise<User> {
  try {
    if (!/^[1-9][0-9]{0,9}$/.test(word)) return await users.findByEmail(word)
    if (Number(word) <= rowNumberMax) return await users.find(Number(word))
  } catch (error) {
    if (!(error instanceof CodedError && error.code === 'not_found')) throw error
  }
  throw new CodedError('not_found', { message: `There is no account "${word}".` })
}

/** The id of the account in an option; null without the option. */
export async function findOwnerId(users: Users, word: string | null): Promise<number | null> {
  return word === null ? null : (await findAccount(users, word)).id
}

const newUserSchema = v.object({
  email: emailSchema,
  name: userNameSchema,
  password: newPasswordSchema,
})

export async function addUser(call: Call): Promise<Report> {
  const [email = ''] = call.operands
  const password = await readNewPassword(`Password for ${printable(email)}: `)
  const name = call.text('name') ?? localPartOf(email)
  const input = parseInput(newUserSchema, { email, name, password })
  return withApp({ bytes: false, create: true }, async ({ services }) => {
    const user = await services.users.create(operator, { ...input, isAdmin: call.has('admin') })
    const role = user.isAdmin ? ' (administrator)' : ''
    return {
      json: presentManagedUser(user),
      text: `created user ${user.id}: ${printable(user.email)}${role}`,
    }
  })
}

const tokenColumns: Column<OwnedApiToken>[] = [
  { title: 'ID', text: ({ token }) => token.id },
  { title: 'OWNER', text: ({ owner }) => owner.email },
  { title: 'NAME', text: ({ token }) => token.name },
  { title: 'USED', text: ({ token }) => day(token.lastUsedAt) },
  { title: 'EXPIRES', text: ({ token }) => day(token.expiresAt) },
]

export function listTokens(call: Call): Promise<Report> {
  return withApp({ bytes: false }, async ({ services }) => {
    const ownerId = await findOwnerId(services.users, call.operands[0] ?? null)
    const tokens = await listApiTokens(services.database.sql, ownerId)
    return {
      json: tokens.map(({ token, owner }) => ({ ...present(tokenSchema, token), owner })),
      text: formatTable(tokens, tokenColumns),
    }
  })
}

export function revokeTokens(call: Call): Promise<Report> {
  const names = { noun: 'API token', parameter: 'tokenId', done: 'revoked' }
  return withApp({ bytes: false }, ({ services }) =>
    deleteEach(call.operands, names, (id) => remove(services, operator, id, null)),
  )
}
