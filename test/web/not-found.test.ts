// Addresses with nothing behind them: a page for people, an error for programs.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, okay } from '../helpers/client.ts'
import { startService } from '../helpers/service.ts'

const notFound = suite('web: addresses with nothing behind them')
const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

const service = await startService()
const client = service.client()

for (const path of ['/foo', '/s/x', '/s/', '/r/x', '/foo/', '/%ff', '/a/b/c/d', '/logo']) {
  notFound(`should show browsers a page for ${path}`, async () => {
    const answer = await client.get(path, { accept: browserAccept })
    assert.is(answer.status, 404)
    assert.is(answer.headers['content-type'], 'text/html; charset=utf-8')
    assert.is(answer.headers['cache-control'], 'no-store')
    const html = answer.body.toString()
    assert.match(html, /<h1 tabindex="-1">(<bdi>)?[A-Z]/)
    assert.match(html, '<html lang="en"')
    const headers = { accept: browserAccept, 'accept-language': 'de' }
    assert.match((await client.get(path, headers)).body.toString(), '<html lang="de"')
  })
}

notFound('should show a page at its address with a slash, too', async () => {
  const answer = await okay(client.get('/login/', { accept: browserAccept }))
  assert.is(answer.headers['content-type'], 'text/html; charset=utf-8')
})

for (const [title, method, path, accept] of [
  ['programs', 'GET', '/foo', '*/*'],
  ['programs that say nothing', 'GET', '/foo', ''],
  ['programs that take JSON', 'GET', '/foo', 'application/json, text/html'],
  ['browsers at the API', 'GET', '/api/foo', browserAccept],
  ['browsers that send something', 'POST', '/foo', browserAccept],
] as const) {
  notFound(`should answer ${title} with an error`, async () => {
    assertError(await client.call(method, path, { headers: { accept } }), 404, 'not_found')
  })
}
