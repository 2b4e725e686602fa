// A TCP proxy in front of a PostgreSQL socket that can close a connection around a COMMIT.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** Where the connection is closed: the COMMIT is lost, or only its answer. */
export type Cut = 'before the commit arrives' | 'before its answer'

export class PostgresProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #decide: () => Cut | null = () => null
  /** The number of closed connections. */
  cuts = 0

  private constructor(socketPath: string) {
    this.#server = createServer((client) => this.#join(client, connect(socketPath)))
  }

  static async start(socketDir: string): Promise<PostgresProxy> {
    const proxy = new PostgresProxy(`${socketDir}/.s.PGSQL.5432`)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Called at each COMMIT; null lets it pass. */
  cutWhen(decide: () => Cut | null): void {
    this.#decide = decide
  }

  async close(): Promise<void> {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await once(this.#server, 'close')
  }

  #join(client: Socket, server: Socket): void {
    let hidesAnswer = false
    const end = () => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      this.#sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', end).on('close', () => {
        this.#sockets.delete(socket)
        end()
      })
    }
    client.on('data', (data) => {
      const cut = isCommit(data) ? this.#decide() : null
      if (cut) this.cuts += 1
      if (cut === 'before the commit arrives') return end()
      hidesAnswer ||= cut !== null
      server.write(data)
    })
    server.on('data', (data) => {
      // The answer is there: so the transaction is committed.
      if (hidesAnswer) return end()
      client.write(data)
    })
  }
}

/** A Query or Parse message with nothing but `commit` in it; short messages are never split. */
function isCommit(data: Buffer): boolean {
  return data.includes('commit\0')
}
