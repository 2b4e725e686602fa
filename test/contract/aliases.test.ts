// Alternative names that clients of this API use, described as deprecated; and paged lists, which
// accept the same `limit` and link to the next page alike.
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, type Answer } from '../helpers/client.ts'
import { sizeAlias, withoutSizeAlias } from '../../src/settings/size-alias.ts'
import { appOf } from '../accounts/people.ts'
import { startService } from '../helpers/service.ts'

const aliases = suite('contract: aliases')
const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
const admin = await service.admin()
const put = (json: object) => admin.put('/api/config', json)
const config = async () => (await admin.get('/api/config')).json()

aliases('should answer enrolment with the alternative names, too', async () => {
  const user = await service.user('enrols@example.org')
  const { secret, qrCodeSvg, qrCode } = (await user.post('/api/auth/2fa/setup')).json()
  const [, image] = /^data:image\/svg\+xml;base64,(.+)$/.exec(qrCode) ?? []
  assert.is(Buffer.from(image!, 'base64').toString(), qrCodeSvg)
  const code = appOf(service, secret).code()
  const confirmation = { code, currentPassword: 'password of enrols@example.org' }
  const enabled = await user.post('/api/auth/2fa/enable', confirmation)
  const { recoveryCodes, backupCodes } = enabled.json()
  assert.is(recoveryCodes.length, 10)
  assert.equal(backupCodes, recoveryCodes)
})

const sizes: [bytes: number, value: number, unit: string][] = [
  [0, 0, 'GB'],
  [10 * 1024 ** 3, 10, 'GB'],
  [1536 * 1024 ** 2, 1536, 'MB'],
  [1024 ** 4, 1, 'TB'],
  [1500, 1500, 'B'],
]

aliases('should show the limit of a share in its largest whole unit, and accept it', async () => {
  for (const [bytes, value, unit] of sizes) {
    assert.equal(sizeAlias(bytes), { maxSizeVal: value, maxSizeUnit: unit })
  }
  assert.is((await put({ maxSizeVal: 1, maxSizeUnit: 'TB' })).status, 200)
  const shown = await config()
  assert.equal([shown.maxShareSize, shown.maxSizeVal, shown.maxSizeUnit], [1024 ** 4, 1, 'TB'])
  assert.equal((await put(shown)).json().unknownKeys, [])
  assert.equal(await config(), shown)
})

aliases('should refuse two sizes that differ, and wrong ones, and change nothing', async () => {
  const differs = 'maxSizeVal: differs from maxShareSize: send one of them'
  const alone = 'maxSizeUnit: can be set only together with maxSizeVal'
  for (const present of [0, 3 * 1024 ** 3]) {
    await put({ maxShareSize: present })
    const all = await config()
    for (const [body, error] of [
      [{ ...all, maxSizeVal: 5, maxSizeUnit: 'GB' }, differs],
      [{ ...all, maxShareSize: 7 }, differs],
      [{ maxShareSize: 0, maxSizeVal: 5 }, differs],
      [{ maxSizeUnit: 'MB' }, alone],
      [{ maxSizeVal: -1 }, 'maxSizeVal: must be at least 0'],
      [{ maxSizeVal: 9e15, maxSizeUnit: 'TB' }, 'maxSizeVal: must be at most 8191 TB'],
      [{ maxSizeVal: 1, maxSizeUnit: 'PB' }, 'maxSizeUnit: must be B, KB, MB, GB or TB'],
    ] as const) {
      const answer = await put({ ...body, welcomeText: 'changed' })
      assertError(answer, 400, 'invalid_input')
      assert.is(answer.json().error, error)
      assert.equal(await config(), all)
    }
  }
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

const pages = suite('contract: pages')
const shareId = await admin.share({ a: 'a' })
for (let place = 0; place < 8; place += 1) {
  // Some at the same moment: their ids decide.
  if (place % 3 === 0) service.clock.advance(1000)
  await admin.share({ a: 'a' })
  await service.client().get(`/api/shares/${shareId}/download`)
}

const lists = {
  '/api/audit': '&event=share.',
  '/api/shares/{shareId}/activity': '',
  '/api/admin/shares': '&state=complete',
  '/api/shares': '',
}
const pathOf = (list: string) => list.replace('{shareId}', shareId)

for (const [list, query] of Object.entries(lists)) {
  pages(`should accept any whole number from 1 to 1000 in ${list}`, async () => {
    for (const [limit, rows] of Object.entries({ '1': 1, '2': 2, '002': 2, '1000': null })) {
      const answer = await admin.get(`${pathOf(list)}?limit=${limit}`)
      assert.is(answer.status, 200, limit)
      if (rows) assert.is(answer.json().length, rows, limit)
    }
    for (const limit of ['0', '1001', '-1', '1.5', '1e2', '', ' 1', 'ten', '9'.repeat(20), '٣']) {
      const answer = await admin.get(`${pathOf(list)}?limit=${encodeURIComponent(limit)}`)
      assertError(answer, 400, 'invalid_input')
      assert.is(answer.json().error, 'limit: must be a whole number from 1 to 1000', limit)
    }
  })

  pages(`should keep the query in links to next pages of ${list}, and show rows once`, async () => {
    const idsOf = (answer: Answer) => answer.json<{ id: string }[]>().map(({ id }) => id)
    const wanted = idsOf(await admin.get(`${pathOf(list)}?${query}`))
    const seen: string[] = []
    for (let path: string | undefined = `${pathOf(list)}?limit=3${query}`; path;) {
      const answer: Answer = await admin.get(path)
      seen.push(...idsOf(answer))
      path = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers['link'] ?? ''))?.[1]
      if (path) assert.match(path, `?limit=3${query}&cursor=`)
      // Rows come meanwhile, and at times the one goes that the next page begins behind.
      service.clock.advance(1000)
      await admin.share({ a: 'new' })
      await service.client().get(`/api/shares/${shareId}/download`)
      if (list.endsWith('/shares') && seen.length % 2 === 0)
        await admin.delete(`/api/shares/${seen.at(-1)}`)
    }
    assert.ok(seen.length > 6)
    assert.equal(seen, wanted)
  })
}
