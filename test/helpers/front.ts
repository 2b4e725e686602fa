import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { stopAtEnd } from './suite.ts'

export interface Front {
  /** `http://localhost:<port>` */
  readonly url: string
  stop(): void
}

/** An address that is known before the service behind it has one, for its BASE_URL. */
export async function startFront(serviceUrl: () => string): Promise<Front> {
  const server = createServer((socket) => {
    const upstream = connect(Number(new URL(serviceUrl()).port), '127.0.0.1')
    pipeline(socket, upstream, () => {})
    pipeline(upstream, socket, () => {})
  })
  await once(server.listen(0), 'listening')
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  return stopAtEnd({ url, stop: () => server.close() })
}
