// Wrong calls: exit code 2, nothing on standard output, nothing started.
import { readdirSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { commands } from '../../src/cli/commands.ts'
import { describeCommand, listCommands } from '../../src/cli/help.ts'
import { version } from '../../src/lib/package-root.ts'
import { makeDataDir, removeDataDir, runCommand } from '../helpers/service-process.ts'

const usage = suite<{ dataDir: string }>('cli: wrong usage')

usage.before((scene) => {
  scene.dataDir = makeDataDir()
})
usage.after((scene) => removeDataDir(scene.dataDir))

const wrong: [args: string[], said: RegExp | string][] = [
  [['sevre'], 'there is no command "sevre"'],
  [['users'], 'users: choose one of users list, users add'],
  [['users', 'lst'], 'there is no command "users lst"'],
  [['__proto__'], 'there is no command "__proto__"'],
  [['\u001b[2Jserve'], 'there is no command "\\u{1b}[2Jserve"'],
  [['help', 'sevre'], 'there is no command "sevre"'],
  [['users', 'sevre', '--help'], 'there is no command "users sevre"'],
  [['users', 'list', '--jsno'], 'users list has no option --jsno'],
  [['users', 'list', 'somebody'], 'users list takes no arguments'],
  [['users', 'add', 'a@b.c', '--name'], /^--name needs a value: --name NAME, or --name=NAME\n/],
  [['users', 'add', 'b@example.org', '--admin=yes'], /^--admin takes no value\n/],
  [['users', 'add', 'b@example.org', 'a password in argv'], 'standard input'],
  [['tokens', 'revoke'], 'tokens revoke takes <tokenId>…'],
  [['shares', 'list', '--state', 'expird'], 'not "expird"'],
  [['shares', 'list', '--limit', '0'], '--limit must be a number'],
  [['audit', '--limit', '0'], '--limit: must be a whole number from 1 to 1000'],
  [['audit', '--since', 'yesterday'], '--since: must be a timestamp'],
  [['shares', 'delete', '--yes'], 'shares delete takes ids, or --owner <user>'],
  [['shares', 'delete', 'some-id'], 'cannot be undone: add --yes'],
  [['shares', 'delete', 'a', '--owner', '1'], 'shares delete takes ids, or --owner <user>'],
  [['users', 'change', '1'], 'users change takes --name, --email, --admin or --no-admin'],
  [['users', 'change', '1', '--admin', '--no-admin'], '--admin and --no-admin exclude each other'],
  [['backup', '-', '--keep', '7d'], '--keep'],
  [['backup', 'a', '--keep', '7'], '--keep 7'],
  [['restore', '-', '--snapshot', 'a'], '--snapshot'],
  [['restore', ''], 'the folder is empty: name the folder of the backup'],
  [['settings', 'set', 'appName'], '"appName" is not key=value'],
  [['settings', 'set', 'appNmae=x'], 'there is no setting "appNmae"'],
  [['settings', 'set', 'baseUrl=http://a.example'], 'baseUrl cannot be set'],
  [['settings', 'set', 'smtpPort=1', 'smtpPort=2'], 'smtpPort is given more than once'],
  [['settings', 'set', 'logo=-', 'appName=-'], 'can hold only one value: logo, appName'],
  [['settings', 'set', 'smtpPassword=hunter2'], 'use smtpPassword=- and pass it on standard'],
  [['verify', '--rate', 'fast'], '--rate fast: must be megabytes per second'],
  [['verify', '--rate', '0'], 'megabytes per second'],
  [['verify', '--rate', '--repair'], /^--rate needs a value: --rate <MB\/s>, or --rate=<MB\/s>\n/],
  [['verify', '--yes'], '--yes requires --repair'],
  [['verify', '--repair'], '--repair removes files: add --yes'],
  [['serve', '--json'], 'serve does not support --json'],
  [['--config=', 'config', 'show'], '--config needs the path of an options file'],
]
for (const [args, said] of wrong) {
  usage(`should refuse \`${JSON.stringify(args.join(' '))}\``, async ({ dataDir }) => {
    const { code, stdout, stderr } = await runCommand(args, { DATA_DIR: dataDir }, 'long enough')
    assert.is(code, 2, stderr)
    assert.is(stdout, '')
    assert.match(stderr, said)
    assert.not.match(stderr, '    at ', 'no stack trace')
    assert.not.match(stderr, 'hunter2')
    assert.equal(readdirSync(dataDir), [], 'nothing is created')
  })
}

usage('should print the same error in JSON on request', async ({ dataDir }) => {
  const args = ['--json', 'users', 'lst']
  const { code, stdout, stderr } = await runCommand(args, { DATA_DIR: dataDir })
  assert.equal([code, stdout], [2, ''])
  assert.is(JSON.parse(stderr).code, 'usage')
})

const help = suite('cli: help')

help('should list every command when called without one, or with help', async () => {
  for (const args of [[], ['help'], ['--help'], ['-h']]) {
    const { code, stdout, stderr } = await runCommand(args)
    assert.equal([code, stderr], [0, ''])
    for (const words of Object.keys(commands)) assert.match(stdout, `\n  ${words} `)
  }
})

help('should show the version', async () => {
  for (const args of [['--version'], ['-V'], ['version']]) {
    const { code, stdout, stderr } = await runCommand(args)
    assert.equal([code, stdout, stderr], [0, `transfer ${version}\n`, ''])
  }
})

help('should describe a group, and one command by `help` and by `--help`', async () => {
  const { stdout } = await runCommand(['help', 'tokens'])
  assert.match(stdout, '  tokens revoke <tokenId>…')
  assert.not.match(stdout, 'users')
  const shown = 'Usage: transfer users add <email> [--name NAME] [--admin] [--json]'
  for (const words of ['help users add', 'users add --help']) {
    assert.match((await runCommand(words.split(' '))).stdout, shown)
  }
})

help('should fit into 80 columns', () => {
  const texts = [listCommands(), ...Object.keys(commands).map(describeCommand)]
  const wide = texts.flatMap((text) => text.split('\n')).filter((line) => line.length > 80)
  assert.equal(wide, [])
})
