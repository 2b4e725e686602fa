// `transfer doctor` beside a service behind real proxies, right and with the usual mistakes.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Scene as CommandScene } from '../../cli/scene.ts'
import { ownPort } from '../../helpers/own-port.ts'
import { Proxy } from '../../helpers/proxy.ts'
import { runCommand } from '../../helpers/service-process.ts'
import { pluck } from '../../helpers/lists.ts'

interface Finding {
  level: string
  text: string
  value: string
  mends: { place: string; lines: string[] }[]
}
interface CheckUp {
  proxy: string | null
  results: { id: string; level: string; findings: Finding[] }[]
}

const lacks = (command: string) => spawnSync('which', [command]).status !== 0

/** A service whose BASE_URL is the port of a proxy that each test starts. */
async function makeScene(trustProxy: string, below = '') {
  const port = ownPort()
  const BASE_URL = `http://127.0.0.1:${port}${below}`
  const scene = new CommandScene({ BASE_URL, TRUST_PROXY: trustProxy })
  const service = await scene.startService()
  return {
    port,
    upstream: service.url,
    doctor: (...args: string[]) => scene.run(['doctor', ...args]),
    /** The same with another public URL. */
    doctorAt: (url: string) => runCommand(['doctor'], { ...scene.env, BASE_URL: url }),
    clear: () => scene.clear(),
  }
}

type Scene = Awaited<ReturnType<typeof makeScene>>

async function checkUp(scene: Scene, ...args: string[]): Promise<CheckUp> {
  const { stdout, stderr } = await scene.doctor('--json', ...args)
  assert.is(stderr, '')
  return JSON.parse(stdout) as CheckUp
}

function findingsOf({ results }: CheckUp, id: string): Finding[] {
  return results.find((result) => result.id === id)!.findings
}

const wayIds = [
  'address',
  'client_address',
  'host',
  'request_buffering',
  'body_size',
  'response_buffering',
]

const trusting = suite<{ scene: Scene }>('doctor: behind a trusted proxy')

trusting.before(async (context) => {
  context.scene = await makeScene('127.0.0.1')
})
trusting.after(({ scene }) => scene.clear())

/** Runs the work behind a proxy that is stopped afterwards. */
async function behind<T>(starting: Promise<Proxy>, work: () => Promise<T>): Promise<T> {
  const proxy = await starting
  try {
    return await work()
  } finally {
    await proxy.stop()
  }
}

for (const kind of ['nginx', 'caddy'] as const) {
  if (lacks(kind)) {
    process.stdout.write(`\nskipped: doctor behind ${kind}, which this machine lacks\n`)
    continue
  }
  trusting(`should find nothing wrong with what the docs say for ${kind}`, async (c) => {
    const { scene } = c
    const found = await behind(Proxy[kind](scene.port, scene.upstream), () => checkUp(scene))
    const levels = found.results.filter(({ id }) => wayIds.includes(id))
    assert.equal(
      levels.filter(({ level }) => level !== 'ok'),
      [],
    )
    assert.is(found.proxy, kind)
    const problems = found.results.filter(({ level }) => level === 'problem')
    assert.equal(problems, [])
  })
}

/** A line of the configuration with what stands in its place, and the check that finds it. */
const mistakes = [
  ['a body limit of 1 MB', 'client_max_body_size 0;', 'client_max_body_size 1m;', 'body_size'],
  [
    'request buffering',
    'proxy_request_buffering off;',
    'proxy_request_buffering on;',
    'request_buffering',
  ],
  [
    'X-Forwarded-For as clients send it',
    'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
    '',
    'client_address',
  ],
  [
    'another Host',
    'proxy_set_header Host $http_host;',
    'proxy_set_header Host files.internal;',
    'host',
  ],
] as const

for (const [what, line, wrong, id] of lacks('nginx') ? [] : mistakes) {
  trusting(`should find ${what}, with the line for nginx`, async ({ scene }) => {
    const found = await behind(Proxy.nginx(scene.port, scene.upstream, { [line]: wrong }), () =>
      checkUp(scene),
    )
    const [finding] = findingsOf(found, id)
    assert.is(finding!.level, 'problem', JSON.stringify(finding))
    assert.equal(pluck(finding!.mends, 'place'), ['nginx'])
    assert.ok(finding!.mends[0]!.lines.includes(line), JSON.stringify(finding))
    const others = found.results.filter((other) => other.level === 'problem' && other.id !== id)
    assert.equal(others, [])
  })
}

// ---

const belowPath = suite<{ scene: Scene }>('doctor: below a path')

belowPath.before(async (context) => {
  context.scene = await makeScene('127.0.0.1', '/files')
})
belowPath.after(({ scene }) => scene.clear())

if (!lacks('nginx')) {
  belowPath('should find nothing wrong with the configuration of the docs', async ({ scene }) => {
    const proxy = Proxy.nginxBelowPath(scene.port, scene.upstream)
    const { results } = await behind(proxy, () => checkUp(scene))
    const levels = results.filter(({ id }) => wayIds.includes(id))
    assert.equal(
      levels.filter(({ level }) => level !== 'ok'),
      [],
    )
    const [https] = results.find(({ id }) => id === 'https')!.findings
    const expected = 'BASE_URL=https://files.example.org/files'
    assert.ok(https!.mends.some(({ lines }) => lines.includes(expected)))
  })
}

// ---

const distrusting = suite<{ scene: Scene }>('doctor: behind a proxy without TRUST_PROXY')

distrusting.before(async (context) => {
  context.scene = await makeScene('')
})
distrusting.after(({ scene }) => scene.clear())

if (!lacks('nginx')) {
  distrusting('should find that the proxy is not trusted, with the option', async ({ scene }) => {
    const ended = await behind(Proxy.nginx(scene.port, scene.upstream), () => scene.doctor())
    assert.is(ended.code, 1)
    assert.match(ended.stdout, /^problem {2}client_address .*127\.0\.0\.1 is not trusted/m)
    assert.match(ended.stdout, 'TRUST_PROXY=loopback')
    assert.match(ended.stdout, /\n1 problem, \d warnings?\n$/)
  })
}

distrusting('should not judge the proxy when it asks the service itself', async ({ scene }) => {
  const { code, stdout } = await scene.doctorAt(scene.upstream)
  assert.match(stdout, /^info {5}client_address .*without a proxy/m)
  assert.match(stdout, /^warning {2}dns .*links work only on it/m)
  assert.is(code, 0, stdout)
})

distrusting('should tell another server from the service', async ({ scene }) => {
  const other = createServer((_, response) => response.end('<h1>It works!</h1>'))
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const { code, stdout } = await scene.doctorAt(`http://127.0.0.1:${port}`)
  other.close()
  assert.is(code, 1)
  assert.match(stdout, /^problem {2}address .*Something else answers/m)
})

distrusting('should find a proxy that holds answers back', async ({ scene }) => {
  const holding = createServer((request, response) => {
    const { method, url, headers } = request
    const asked = httpRequest(`${scene.upstream}${url}`, { method, headers })
    asked.on('response', (answer) => {
      const gathered: Buffer[] = []
      answer.on('data', (data: Buffer) => gathered.push(data))
      answer.on('end', () => {
        response.writeHead(answer.statusCode!, { 'Content-Type': 'text/plain' })
        response.end(Buffer.concat(gathered))
      })
    })
    pipeline(request, asked).catch(() => response.destroy())
  })
  holding.listen(0, '127.0.0.1')
  await once(holding, 'listening')
  const { port } = holding.address() as AddressInfo
  const { stdout } = await scene.doctorAt(`http://127.0.0.1:${port}`)
  holding.close()
  assert.match(stdout, /^warning {2}response_buffering .*holds answers back/m)
  assert.match(stdout, 'proxy_buffering off;')
  assert.match(stdout, 'flush_interval -1')
  assert.not.match(stdout, 'flushpackets', 'only for Apache')
})
