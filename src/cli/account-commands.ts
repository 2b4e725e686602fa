import { many, none, one, userDoc, yes } from './command.ts'
import type { Command } from './command.ts'

const oneUser = { ...one, operands: '<user>', options: {}, more: userDoc }
const newAccount: Command['options'] = {
  name: { value: 'NAME', doc: 'Display name; by default the part before the @.' },
  admin: { value: null, doc: 'Make it an administrator.' },
}
const passwordDoc =
  'Prompts for the password, or reads it from the first line of standard input.\n' +
  'It cannot be an argument, because every user of the machine can read those.'

export const accountCommands: Readonly<Record<string, Command>> = {
  'users list': {
    ...none,
    options: { 'by-use': { value: null, doc: 'Those that use most first.' } },
    doc: 'List all accounts.',
    more: 'USED is what an account has on disk, as it counts for its quota.',
    run: async (call) => (await import('./users.ts')).listUsers(call),
  },
  'users add': {
    ...one,
    operands: '<email>',
    options: newAccount,
    doc: 'Create an account.',
    more: passwordDoc,
    run: async (call) => (await import('./new-users.ts')).addUser(call),
  },
  'users invite': {
    ...one,
    operands: '<email>',
    options: newAccount,
    doc: 'Create an account through an invitation.',
    more:
      'Prints a link that sets the password once and expires after 7 days. It is also\n' +
      'emailed if email is set up. For an account that has not accepted yet, a new\n' +
      'link replaces the old one.',
    run: async (call) => (await import('./new-users.ts')).inviteUser(call),
  },
  'users change': {
    ...oneUser,
    options: {
      name: { value: 'NAME', doc: 'Its new display name.' },
      email: { value: 'EMAIL', doc: 'Its new email address.' },
      admin: { value: null, doc: 'Make it an administrator.' },
      'no-admin': { value: null, doc: 'Make it an account without administration.' },
    },
    doc: 'Rename an account, or change its role.',
    more: `${userDoc} The former address is told of a new one.`,
    run: async (call) => (await import('./users.ts')).changeUser(call),
  },
  'users quota': {
    ...one,
    operands: '<user> <size>',
    operandsMin: 2,
    operandsMax: 2,
    options: {},
    doc: 'Set the storage quota of an account.',
    more:
      `${userDoc}\n<size> is like 50GB or 500MiB, 0 for no limit, or \`default\` for the\n` +
      'setting userQuota.',
    run: async (call) => (await import('./users.ts')).setQuota(call),
  },
  'users passwd': {
    ...oneUser,
    doc: 'Set a password; ends sessions and API tokens.',
    more: `${userDoc}\n${passwordDoc}`,
    run: async (call) => (await import('./users.ts')).setPassword(call),
  },
  'users disable': {
    ...oneUser,
    doc: 'Disable an account and its links.',
    run: async (call) => (await import('./users.ts')).setDisabled(call, true),
  },
  'users enable': {
    ...oneUser,
    doc: 'Enable a disabled account, or approve a new one.',
    run: async (call) => (await import('./users.ts')).setDisabled(call, false),
  },
  'users reset-2fa': {
    ...oneUser,
    doc: 'Remove the second factor of an account.',
    more: `${userDoc} Also ends sessions and API tokens.`,
    run: async (call) => (await import('./users.ts')).resetSecondFactor(call),
  },
  'users delete': {
    ...oneUser,
    options: {
      'transfer-to': { value: '<user>', doc: 'Transfer its shares to this account first.' },
      yes,
    },
    doc: 'Delete an account and everything it owns.',
    run: async (call) => (await import('./users.ts')).deleteUser(call),
  },
  'sessions end': {
    ...oneUser,
    doc: 'End all sessions of an account.',
    more: `${userDoc} API tokens keep working.`,
    run: async (call) => (await import('./users.ts')).endSessions(call),
  },
  'tokens list': {
    ...oneUser,
    operands: '[<user>]',
    operandsMin: 0,
    doc: 'List API tokens of one account or all.',
    run: async (call) => (await import('./tokens.ts')).listTokens(call),
  },
  'tokens revoke': {
    ...none,
    ...many,
    operands: '<tokenId>…',
    doc: 'Revoke API tokens.',
    more: 'Also ends all upload tokens of their accounts.',
    run: async (call) => (await import('./tokens.ts')).revokeTokens(call),
  },
}
