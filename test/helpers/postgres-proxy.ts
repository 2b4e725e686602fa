// A TCP proxy in front of a PostgreSQL socket that loses what a test wants.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** An answer that is lost ends the connection, when the server has sent it. */
export type Verdict = 'pass' | 'lose' | 'lose the answer'

export interface PostgresProxy {
  readonly port: number
  close(): Promise<void>
}

/** @param judge called with bytes of a client */
export async function startPostgresProxy(
  socketDir: string,
  judge: (data: Buffer, client: Socket) => Verdict,
): Promise<PostgresProxy> {
  const clients = new Set<Socket>()
  const proxy = createServer({ noDelay: true }, (client) => {
    const server = connect(`${socketDir}/.s.PGSQL.5432`)
    let hidesAnswer = false
    const end = () => {
      clients.delete(client)
      client.destroy()
      server.destroy()
    }
    clients.add(client)
    for (const socket of [client, server]) socket.on('error', end).on('close', end)
    client.on('data', (data) => {
      const verdict = judge(data, client)
      hidesAnswer ||= verdict === 'lose the answer'
      if (verdict !== 'lose') server.write(data)
    })
    server.on('data', (data) => (hidesAnswer ? end() : client.write(data)))
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (proxy.address() as AddressInfo).port,
    async close() {
      proxy.close()
      for (const client of clients) client.destroy()
      await once(proxy, 'close')
    },
  }
}
