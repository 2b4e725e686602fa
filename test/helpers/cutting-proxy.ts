import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/**
 * A network that breaks: passes connections on to a service, and ends each after as many bytes of
 * the answer as the test says. The bytes before the end all arrive.
 */
export class CuttingProxy {
  /** Bytes of the answer, its header included, that the next connections let through. */
  cutAfterBytes = Infinity
  readonly url: string
  readonly #server: Server
  readonly #sockets: Set<Socket>

  private constructor(server: Server, sockets: Set<Socket>, url: string) {
    this.#server = server
    this.#sockets = sockets
    this.url = url
  }

  /** @param target where the service listens, as `http://127.0.0.1:<port>` */
  static async start(target: string): Promise<CuttingProxy> {
    const sockets = new Set<Socket>()
    const { hostname, port } = new URL(target)
    const server = createServer((client) => {
      const service = connect(Number(port), hostname)
      for (const socket of [client, service]) {
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
        socket.on('error', () => socket.destroy())
      }
      passOn(client, service, Infinity)
      passOn(service, client, proxy.cutAfterBytes)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port: own } = server.address() as AddressInfo
    const proxy = new CuttingProxy(server, sockets, `http://127.0.0.1:${own}`)
    return proxy
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }
}

function passOn(from: Socket, to: Socket, bytesMax: number): void {
  let left = bytesMax
  from.on('data', (data) => {
    if (left === 0) return
    const part = data.subarray(0, Math.min(left, data.length))
    left -= part.length
    if (left === 0) {
      to.end(part)
      from.destroy()
    } else if (!to.write(part)) {
      from.pause()
      to.once('drain', () => from.resume())
    }
  })
  from.on('end', () => to.end())
  from.on('close', () => {
    if (left > 0) to.destroy()
  })
}
