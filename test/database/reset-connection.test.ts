// The library rejects what runs when its socket has an error, and forgets queries sent between
// that error and the socket's close, like the rollback of a transaction. They would never settle,
// and their session would wait for them on every later connection.
import { once } from 'node:events'
import { connect as connectSocket, createServer, type AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connect, databaseFailure } from '../../src/database/connect.ts'
import { failureOf } from '../helpers/failure-of.ts'
import { createTestDatabase } from '../helpers/postgres.ts'

const reset = suite('a connection that is reset')

/** ErrorResponse (PostgreSQL's documentation, section 54.7), as a server sends it when it stops. */
function errorResponse(fields: readonly string[]): Buffer {
  const body = Buffer.from(`${fields.join('\0')}\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const farewell = errorResponse(['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection'])

reset('should fail the transaction it carried, and serve the next one', async () => {
  const empty = await createTestDatabase()
  const { socketDir, user, database: name } = empty
  const proxy = createServer((client) => {
    const server = connectSocket(`${socketDir}/.s.PGSQL.5432`)
    const end = () => server.destroy()
    client.on('error', end).on('close', end)
    server.on('error', end).on('close', () => client.destroy())
    server.on('data', (data) => void client.write(data))
    client.on('data', (data) => {
      if (data.includes('reset me')) client.resetAndDestroy()
      else if (data.includes('end me')) client.end(farewell)
      else server.write(data)
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  const database = connect({
    url: `postgres://${user}@127.0.0.1:${port}/${name}`,
    applicationName: 'test',
    connectionsMax: 1,
  })
  try {
    for (let round = 0; round < 5; round += 1) {
      for (const text of ['reset me', 'end me']) {
        const failure = await failureOf(database.begin((sql) => sql`select ${text}`))
        assert.is(databaseFailure(failure)?.code, 'unavailable')
        // The library keeps the error of a connection that ended for the next one to be ready.
        assert.equal([...(await database.sql`select ${round}::int as round`)], [{ round }])
      }
    }
  } finally {
    await database.close()
    proxy.close()
    await empty.drop()
  }
})

reset.run()
