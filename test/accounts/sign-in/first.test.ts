// First sign-ins of one person in two browsers at once.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Answer } from '../../helpers/client.ts'
import { countLockWaits } from '../../helpers/locks.ts'
import { startService } from '../../helpers/service.ts'
import { SmallProvider } from '../../helpers/small-provider.ts'
import { until } from '../../helpers/until.ts'
import { begin, callback, newcomer, placeOf, putProvider } from '../oidc/scene.ts'
import { newPerson, person } from '../people.ts'

const first = suite('sign-in: first ones')
const provider = await new SmallProvider().start()
const service = await startService({
  acceptsHttpProviders: true,
  env: { RATE_LIMIT_LOGIN: 'off', TRUST_PROXY: '127.0.0.1', PROXY_USER_HEADER: 'Remote-Email' },
})
const chief = await person(service, 'chief@example.org', { isAdmin: true })

/** Lets two requests wait for the same lock, and then go on. */
async function atOnce(lock: string, request: () => Promise<Answer>): Promise<Answer[]> {
  let both: Promise<Answer[]> | null = null
  await service.database.begin(async (sql) => {
    await sql.unsafe(lock)
    both = Promise.all([request(), request()])
    await until('both wait', async () => (await countLockWaits(service.database)) === 2)
  })
  return both!
}

first('should make one account for a user of the proxy', async () => {
  await chief.client.put('/api/config', { proxyAccounts: true })
  const headers = { 'remote-email': 'newcomer@example.org' }
  const signIn = () => service.client().call('POST', '/api/auth/proxy', { json: {}, headers })
  const answers = await atOnce('lock table users in share mode', signIn)
  const ids = answers.map((answer) => answer.status === 200 && answer.json().user.id)
  assert.is(typeof ids[0], 'number', answers.map(({ body }) => body.toString()).join())
  assert.is(ids[0], ids[1])
})

first('should link an account once to a user of a provider', async () => {
  await putProvider(chief.client, provider, { linking: 'all' })
  const { id, email } = await newPerson(service)
  const claims = newcomer({ email })
  const clients = [service.client(), service.client()]
  const queries: string[] = []
  for (const client of clients) queries.push(await provider.answer(await begin(client), claims))
  const enter = () => clients.shift()!.get(callback + queries.shift()!)
  const answers = await atOnce(`select 1 from users where id = ${id} for update`, enter)
  assert.equal(answers.map(placeOf), ['/', '/'])
})
