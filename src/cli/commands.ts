import type { Command, OptionSpec } from './command.ts'

const yes: OptionSpec = { value: null, doc: 'Skip the confirmation; required without a terminal.' }
const owner: OptionSpec = { value: '<user>', doc: 'Only those of this account.' }
const userDoc = '<user> is an email address or an id.'
const passwordDoc =
  'Prompts for the password, or reads it from the first line of standard input.\n' +
  'It cannot be an argument, because every user of the machine can read those.'
const many = { operandsMin: 1, operandsMax: 1000 }
const none = { operands: '', operandsMin: 0, operandsMax: 0, options: {}, hasJson: true }
const one = { operandsMin: 1, operandsMax: 1, hasJson: true }
const oneUser = { ...one, operands: '<user>', options: {}, more: userDoc }

/** Every command by its words; its code is loaded on demand. */
export const commands: Readonly<Record<string, Command>> = {
  serve: {
    ...none,
    hasJson: false,
    doc: 'Run the service.',
    run: async () => (await import('./serve.ts')).serve(),
  },
  docs: {
    ...none,
    hasJson: false,
    doc: 'Serve the documentation site alone.',
    more: 'Needs no data and no database.',
    run: async () => (await import('./docs.ts')).serveDocs(),
  },
  migrate: {
    ...none,
    doc: 'Migrate the database to this version.',
    more: 'The service also does this when it starts.',
    run: async () => (await import('./migrate.ts')).migrateDatabase(),
  },
  'config show': {
    ...none,
    hasJson: false,
    doc: 'Show boot options, with secrets masked.',
    run: async () => (await import('./config-show.ts')).showConfig(),
  },
  'users list': {
    ...none,
    doc: 'List all accounts.',
    run: async () => (await import('./users.ts')).listUsers(),
  },
  'users add': {
    ...one,
    operands: '<email>',
    options: {
      name: { value: 'NAME', doc: 'Display name; by default the part before the @.' },
      admin: { value: null, doc: 'Make it an administrator.' },
    },
    doc: 'Create an account.',
    more: `${passwordDoc}\n\`user add\` is the same command.`,
    run: async (call) => (await import('./new-users.ts')).addUser(call),
  },
  'users invite': {
    ...one,
    operands: '<email>',
    options: {
      name: { value: 'NAME', doc: 'Display name; by default the part before the @.' },
      admin: { value: null, doc: 'Make it an administrator.' },
    },
    doc: 'Create an account through an invitation.',
    more:
      'Prints a link that sets the password once and expires after 7 days. It is also\n' +
      'emailed if email is set up. For an account that has not accepted yet, a new\n' +
      'link replaces the old one.',
    run: async (call) => (await import('./new-users.ts')).inviteUser(call),
  },
  'users quota': {
    ...one,
    operands: '<user> <bytes>',
    operandsMin: 2,
    operandsMax: 2,
    options: {},
    doc: 'Set the storage quota of an account.',
    more: `${userDoc}\n<bytes> is 0 for no limit, or \`default\` for the setting userQuota.`,
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
    doc: 'Enable a disabled account.',
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
  'settings get': {
    ...none,
    operands: '[key…]',
    operandsMax: 1000,
    doc: 'Show all settings, or some.',
    more: 'With a single key, prints only its value.',
    run: async (call) => (await import('./settings.ts')).getSettings(call),
  },
  'settings set': {
    ...none,
    ...many,
    operands: '<key=value>…',
    options: { custom: { value: null, doc: 'Also store keys that are not settings.' } },
    doc: 'Change settings, either all given or none.',
    more:
      'Lists are JSON, as in blockedExtensions=\'["exe","bat"]\'. `key=-` prompts for\n' +
      'the value or reads it from standard input, as secrets require. A running\n' +
      'service applies changes within 5 seconds.',
    run: async (call) => (await import('./settings.ts')).setSettings(call),
  },
  'shares list': {
    ...none,
    options: {
      owner,
      state: { value: 'STATE', doc: 'Only shares in this state: draft, complete or expired.' },
      limit: { value: 'COUNT', doc: 'Only the newest COUNT shares.' },
    },
    doc: 'List the shares of all accounts.',
    more: userDoc,
    run: async (call) => (await import('./shares.ts')).listShares(call),
  },
  'shares delete': {
    ...none,
    ...many,
    operands: '<id>…',
    options: { yes },
    doc: 'Delete shares and their files.',
    run: async (call) => (await import('./shares.ts')).deleteShares(call),
  },
  'reverse list': {
    ...none,
    options: { owner },
    doc: 'List the reverse shares of all accounts.',
    more: userDoc,
    run: async (call) => (await import('./reverse-shares.ts')).listReverseShares(call),
  },
  'reverse delete': {
    ...none,
    ...many,
    operands: '<id>…',
    options: { yes },
    doc: 'Delete reverse shares and their deliveries.',
    run: async (call) => (await import('./reverse-shares.ts')).deleteReverseShares(call),
  },
  'clean-up': {
    ...none,
    options: {
      'trust-clock': { value: null, doc: 'Clean up even if the clock seems wrong.' },
    },
    doc: 'Remove everything that has expired.',
    more:
      'The service also does this regularly; each job runs in one process at a time.\n' +
      'Exits with 1 if jobs were skipped because the clock seems wrong.',
    run: async (call) => (await import('./clean-up.ts')).cleanUp(call),
  },
  verify: {
    ...none,
    options: {
      rate: { value: '<MB/s>', doc: 'Maximum read speed.' },
      restart: { value: null, doc: 'Start over instead of resuming.' },
      repair: { value: null, doc: 'Remove orphans once everything is read.' },
      yes,
    },
    doc: 'Check all stored bytes.',
    more:
      'Finds missing and short segments, changed bytes, and orphans: folders and\n' +
      'segments unknown to the database. Resumes an interrupted run. Exits with 1 if\n' +
      'it found something.',
    run: async (call) => (await import('./verify.ts')).verify(call),
  },
}

/** Older words for the same commands. */
export const aliases: Readonly<Record<string, string>> = {
  'user add': 'users add',
  sweep: 'clean-up',
}
