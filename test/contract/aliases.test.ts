// Alternative names that clients of this API use. They are described as deprecated.
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { App } from '../accounts/people.ts'
import { sizeAlias, withoutSizeAlias } from '../../src/settings/size-alias.ts'
import type { Client } from '../helpers/client.ts'
import { description } from '../helpers/description.ts'
import { startService, type Service } from '../helpers/service.ts'
import { assertError } from './shapes.ts'

const aliases = suite('contract: aliases')
let service: Service
let admin: Client

aliases.before(async () => {
  service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
  admin = await service.admin()
})
aliases.after(async () => {
  await admin.close()
  await service.stop()
})

const put = (json: object) => admin.call('PUT', '/api/config', { json })
const config = async () => (await admin.get('/api/config')).json()

aliases('should describe each of them as deprecated', () => {
  const { paths, components } = description
  assert.is(paths['/api/shares/{shareId}'].put.deprecated, true)
  assert.is(paths['/api/shares/{shareId}'].patch.deprecated, undefined)
  assert.match(paths['/api/shares/{shareId}/chunk'].post.description, 'Deprecated')
  const answer = (path: string) =>
    paths[path].post.responses['200'].content['application/json'].schema.properties
  const { Config, ConfigChanges } = components.schemas
  const fields = [
    answer('/api/auth/2fa/setup').qrCode,
    answer('/api/auth/2fa/enable').backupCodes,
    answer('/api/auth/2fa/recovery-codes').backupCodes,
    ...[Config, ConfigChanges].flatMap(({ properties: { maxSizeVal, maxSizeUnit } }) => [
      maxSizeVal,
      maxSizeUnit,
    ]),
  ]
  for (const field of fields) assert.is(field.deprecated, true)
})

aliases('should list the emails of a share under their former path', async () => {
  const recipients = 'ann@example.org'
  const shareId = await admin.share({ a: 'a' }, { recipients })
  const emails = await admin.get(`/api/shares/${shareId}/emails`)
  assert.is(emails.json().length, 1)
  assert.equal((await admin.get(`/api/shares/${shareId}/letters`)).json(), emails.json())
  assert.is(description.paths['/api/shares/{shareId}/letters'].get.deprecated, true)
})

aliases(
  'should accept the required fields of a reverse share under their former name',
  async () => {
    const { id } = (await admin.post('/api/reverse', { demands: ['name'] })).json()
    const requiredFields = async () => {
      const links: { id: string; requiredFields: string[] }[] = (
        await admin.get('/api/reverse')
      ).json()
      return links.find((link) => link.id === id)?.requiredFields
    }
    assert.equal(await requiredFields(), ['name'])
    const answer = await admin.call('PATCH', `/api/reverse/${id}`, { json: { demands: ['email'] } })
    assert.is(answer.status, 200)
    assert.equal(await requiredFields(), ['email'])
  },
)

aliases('should accept PUT like PATCH for a share', async () => {
  const shareId = await admin.share({ a: 'a' }, { name: 'Old', message: 'kept' })
  const path = `/api/shares/${shareId}`
  const answer = await admin.call('PUT', path, { json: { name: 'New' } })
  assert.is(answer.status, 200, answer.body.toString())
  assert.equal([answer.json().name, answer.json().message], ['New', 'kept'])
  assert.equal(answer.json(), (await admin.get(path)).json())
  assertError(await admin.call('PUT', path, { json: { name: 7 } }), 400)
  assertError(await service.client().call('PUT', path, { json: {} }), 401)
  const { allow } = (await admin.call('OPTIONS', path)).headers
  assert.match(String(allow), /PATCH.*PUT|PUT.*PATCH/)
})

aliases('should answer enrolment with the alternative names, too', async () => {
  const user = await service.user('enrols@example.org')
  const { secret, qrCodeSvg, qrCode } = (await user.post('/api/auth/2fa/setup')).json()
  const [, image] = /^data:image\/svg\+xml;base64,(.+)$/.exec(qrCode) ?? []
  assert.is(Buffer.from(image!, 'base64').toString(), qrCodeSvg)
  const code = new App(service, secret).code()
  const confirmation = { code, currentPassword: 'password of enrols@example.org' }
  const enabled = await user.post('/api/auth/2fa/enable', confirmation)
  const { recoveryCodes, backupCodes } = enabled.json()
  assert.is(recoveryCodes.length, 10)
  assert.equal(backupCodes, recoveryCodes)
  await user.close()
})

const sizes: [bytes: number, value: number, unit: string][] = [
  [0, 0, 'GB'],
  [10 * 1024 ** 3, 10, 'GB'],
  [1536 * 1024 ** 2, 1536, 'MB'],
  [1024 ** 4, 1, 'TB'],
  [1500, 1500, 'B'],
]

for (const [bytes, value, unit] of sizes) {
  aliases(`should show a limit of ${bytes} bytes as ${value} ${unit}, and accept it`, async () => {
    await put({ maxShareSize: bytes })
    const shown = await config()
    assert.equal([shown.maxSizeVal, shown.maxSizeUnit], [value, unit])
    const same = await put(shown)
    assert.equal([same.status, same.json().unknownKeys], [200, []])
    assert.equal(await config(), shown)
    assert.is((await put({ maxShareSize: 77 })).status, 200)
    assert.is((await put({ maxSizeVal: value, maxSizeUnit: unit })).status, 200)
    assert.is((await config()).maxShareSize, bytes)
    await put({ maxShareSize: 0 })
  })
}

aliases('should let a limit be changed under either name', async () => {
  await put({ maxShareSize: 3 * 1024 ** 3 })
  const all = await config()
  await put({ ...all, maxSizeVal: 2.5 })
  assert.is((await config()).maxShareSize, 2.5 * 1024 ** 3)
  await put({ ...(await config()), maxShareSize: 5 })
  assert.is((await config()).maxShareSize, 5)
  for (const wrong of [{ maxSizeVal: -1 }, { maxSizeVal: '5' }, { maxSizeUnit: 'PB' }]) {
    assertError(await put(wrong), 400, 'invalid_input')
  }
  assert.is((await put({ maxShareSize: 0 })).status, 200)
})

aliases('should never round a small limit to none', async () => {
  await put({ maxShareSize: 0 })
  for (const [maxSizeVal, maxSizeUnit, bytes] of [
    [0.4, 'B', 1],
    [Number.MIN_VALUE, 'TB', 1],
    [1.6, 'B', 2],
    [0, 'B', 0],
  ] as const) {
    assert.is((await put({ maxSizeVal, maxSizeUnit })).status, 200)
    assert.is((await config()).maxShareSize, bytes, `${maxSizeVal} ${maxSizeUnit}`)
  }
})

aliases('should refuse a unit without a value', async () => {
  await put({ maxShareSize: 0 })
  const alone = await put({ maxSizeUnit: 'MB' })
  assertError(alone, 400, 'invalid_input')
  assert.is(alone.json().error, 'maxSizeUnit: can be set only together with maxSizeVal')
  assert.is((await put({ maxSizeUnit: 'GB' })).status, 200, 'the values of GET')
  await put({ maxShareSize: 5 * 1024 ** 2 })
  assert.is((await put({ maxSizeUnit: 'KB' })).status, 200)
  assert.is((await config()).maxShareSize, 5 * 1024)
  await put({ maxShareSize: 0 })
})

for (const [change, problem] of [
  [{ maxSizeVal: -1 }, 'maxSizeVal: must be at least 0'],
  [{ maxSizeVal: 9e15, maxSizeUnit: 'TB' }, 'maxSizeVal: must be at most 8191 TB'],
  [{ maxSizeVal: 1e300 }, 'maxSizeVal: must be at most 9007199254740991'],
  [{ maxSizeUnit: 'PB' }, 'maxSizeUnit: must be B, KB, MB, GB or TB'],
] as const) {
  aliases(`should explain what is wrong with ${JSON.stringify(change)}`, async () => {
    await put({ maxShareSize: 0 })
    const answer = await put(change)
    assertError(answer, 400, 'invalid_input')
    assert.is(answer.json().error, problem)
  })
}

aliases('should show the limit under that name to its owner only', async () => {
  const user = await service.user('reads@example.org')
  assert.is('maxSizeVal' in (await user.get('/api/config')).json(), false)
  await user.close()
})

aliases('should keep the exact size', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (bytes, other) => {
      const changed = withoutSizeAlias({ ...sizeAlias(bytes) }, other)
      assert.equal(changed, bytes === other ? {} : { maxShareSize: bytes })
    }),
  )
})

aliases.run()
