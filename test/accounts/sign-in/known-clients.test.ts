// Devices and addresses that have signed in: anonymous clients learn nothing from response times.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { KnownClients } from '../../../src/accounts/sign-in/known-clients.ts'
import { Tokens } from '../../../src/accounts/sign-in/tokens.ts'
import { adminEmail, startService } from '../../helpers/service.ts'

const anonymousClients = suite('known clients: anonymous clients')

anonymousClients('should be looked up the same way for unknown accounts', async () => {
  const service = await startService()
  const work: string[] = []
  const sql = new Proxy(service.database.sql, {
    apply(target, self, [strings, ...values]: [TemplateStringsArray, ...unknown[]]) {
      const text = strings.join('?').trim()
      // What two queries share is a template too.
      if (text.startsWith('select')) work.push(text)
      return Reflect.apply(target, self, [strings, ...values])
    },
  })
  const tokens = new Tokens(service.keys, service.clock)
  const read = tokens.read.bind(tokens)
  tokens.read = (purpose, token) => {
    work.push(`reads the ${purpose} token`)
    return read(purpose, token)
  }
  const database = { ...service.database, sql }
  const known = new KnownClients({ database, tokens, clock: service.clock })
  const client = { ip: '192.0.2.1', deviceTokens: ['of another account'] }
  const workFor = async (email: string) => {
    assert.is(await known.find(email, client), null)
    return work.splice(0)
  }
  const expected = await workFor(adminEmail)
  assert.ok(expected.includes('reads the device token'))
  assert.equal(await workFor('nobody@example.org'), expected)
  await service.stop()
})
anonymousClients.run()
