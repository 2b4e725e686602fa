import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { createLog } from '../../src/lib/log.ts'
import { findLibraryFolder, Library } from '../../src/site/library.ts'
import { createDocsListener } from '../../src/site/server.ts'
import { FakeClock } from '../helpers/clock.ts'
import { assignServer } from '../helpers/description.ts'

export interface DocsSite {
  readonly url: string
  close(): Promise<void>
}

export async function startDocsSite(baseUrl: string): Promise<DocsSite> {
  // Its addresses are completed at start, so its port has to be known before.
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  const url = `http://127.0.0.1:${port}`
  const listener = createDocsListener({
    library: new Library(findLibraryFolder(), { docsUrl: url, baseUrl }),
    trustProxy: '',
    clock: new FakeClock(),
    log: createLog({ level: 'silent' }),
  })
  await listener.listen({ port, host: '127.0.0.1' })
  assignServer(url, 'site')
  return {
    url,
    async close() {
      await listener.close(1000)
      assignServer(url, 'product')
    },
  }
}
