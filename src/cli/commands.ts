import type { Command, OptionSpec } from './command.ts'

const yes: OptionSpec = { value: null, doc: 'Do not ask first; needed where nobody can be asked.' }
const owner: OptionSpec = { value: '<user>', doc: 'Only those of this account.' }
const userDoc = '<user> is an e-mail address or an id.'
const passwordDoc =
  'The password is asked for, or read from the first line of standard input;\n' +
  'never from the command line, where every user of the machine could read it.'
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
    more: 'It needs no data and no database.',
    run: async () => (await import('./docs.ts')).serveDocs(),
  },
  migrate: {
    ...none,
    doc: 'Bring the database to this version.',
    more: 'The service does it too when it starts.',
    run: async () => (await import('./migrate.ts')).migrateDatabase(),
  },
  'config show': {
    ...none,
    hasJson: false,
    doc: 'Show the boot options, secrets masked.',
    run: async () => (await import('./config-show.ts')).showConfig(),
  },
  'users list': {
    ...none,
    doc: 'List all accounts.',
    run: async () => (await import('./users/list.ts')).listUsers(),
  },
  'users add': {
    ...one,
    operands: '<e-mail>',
    options: {
      name: { value: 'NAME', doc: 'Name to show; else the part before the @.' },
      admin: { value: null, doc: 'Make it an administrator.' },
    },
    doc: 'Create an account.',
    more: `${passwordDoc}\n\`user add\` is the same command.`,
    run: async (call) => (await import('./users/add.ts')).addUser(call),
  },
  'users invite': {
    ...one,
    operands: '<e-mail>',
    options: {
      name: { value: 'NAME', doc: 'Name to show; else the part before the @.' },
      admin: { value: null, doc: 'Make it an administrator.' },
    },
    doc: 'Create an account by a link, 7 days valid.',
    more:
      'Whoever has the link sets the password, once. It is mailed, too, where mail is\n' +
      'set up. Who was invited and has set none yet gets a new link, and the old one\n' +
      'is void.',
    run: async (call) => (await import('./users/invite.ts')).inviteUser(call),
  },
  'users quota': {
    ...one,
    operands: '<user> <bytes>',
    operandsMin: 2,
    operandsMax: 2,
    options: {},
    doc: 'Set how many bytes an account may use.',
    more: `${userDoc} 0 is no limit;\n\`default\` what the setting userQuota says.`,
    run: async (call) => (await import('./users/quota.ts')).setQuota(call),
  },
  'users passwd': {
    ...oneUser,
    doc: 'Set a password; ends logins and API tokens.',
    more: `${userDoc}\n${passwordDoc}`,
    run: async (call) => (await import('./users/passwd.ts')).setPassword(call),
  },
  'users disable': {
    ...oneUser,
    doc: 'Lock an account and its links; ends logins.',
    run: async (call) => (await import('./users/disable.ts')).setDisabled(call, true),
  },
  'users enable': {
    ...oneUser,
    doc: 'Let a disabled account in again.',
    run: async (call) => (await import('./users/disable.ts')).setDisabled(call, false),
  },
  'users reset-2fa': {
    ...oneUser,
    doc: 'Take a lost second factor away.',
    more: `${userDoc} Ends the account’s logins and API tokens.`,
    run: async (call) => (await import('./users/reset-2fa.ts')).resetSecondFactor(call),
  },
  'users delete': {
    ...oneUser,
    options: {
      'transfer-to': { value: '<user>', doc: 'Hand what it owns to this account first.' },
      yes,
    },
    doc: 'Delete an account with all it owns.',
    run: async (call) => (await import('./users/delete.ts')).deleteUser(call),
  },
  'sessions end': {
    ...oneUser,
    doc: 'End all logins of an account.',
    more: `${userDoc} Its API tokens go on.`,
    run: async (call) => (await import('./sessions/end.ts')).endSessions(call),
  },
  'tokens list': {
    ...oneUser,
    operands: '[<user>]',
    operandsMin: 0,
    doc: 'List API tokens, of one account or all.',
    run: async (call) => (await import('./tokens/list.ts')).listTokens(call),
  },
  'tokens revoke': {
    ...none,
    ...many,
    operands: '<tokenId>…',
    doc: 'End API tokens.',
    more: 'Every upload token of their accounts ends too.',
    run: async (call) => (await import('./tokens/revoke.ts')).revokeTokens(call),
  },
  'settings get': {
    ...none,
    operands: '[key…]',
    operandsMax: 1000,
    doc: 'Show settings, all or some.',
    more: 'One key shows its bare value.',
    run: async (call) => (await import('./settings/get.ts')).getSettings(call),
  },
  'settings set': {
    ...none,
    ...many,
    operands: '<key=value>…',
    options: { custom: { value: null, doc: 'Also keep keys that no setting is called.' } },
    doc: 'Change settings, all that are given or none.',
    more:
      'Lists are JSON, as in blockedExtensions=\'["exe","bat"]\'. `key=-` asks for the\n' +
      'value, or reads it from standard input: a must for secrets. A running service\n' +
      'follows within 5 seconds.',
    run: async (call) => (await import('./settings/set.ts')).setSettings(call),
  },
  'shares list': {
    ...none,
    options: {
      owner,
      state: { value: 'STATE', doc: 'Only draft, complete or expired ones.' },
      limit: { value: 'COUNT', doc: 'Only so many, the newest.' },
    },
    doc: 'List the shares of all accounts.',
    more: userDoc,
    run: async (call) => (await import('./shares/list.ts')).listShares(call),
  },
  'shares delete': {
    ...none,
    ...many,
    operands: '<id>…',
    options: { yes },
    doc: 'Delete shares and their files.',
    run: async (call) => (await import('./shares/delete.ts')).deleteShares(call),
  },
  'reverse list': {
    ...none,
    options: { owner },
    doc: 'List the reverse shares of all accounts.',
    more: userDoc,
    run: async (call) => (await import('./reverse-shares/list.ts')).listReverseShares(call),
  },
  'reverse delete': {
    ...none,
    ...many,
    operands: '<id>…',
    options: { yes },
    doc: 'Delete reverse shares and what came in.',
    run: async (call) => (await import('./reverse-shares/delete.ts')).deleteReverseShares(call),
  },
  'clean-up': {
    ...none,
    options: {
      'trust-clock': { value: null, doc: 'Remove what is over even if the clock looks wrong.' },
    },
    doc: 'Remove now what is over.',
    more:
      'The service does it by itself, too; of two processes one does each job. Exit\n' +
      'code 1 when the clock looked wrong and something was left for that.',
    run: async (call) => (await import('./clean-up.ts')).cleanUp(call),
  },
  verify: {
    ...none,
    options: {
      rate: { value: '<MB/s>', doc: 'Read no faster than this.' },
      restart: { value: null, doc: 'Begin again where an interrupted run could go on.' },
      repair: { value: null, doc: 'Remove what belongs to nothing, once all is read.' },
      yes,
    },
    doc: 'Read all stored bytes and check them.',
    more:
      'It finds segments that are missing or short, bytes that have changed, and\n' +
      'folders and segments that the database does not know. An interrupted run goes\n' +
      'on where it was. Exit code 1 when something was found.',
    run: async (call) => (await import('./verify.ts')).verify(call),
  },
}

/** Older words for the same commands. */
export const aliases: Readonly<Record<string, string>> = {
  'user add': 'users add',
  sweep: 'clean-up',
}
