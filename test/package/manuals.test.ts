import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { commands } from '../../src/cli/commands.ts'
import { options, type Option } from '../../src/config/options.ts'
import { loadConfig } from '../../src/config/load.ts'
import { makeCompletion } from '../../src/package/completion.ts'
import { makeCommandPage, makeOptionPage } from '../../src/package/man-pages.ts'
import { makeOptionFile } from '../../src/package/option-file.ts'

const manuals = suite('package: manual pages, completion and options file')

const optionNames = Object.values<Option<unknown>>(options).map(({ env }) => env)
const inTroff = (text: string) => text.replaceAll('-', '\\-')

manuals('should describe every command with its options in transfer(1)', () => {
  const sections = makeCommandPage().split('.SS ')
  for (const [words, command] of Object.entries(commands)) {
    const section = sections.find((one) => one.startsWith(`\\fBtransfer ${inTroff(words)}\\fR`))
    assert.ok(section, words)
    assert.match(section, inTroff(command.doc))
    for (const name of Object.keys(command.options)) {
      assert.match(section, `\\fB\\-\\-${inTroff(name)}\\fR`)
    }
  }
})

manuals('should describe every boot option in transfer-service(5)', () => {
  const page = makeOptionPage()
  for (const name of optionNames) assert.match(page, `.TP\n\\fB${name}\\fR\n`)
})

manuals('should contain no text that troff would take for a request', () => {
  const requests = /^\.(?:TH|SH|SS|TP|PP|B|BR|I)(?: |$)/
  for (const page of [makeCommandPage(), makeOptionPage()]) {
    const lines = page.split('\n').filter((line) => /^[.']/.test(line))
    assert.equal(
      lines.filter((line) => !requests.test(line)),
      [],
    )
  }
})

manuals('should set no option, until an administrator does', () => {
  const lines = makeOptionFile().split('\n')
  assert.equal(
    lines.filter((line) => line !== '' && !line.startsWith('#')),
    [],
  )
  assert.ok(lines.every((line) => line.length <= 100))
  const offered = lines.flatMap((line) => /^#([A-Z_0-9]+)=$/.exec(line)?.[1] ?? [])
  assert.equal(offered, optionNames)
  assert.is(loadConfig({ [offered[0]!]: '' }).sources.host, 'default', 'empty means unset')
})

/** What bash offers after these words; the last one is being typed. */
function complete(...words: string[]): string[] {
  const script = `${makeCompletion()}
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_transfer
printf '%s\\n' "\${COMPREPLY[@]}"`
  const options = { encoding: 'utf8', timeout: 30_000 } as const
  // With a socket for its input and no SHLVL, bash takes itself for a remote shell with an rc file.
  const args = ['--norc', '-euc', script, 'bash', ...words]
  const { stdout, stderr } = spawnSync('bash', args, options)
  assert.is(stderr, '')
  return stdout.split('\n').filter(Boolean)
}

const completions: [typed: string[], offered: string[]][] = [
  [
    ['transfer', 's'],
    ['secret', 'serve', 'sessions', 'settings', 'shares'],
  ],
  [['transfer', '--v'], ['--version']],
  [['transfer', 'users', 'in'], ['invite']],
  [['transfer', 'help', 'users', 'a'], ['add']],
  [['transfer', 'users', 'delete', '--t'], ['--transfer-to']],
  [['transfer', 'users', 'delete', 'a b@example.org', '--y'], ['--yes']],
  [
    ['transfer', 'verify', '--re'],
    ['--restart', '--repair'],
  ],
  [
    ['transfer', 'serve', ''],
    ['--config', '--help'],
  ],
  [['transfer', 'unknown', ''], []],
  [['transfer', '$(exit 1)', ''], []],
]
for (const [typed, offered] of completions) {
  manuals(`should complete ${typed.join(' ')}`, () => {
    assert.equal(complete(...typed).toSorted(), offered.toSorted())
  })
}

manuals.run()
