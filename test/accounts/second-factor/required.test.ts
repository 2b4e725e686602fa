import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, okay } from '../../helpers/client.ts'
import { operations } from '../../../src/routes.ts'
import { startService } from '../../helpers/service.ts'
import { apiTokenOf, enrol, newPerson, person, type Person } from '../people.ts'

const required = suite('second factor: required')
let ann: Person

const service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
const chief: Person = await person(service, 'chief@example.org', { isAdmin: true })
await enrol(service, chief.client)
required.before.each(async () => {
  ann = await newPerson(service)
  await require2FA(true)
})

const require2FA = async (value: boolean) => {
  await okay(chief.client.put('/api/config', { require2FA: value }))
}

/** Operations that an account without a second factor may still call. */
const open =
  'getAccount logout signOut getSecondFactorStatus setupSecondFactor enableSecondFactor ' +
  'renewRecoveryCodes disableSecondFactor confirmLogin getPasskeyConfirmationOptions ' +
  'getPasskeyRegistrationOptions listPasskeys registerPasskey renamePasskey deletePasskey ' +
  'listIdentities linkIdentity unlinkIdentity'
const isOpen = (id: string) => open.split(' ').includes(id)

const pathOf = (path: string) =>
  path
    .replace(/\{(sessionId|tokenId|passkeyId|identityId)\}/, '00000000-0000-4000-8000-000000000000')
    .replace(/\{\w+\}/, '1')

for (const { id, method, path, auth } of operations) {
  if (auth === 'none') continue
  if (isOpen(id)) {
    required(`should allow ${id} before enrolment`, async () => {
      const answer = await ann.client.call(method, pathOf(path))
      assert.is.not(answer.json().code, 'second_factor_required')
    })
    continue
  }
  required(`should refuse ${id} before enrolment, to administrators too`, async () => {
    const administrator = await person(service, `other${ann.id}@example.org`, { isAdmin: true })
    for (const { client } of [ann, administrator]) {
      assertError(await client.call(method, pathOf(path)), 403, 'second_factor_required')
    }
  })
}

required('should refuse API tokens, and reading as the owner, before enrolment', async () => {
  await require2FA(false)
  const token = await apiTokenOf(service, ann.client)
  const shareId = await ann.client.share({ 'a.txt': 'a' })
  await require2FA(true)
  const owner = `/api/shares/${shareId}/download?as=owner`
  assertError(await token.get('/api/shares'), 403, 'second_factor_required')
  assertError(await ann.client.get(owner), 403, 'second_factor_required')
  assert.is((await ann.client.get(`/api/shares/${shareId}/download`)).status, 200)
  await enrol(service, ann.client)
  assert.is((await ann.client.get(owner)).status, 200)
  assert.is((await ann.client.get('/api/shares')).json()[0].id, shareId)
})

required('should lead a program that gets 403 to a second factor', async () => {
  const { error, operation } = (await ann.client.get('/api/shares')).json()
  const { method, path } = operations.find(({ id }) => id === operation)!
  assert.match(error, `${method} ${path}`)
  assert.is((await ann.client.call(method, path)).status, 200)
})
