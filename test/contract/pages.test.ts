// Paged lists accept the same `limit`, describe it the same way, and link to the next page alike.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { description } from '../helpers/description.ts'
import type { Client } from '../helpers/client.ts'
import { startService, type Service } from '../helpers/service.ts'
import { assertError } from './shapes.ts'

const pages = suite('contract: pages')
let service: Service
let admin: Client
let shareId: string

const lists = ['/api/audit', '/api/admin/shares', '/api/shares/{shareId}/activity'] as const
const pathOf = (list: string) => list.replace('{shareId}', shareId)

pages.before(async () => {
  service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
  admin = await service.admin()
  for (const name of ['one', 'two', 'three']) shareId = await admin.share({ a: name }, { name })
  for (const userAgent of ['one', 'two', 'three']) {
    const recipient = service.client()
    await recipient.get(`/api/shares/${shareId}/download`, { 'user-agent': userAgent })
    await recipient.close()
  }
})
pages.after(async () => {
  await admin.close()
  await service.stop()
})

for (const list of lists) {
  pages(`should accept any whole number from 1 to 1000 in ${list}`, async () => {
    for (const [limit, rows] of [
      ['1', 1],
      ['2', 2],
      ['002', 2],
      ['1000', null],
    ] as const) {
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

  pages(`should keep the query in the links to the next pages of ${list}`, async () => {
    let path: string | null = `${pathOf(list)}?limit=1&other=1`
    const found = new Set<string>()
    for (let page = 0; page < 3; page += 1) {
      assert.ok(path, `page ${page}`)
      const answer = await admin.get(path)
      found.add(answer.json()[0].id)
      path = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers['link']))?.[1] ?? null
      if (path) assert.is(new URL(path, service.url).searchParams.get('limit'), '1')
    }
    assert.is(found.size, 3)
  })
}

pages('should describe it once', () => {
  const described = lists.map((list) => {
    const { parameters } = (description as any).paths[list].get
    return parameters.find((one: { name: string }) => one.name === 'limit')
  })
  assert.equal(described[1], described[0])
  assert.equal(described[2], described[0])
})

pages.run()
