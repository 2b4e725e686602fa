// The service below a path of a host that another application has, behind a real nginx.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createLog } from '../../src/lib/log.ts'
import { findLibraryFolder, Library } from '../../src/site/library.ts'
import { createDocsListener } from '../../src/site/server.ts'
import { endOf } from '../helpers/child.ts'
import { FakeClock } from '../helpers/clock.ts'
import { replaceAll } from '../helpers/docs.ts'
import { configureNginx } from '../helpers/nginx.ts'
import { ownPort } from '../helpers/own-port.ts'
import { startService, type Service } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'

export interface SubPathScene {
  /** Address of nginx, without a path. */
  readonly origin: string
  readonly service: Service
  /** What the other application was asked for: `GET /…`. */
  readonly strayed: string[]
  readonly folder: string
  stop(): Promise<void>
}

/** @param locations the blocks for the service and for its documentation, in the order of nginx */
export async function startSubPath(locations: string): Promise<SubPathScene> {
  const folder = mkdtempSync(path.join(tmpdir(), 'transfer-test-sub-path-'))
  const port = ownPort()
  const origin = `http://127.0.0.1:${port}`
  const env = {
    BASE_URL: `${origin}/files`,
    DOCS_URL: `${origin}/files-docs`,
    TRUST_PROXY: '127.0.0.1',
    RATE_LIMIT_LOGIN: 'off',
    RATE_LIMIT_DOWNLOAD: 'off',
  }
  const service = await startService({ env })
  const docs = createDocsListener({
    library: new Library(findLibraryFolder(), service.config),
    trustProxy: '',
    clock: new FakeClock(),
    log: createLog({ level: 'silent' }),
  })
  await docs.listen({ port: 0, host: '127.0.0.1' })
  const strayed: string[] = []
  const other = await startOther(strayed)
  const inner = replaceAll(locations, {
    'http://127.0.0.1:8080': service.url,
    'http://127.0.0.1:8081': addressOf(docs.server),
  })
  const nginx = startNginx(folder, port, `${inner}\nlocation / { proxy_pass ${addressOf(other)}; }`)
  await until('nginx answers', () =>
    fetch(`${origin}/files/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return {
    origin,
    service,
    strayed,
    folder,
    async stop() {
      const closed = endOf(nginx)
      nginx.kill('SIGTERM')
      await closed
      other.close()
      await docs.close(1000)
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** An application with a sign-in: its cookie has the same name as ours. */
async function startOther(asked: string[]): Promise<Server> {
  const other = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const headers = { 'Content-Type': 'text/html', 'Set-Cookie': 'session=theirs; Path=/' }
    response.writeHead(200, headers)
    response.end(`<title>Other</title><p>${request.headers.cookie ?? 'no cookie'}</p>`)
  })
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  return other
}

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

function startNginx(folder: string, port: number, locations: string): ChildProcess {
  const server = `server {\nlisten 127.0.0.1:${port};\nclient_max_body_size 0;\n${locations}\n}`
  return spawn('nginx', configureNginx(folder, server), { stdio: 'ignore' })
}
