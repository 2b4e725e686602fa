// Manual pages, completion, options file, and the file that builds an image: a builder is needed to
// run that one.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { commands } from '../../../src/cli/commands.ts'
import { loadConfig } from '../../../src/config/load.ts'
import { type Option, options } from '../../../src/config/options.ts'
import { thisMachine } from '../../../src/database/embedded/machine.ts'
import { packageRoot, version } from '../../../src/lib/package-root.ts'
import { makeCompletion } from '../../../src/build/package/completion.ts'
import { makeCommandPage, makeOptionPage } from '../../../src/build/package/man-pages.ts'
import { makeOptionFile } from '../../../src/build/package/option-file.ts'
import { endOf } from '../../helpers/child.ts'
import { startService } from '../../helpers/service.ts'

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
    for (const line of page.split('\n')) if (/^[.']/.test(line)) assert.match(line, requests)
  }
})

manuals('should set no option, until an administrator does', () => {
  const lines = makeOptionFile().split('\n')
  assert.ok(lines.every((line) => line === '' || line.startsWith('#')))
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

// oxfmt-ignore
const completions: [typed: string[], offered: string[]][] = [
  [['transfer', 's'], ['secret', 'serve', 'sessions', 'settings', 'shares', 'storage']],
  [['transfer', '--v'], ['--version']], [['transfer', 'users', 'en'], ['enable']],
  [['transfer', 'help', 'users', 'a'], ['add']],
  [['transfer', 'users', 'delete', '--t'], ['--transfer-to']],
  [['transfer', 'users', 'delete', 'a b@example.org', '--y'], ['--yes']],
  [['transfer', 'verify', '--re'], ['--restart', '--repair']],
  [['transfer', 'serve', ''], ['--config', '--help']], [['transfer', 'unknown', ''], []],
  [['transfer', '$(exit 1)', ''], []],
]
for (const [typed, offered] of completions) {
  manuals(`should complete ${typed.join(' ')}`, () => {
    assert.equal(complete(...typed).toSorted(), offered.toSorted())
  })
}

const container = suite('package: container')

const file = path.join(packageRoot, 'static/container/Containerfile')
const text = readFileSync(file, 'utf8')
/** Instructions with their arguments, in order. */
const instructions = text
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter(Boolean)
  .map((line) => /^([A-Z]+) (.*)$/.exec(line)?.slice(1) as [name: string, rest: string])

const all = (wanted: string) =>
  instructions.flatMap(([one, rest]) => (one === wanted ? [rest] : []))
const last = (wanted: string) => all(wanted).at(-1)!

container('should copy what `npm run package` makes', () => {
  const [copied] = all('COPY')
  const [from] = copied!.split(' ')
  const pattern = new RegExp(`^${from!.replaceAll('.', '\\.').replace('*', '.*')}$`)
  assert.match(`transfer-service-${version}.tgz`, pattern)
  const links = path.join(thisMachine.findPackage().native, '..', 'scripts/hydrate-symlinks.js')
  assert.ok(existsSync(links))
  assert.match(all('RUN')[1]!, 'node scripts/hydrate-symlinks.js')
})

container('should run as a user without rights, on a volume', () => {
  assert.is(last('USER'), 'transfer')
  assert.match(last('ENV'), `DATA_DIR=${last('VOLUME')}`)
  assert.match(last('RUN'), `install -d -o transfer -g transfer -m 700 ${last('VOLUME')}`)
  assert.equal(JSON.parse(last('CMD')), ['transfer', 'serve'])
  assert.is(last('EXPOSE'), options.port.defaultText)
})

async function checkHealth(port: string): Promise<number | null> {
  const [, command] = / CMD (\[.*\])$/.exec(last('HEALTHCHECK'))!
  const [file, ...args] = JSON.parse(command!) as string[]
  assert.is(file, 'node')
  const child = spawn(process.execPath, args, { env: { PORT: port }, stdio: 'ignore' })
  return (await endOf(child)).code
}

container('should ask the service whether it is ready', async () => {
  const service = await startService()
  assert.is(await checkHealth(new URL(service.url).port), 0)
  // They keep their ports: that of a stopped service may soon be another's.
  for (const refuse of [
    (answer: ServerResponse) => answer.writeHead(503).end(),
    (answer: ServerResponse) => answer.destroy(),
  ]) {
    const server = createServer((_request, answer) => void refuse(answer)).listen(0)
    await once(server, 'listening')
    assert.is(await checkHealth(String((server.address() as AddressInfo).port)), 1)
    server.close()
  }
})
