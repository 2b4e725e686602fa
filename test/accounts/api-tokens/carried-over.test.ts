// API tokens of the version before scopes, after the migration.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operator } from '../../../src/lib/actor.ts'
import { packageRoot } from '../../../src/lib/package-root.ts'
import { startService, type Service } from '../../helpers/service.ts'
import { apiTokenOf, assertRefused, person } from '../people.ts'

const carried = suite('API tokens: carried over')
let service: Service

carried.before(async () => {
  service = await startService()
})
carried.after(() => service.stop())

carried('should keep their rights, except for what no token may do', async () => {
  const ann = await person(service, 'ann@example.org')
  const chief = await person(service, 'chief@example.org', { isAdmin: true })
  const token = await apiTokenOf(service, ann.client, { scopes: ['read'] })
  const chiefs = await apiTokenOf(service, chief.client, { scopes: ['read'] })
  const { sql } = service.database
  await sql`alter table api_tokens drop column scopes`
  const file = path.join(packageRoot, 'sql/0030-add-scopes-to-api-tokens.sql')
  await sql.unsafe(readFileSync(file, 'utf8'))

  const shareId = await token.share({ 'a.txt': 'content' })
  assert.is((await token.get('/api/shares')).json()[0].id, shareId)
  assert.is((await token.delete(`/api/shares/${shareId}`)).status, 200)
  assert.is((await chiefs.get('/api/users')).status, 200)
  const other = { email: 'x@example.org', name: 'X', password: 'a long password', is_admin: true }
  assertRefused(await chiefs.post('/api/users', other), 403, 'api_token_not_allowed')
  // The rights that its holder gains are not rights of the token.
  await service.app.services.users.update(operator, ann.id, { isAdmin: true })
  assertRefused(await token.get('/api/users'), 403, 'insufficient_scope')
  const [listed] = (await ann.client.get('/api/tokens')).json()
  assert.equal([listed.scopes, listed.expires_at], [['read', 'send', 'manage'], null])
  for (const { client } of [ann, chief]) await client.close()
  for (const client of [token, chiefs]) await client.close()
})

carried.run()
