import type { Command, OptionSpec } from './command.ts'

const rate: OptionSpec = { value: '<MB/s>', doc: 'Maximum read speed.' }
const snapshot: OptionSpec = { value: 'NAME', doc: 'This snapshot instead of the newest.' }

/** What many declarations share. */
const many = { operandsMin: 1, operandsMax: 1000 }
const none = { operands: '', operandsMin: 0, operandsMax: 0, options: {}, hasJson: true }
const one = { operandsMin: 1, operandsMax: 1, hasJson: true }
const userDoc = '<user> is an email address or an id.'
const owner: OptionSpec = { value: '<user>', doc: 'Only those of this account.' }
const yes: OptionSpec = {
  value: null,
  doc: 'Skip the confirmation; required without a terminal.',
}
const oneUser = { ...one, operands: '<user>', options: {}, more: userDoc }
const passwordDoc =
  'Prompts for the password, or reads it from the first line of standard input.\n' +
  'It cannot be an argument, because every user of the machine can read those.'

/** Every command by its words; its code is loaded on demand. */
export const commands: Readonly<Record<string, Command>> = {
  serve: {
    ...none,
    hasJson: false,
    doc: 'Run the service.',
    isWithoutData: true,
    run: async () => (await import('./serve.ts')).serve(),
  },
  docs: {
    ...none,
    hasJson: false,
    doc: 'Serve the documentation site alone.',
    more: 'Needs no data and no database.',
    isWithoutData: true,
    run: async () => (await import('./listen.ts')).serveDocs(),
  },
  migrate: {
    ...none,
    doc: 'Migrate the database to this version.',
    more: 'The service also does this when it starts.',
    run: async () => (await import('./migrate.ts')).migrateDatabase(),
  },
  'config show': {
    ...none,
    doc: 'Show boot options, with secrets masked.',
    isWithoutData: true,
    run: async () => (await import('./config-show.ts')).showConfig(),
  },
  doctor: {
    ...none,
    options: {
      proxy: { value: 'NAME', doc: 'Show lines for nginx, caddy, apache or traefik.' },
      slow: { value: null, doc: 'Also check that a pause of a minute passes.' },
    },
    doc: 'Check proxy, disk, clock, email and backups.',
    more:
      'Sends requests to the service through BASE_URL, and shows which line of\n' +
      'configuration mends what it finds. Changes nothing and sends no email. Exits\n' +
      'with 1 if there are problems.',
    run: async (call) => (await import('./doctor.ts')).checkUp(call),
  },
  'secret rotate': {
    ...none,
    options: {
      from: { value: 'FILE', doc: 'File with the former secret, or the former key file.' },
      lost: { value: null, doc: 'The former secret is lost: remove what only it can open.' },
      yes: { value: null, doc: 'With --lost: do not ask; required without a terminal.' },
    },
    doc: 'Change the secret, and end every session.',
    more:
      'Stop the service first. Without JWT_SECRET, this makes a new key file. With it,\n' +
      'save the former value in a file, set the new one, and name the file with --from.\n' +
      'Second factors and secret settings keep working.',
    run: async (call) => (await import('./secret.ts')).rotateSecret(call),
  },
  'users list': {
    ...none,
    options: { 'by-use': { value: null, doc: 'Sort by use, the largest first.' } },
    doc: 'List all accounts.',
    more: 'USED is what an account has on disk, as it counts for its quota.',
    run: async (call) => (await import('./users.ts')).listUsers(call),
  },
  'users add': {
    ...one,
    operands: '<email>',
    options: {
      name: { value: 'NAME', doc: 'Display name; by default the part before the @.' },
      admin: { value: null, doc: 'Make it an administrator.' },
    },
    doc: 'Create an account.',
    more: passwordDoc,
    run: async (call) => (await import('./users.ts')).addUser(call),
  },
  'users change': {
    ...oneUser,
    options: {
      name: { value: 'NAME', doc: 'Its new display name.' },
      email: { value: 'EMAIL', doc: 'Its new email address.' },
      admin: { value: null, doc: 'Make it an administrator.' },
      'no-admin': { value: null, doc: 'Make it an ordinary account.' },
    },
    doc: 'Rename an account, or change its role.',
    more: `${userDoc} A new address is reported to the old one.`,
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
    run: async (call) => (await import('./users.ts')).listTokens(call),
  },
  'tokens revoke': {
    ...none,
    ...many,
    operands: '<tokenId>…',
    doc: 'Revoke API tokens.',
    more: 'Also ends all upload tokens of their accounts.',
    run: async (call) => (await import('./users.ts')).revokeTokens(call),
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
      'Lists are JSON, as in blockedExtensions=\'["exe","bat"]\'. Sizes may have a unit,\n' +
      'as in userQuota=50GB. `key=-` prompts for the value or reads it from standard\n' +
      'input, as secrets require. A running service applies changes within 5 seconds.',
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
    operands: '[<id>…]',
    operandsMax: 1000,
    options: {
      owner: { value: '<user>', doc: 'All shares of this account, in place of ids.' },
      yes,
    },
    doc: 'Delete shares and their files.',
    more: userDoc,
    run: async (call) => (await import('./shares.ts')).deleteShares(call),
  },
  'reverse list': {
    ...none,
    options: { owner },
    doc: 'List the reverse shares of all accounts.',
    more: userDoc,
    run: async (call) => (await import('./shares.ts')).listReverseShares(call),
  },
  'reverse delete': {
    ...none,
    ...many,
    operands: '<id>…',
    options: { yes },
    doc: 'Delete reverse shares and their deliveries.',
    run: async (call) => (await import('./shares.ts')).deleteReverseShares(call),
  },
  audit: {
    ...none,
    options: {
      event: { value: 'EVENT', doc: 'Only this event, as login.failed, or a prefix, as share.' },
      actor: { value: '<user>', doc: 'Only what this account did.' },
      target: { value: 'TARGET', doc: 'Only what was done to this id or email address.' },
      since: { value: 'TIME', doc: 'From this day or time in UTC: 2030-12-31.' },
      limit: { value: 'COUNT', doc: 'The newest COUNT events, at most 1000; 50 by default.' },
    },
    doc: 'Show the newest events of the audit log.',
    more: userDoc,
    run: async (call) => (await import('./audit.ts')).showAudit(call),
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
  backup: {
    ...one,
    operands: '<folder>|-',
    options: {
      keep: { value: '<age>', doc: 'Then remove older snapshots, as in 7d, 12h or 4w.' },
      rate,
    },
    doc: 'Back up everything, while the service runs.',
    more:
      'Adds a snapshot to the folder and copies only what earlier ones lack. With -,\n' +
      'writes a tar archive to standard output. The newest snapshot is always kept.\n' +
      'Exits with 1 if files were found damaged; the snapshot is still made.',
    run: async (call) => (await import('./backup.ts')).backup(call),
  },
  'backup list': {
    ...one,
    operands: '<folder>',
    options: {},
    doc: 'List the snapshots of a backup.',
    isWithoutData: true,
    run: async (call) => (await import('./backup-list.ts')).listBackups(call),
  },
  'backup verify': {
    ...one,
    operands: '<folder>',
    options: { snapshot, rate },
    doc: 'Read a backup and check all of its bytes.',
    more: 'Needs no data and no database. Exits with 1 if files are damaged.',
    isWithoutData: true,
    run: async (call) => (await import('./backup-list.ts')).verifyBackup(call),
  },
  restore: {
    ...one,
    operands: '<folder>|-',
    options: {
      snapshot,
      'no-mail': { value: null, doc: 'Hold all emails, to try a backup.' },
      rate,
    },
    doc: 'Restore a backup into empty places.',
    more:
      'Restores to DATA_DIR, STORAGE_DIR and DATABASE_URL, which must be empty, and\n' +
      'checks all bytes on the way. Exits with 1 if files are damaged; the others are\n' +
      'restored.',
    run: async (call) => (await import('./restore.ts')).restore(call),
  },
  'storage copy': {
    ...none,
    options: {
      to: { value: '<place>', doc: 'STORAGE_DIR or BLOBS_URL, as in the options.' },
      rate,
    },
    doc: 'Move all files between a folder and S3.',
    more:
      'The service goes on working, with the options of both places: set BLOBS_URL and\n' +
      'reload it first. Resumes an interrupted run. The former place is unchanged, and\n' +
      'can be removed afterwards. Exits with 1 if files were found damaged.',
    run: async (call) => (await import('./storage-copy.ts')).copyStorage(call),
  },
  'emails hold': {
    ...none,
    doc: 'Keep all emails in the queue.',
    run: async () => (await import('./settings.ts')).holdEmails(true),
  },
  'emails release': {
    ...none,
    doc: 'Send the emails that were held.',
    run: async () => (await import('./settings.ts')).holdEmails(false),
  },
  verify: {
    ...none,
    options: {
      rate,
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
