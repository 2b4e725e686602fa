// The file that builds an image, checked by reading it: a builder is needed to run it.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { options } from '../../src/config/options.ts'
import { packageRoot, version } from '../../src/lib/package-root.ts'
import { thisMachine } from '../../src/database/embedded/machine.ts'
import { endOf } from '../helpers/child.ts'
import { readDoc } from '../helpers/docs.ts'
import { startService } from '../helpers/service.ts'

const container = suite('package: container')

const name = 'static/container/Containerfile'
const text = readFileSync(path.join(packageRoot, name), 'utf8')
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

container('should consist of instructions that every builder knows', () => {
  const known = 'FROM RUN COPY ENV USER VOLUME EXPOSE HEALTHCHECK CMD'.split(' ')
  for (const one of instructions) assert.ok(known.includes(one[0]), String(one))
  assert.is(all('FROM').length, 2)
})

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
  const { port } = new URL(service.url)
  try {
    assert.is(await checkHealth(port), 0)
  } finally {
    await service.stop()
  }
  assert.is(await checkHealth(port), 1)
})

container('should be the file that the documentation names', () => {
  const page = readDoc('container')
  assert.match(page, `--file ${name} packages`)
  assert.not.match(page, /^FROM /m, 'and does not repeat')
})

container.run()
