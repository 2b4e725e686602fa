// `transfer doctor` beside a service behind real proxies, right and with the usual mistakes.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request as httpRequest, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Scene as CommandScene } from '../../cli/scene.ts'
import { ownPort } from '../../helpers/own-port.ts'
import { Proxy } from '../../helpers/proxy.ts'
import { runCommand } from '../../helpers/service-process.ts'
import { pluck } from '../../helpers/client.ts'

const lacks = (command: string) => spawnSync('which', [command]).status !== 0

/** A service whose BASE_URL is the port of a proxy that a test starts. */
async function makeScene(trustProxy: string, below = '') {
  const port = ownPort()
  const BASE_URL = `http://127.0.0.1:${port}${below}`
  const scene = new CommandScene({ BASE_URL, TRUST_PROXY: trustProxy })
  const service = await scene.startService()
  return {
    port,
    upstream: service.url,
    doctor: (...args: string[]) => scene.run(['doctor', ...args]),
    doctorAt: (url: string) => runCommand(['doctor'], { ...scene.env, BASE_URL: url }),
    clear: () => scene.clear(),
  }
}

type Scene = Awaited<ReturnType<typeof makeScene>>

async function checkUp(scene: Scene, ...args: string[]): Promise<any> {
  const { stdout, stderr } = await scene.doctor('--json', ...args)
  assert.is(stderr, '')
  return JSON.parse(stdout)
}

const findingsOf = ({ results }: any, id: string): any[] =>
  results.find((result: any) => result.id === id).findings

function assertWayIsFine({ results }: any): void {
  const way = /^(address|client_address|host|request_buffering|body_size|response_buffering)$/
  const found = results.filter(({ id, level }: any) => way.test(id) && level !== 'ok')
  assert.equal(found, [])
}

const proxies = suite('doctor: behind proxies')
const trusting = await makeScene('127.0.0.1')
const belowPath = await makeScene('127.0.0.1', '/files')
const distrusting = await makeScene('')
proxies.after(async () => {
  for (const scene of [trusting, belowPath, distrusting]) await scene.clear()
})

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
  proxies(`should find nothing wrong with what the docs say for ${kind}`, async () => {
    const proxy = Proxy[kind](trusting.port, trusting.upstream)
    const found = await behind(proxy, () => checkUp(trusting))
    assertWayIsFine(found)
    assert.is(found.proxy, kind)
    const problems = found.results.filter(({ level }: any) => level === 'problem')
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
  proxies(`should find ${what}, with the line for nginx`, async () => {
    const proxy = Proxy.nginx(trusting.port, trusting.upstream, { [line]: wrong })
    const found = await behind(proxy, () => checkUp(trusting))
    const [finding] = findingsOf(found, id)
    assert.is(finding.level, 'problem', JSON.stringify(finding))
    assert.equal(pluck<any, string>(finding.mends, 'place'), ['nginx'])
    assert.ok(finding.mends[0]!.lines.includes(line), JSON.stringify(finding))
    const others = found.results.filter(
      (other: any) => other.level === 'problem' && other.id !== id,
    )
    assert.equal(others, [])
  })
}

if (!lacks('nginx')) {
  proxies('should find nothing wrong with the docs of a service below a path', async () => {
    const proxy = Proxy.nginxBelowPath(belowPath.port, belowPath.upstream)
    const found = await behind(proxy, () => checkUp(belowPath))
    assertWayIsFine(found)
    const [https] = findingsOf(found, 'https')
    const expected = 'BASE_URL=https://files.example.org/files'
    assert.ok(https.mends.some(({ lines }: any) => lines.includes(expected)))
  })

  proxies('should find that the proxy is not trusted, with the option', async () => {
    const proxy = Proxy.nginx(distrusting.port, distrusting.upstream)
    const ended = await behind(proxy, () => distrusting.doctor())
    assert.is(ended.code, 1)
    assert.match(ended.stdout, /^problem {2}client_address .*127\.0\.0\.1 is not trusted/m)
    assert.match(ended.stdout, 'TRUST_PROXY=loopback')
    assert.match(ended.stdout, /\n1 problem, \d warnings?\n$/)
  })
}

proxies('should not judge the proxy when it asks the service itself', async () => {
  const { code, stdout } = await distrusting.doctorAt(distrusting.upstream)
  assert.match(stdout, /^info {5}client_address .*without a proxy/m)
  assert.match(stdout, /^warning {2}dns .*links work only on it/m)
  assert.is(code, 0, stdout)
})

async function doctorAtServer(handler: RequestListener) {
  const server = createServer(handler)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const ended = await distrusting.doctorAt(`http://127.0.0.1:${port}`)
  server.close()
  return ended
}

proxies('should tell another server from the service', async () => {
  const { code, stdout } = await doctorAtServer((_, response) => response.end('It works!'))
  assert.is(code, 1)
  assert.match(stdout, /^problem {2}address .*Something else answers/m)
})

proxies('should find a proxy that holds answers back', async () => {
  const { stdout } = await doctorAtServer((request, response) => {
    const { method, url, headers } = request
    const asked = httpRequest(`${distrusting.upstream}${url}`, { method, headers })
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
  assert.match(stdout, /^warning {2}response_buffering .*holds answers back/m)
  assert.match(stdout, 'proxy_buffering off;')
  assert.match(stdout, 'flush_interval -1')
  assert.not.match(stdout, 'flushpackets', 'only for Apache')
})
