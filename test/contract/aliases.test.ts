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
  assert.is(paths['/api/shares/{shareId}'].put, undefined)
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

aliases('should set the same limit each time that the same body is sent', async () => {
  for (const [body, bytes] of [
    [{ maxSizeVal: 5, maxSizeUnit: 'GB' }, 5 * 1024 ** 3],
    [{ maxSizeVal: 1024, maxSizeUnit: 'MB' }, 1024 ** 3],
    [{ maxSizeVal: 0.5, maxSizeUnit: 'TB' }, 512 * 1024 ** 3],
    [{ maxSizeVal: 2048 }, 2 * 1024 ** 4],
    [{ maxShareSize: 5 * 1024 ** 3, maxSizeVal: 5 }, 5 * 1024 ** 3],
    [{ maxSizeVal: 0, maxSizeUnit: 'MB' }, 0],
  ] as const) {
    for (const _time of [1, 2, 3]) {
      assert.is((await put(body)).status, 200, JSON.stringify(body))
      assert.is((await config()).maxShareSize, bytes, JSON.stringify(body))
    }
  }
  const before = await config()
  await put({ maxSizeVal: 5, maxSizeUnit: 'GB' })
  for (const _time of [1, 2, 3]) {
    assert.is((await put(before)).status, 200)
    assert.equal(await config(), before)
  }
})

aliases('should refuse two sizes that differ, each time, and change nothing', async () => {
  for (const present of [0, 3 * 1024 ** 3]) {
    await put({ maxShareSize: present })
    const all = await config()
    for (const body of [
      { ...all, maxSizeVal: 5, maxSizeUnit: 'GB' },
      { ...all, maxShareSize: 7 },
      { maxShareSize: 0, maxSizeVal: 5 },
      { maxShareSize: 5 * 1024 ** 3, maxSizeVal: 0 },
    ]) {
      for (const _time of [1, 2, 3]) {
        const answer = await put({ ...body, welcomeText: 'changed' })
        assertError(answer, 400, 'invalid_input')
        assert.is(answer.json().field, 'maxSizeVal')
        assert.is(answer.json().error, 'maxSizeVal: differs from maxShareSize: send one of them')
        assert.equal(await config(), all)
      }
    }
  }
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
  for (const [bytes, maxSizeUnit] of [
    [0, 'MB'],
    [0, 'GB'],
    [5 * 1024 ** 2, 'MB'],
    [5 * 1024 ** 2, 'KB'],
  ] as const) {
    await put({ maxShareSize: bytes })
    const alone = await put({ maxSizeUnit })
    assertError(alone, 400, 'invalid_input')
    assert.is(alone.json().error, 'maxSizeUnit: can be set only together with maxSizeVal')
    assert.is((await config()).maxShareSize, bytes)
  }
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
    fc.property(fc.maxSafeNat(), (bytes) => {
      const alias = sizeAlias(bytes)
      assert.equal(withoutSizeAlias({ ...alias }), { maxShareSize: bytes })
      const both = { ...alias, maxShareSize: bytes }
      assert.equal(withoutSizeAlias(both), { maxShareSize: bytes })
    }),
  )
})

aliases.run()
