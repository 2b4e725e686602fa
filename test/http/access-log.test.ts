import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../helpers/until.ts'
import { okay, setCookie } from '../helpers/client.ts'
import { adminEmail, adminPassword, startService } from '../helpers/service.ts'
import { headOf, RawConnection } from '../helpers/raw-connection.ts'

const logging = suite('access log')

const service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
const owner = await service.admin()
const recipient = service.client()
logging.before.each(async () => {
  await until('earlier requests have been logged', () => service.app.listener.watchdog.size === 0)
  service.logLines.length = 0
})

async function entries(count: number): Promise<any[]> {
  const read = () =>
    service.logLines.map((line) => JSON.parse(line)).filter((line) => line.method !== undefined)
  await until(`${count} requests have been logged`, () => read().length >= count)
  return read()
}

logging('should be one JSON line per request', async () => {
  await owner.get('/api/shares?secret=in-the-query')
  await recipient.get('/api/shares')
  const [first, second] = await entries(2)
  const { method, path, status, ip } = first
  assert.equal([method, path, status, ip], ['GET', '/api/shares', 200, '127.0.0.1'])
  assert.equal([second.status, second.code], [401, 'unauthorized'])
})

const slugs = ['abc', 'holidays', 'twelve-chars']

/** Addresses with names and tokens in places where they may not belong. */
function strangePaths(shareId: string, token: string): string[] {
  const ofAny = (name: string) => [
    `/s/${name}`,
    `/s/${name}/nothing`,
    `/s//${name}`,
    `/S/${name}`,
    `/%73/${name}`,
    `/api/public/shares/${name}?x=query-secret-42#fragment-secret-42`,
    `/api/Shares/${name}`,
    `/api/shares/${name}/nothing`,
  ]
  const ofId = '/s/ID/ /nothing/ID /ID //ID /api/public/shares/ID%00 /nothing/ID.zip'
  return [
    ...[shareId, ...slugs].flatMap(ofAny),
    ...ofId.replaceAll('ID', shareId).split(' '),
    `/nothing?${token}`,
    `/nothing;${token}`,
  ]
}

logging('should contain no token, password, cookie, query, full or custom link', async () => {
  const credentials = { email: adminEmail, password: adminPassword }
  const login = await recipient.post('/api/auth/login', credentials)
  await recipient.post('/api/auth/login', { email: adminEmail, password: 'wrong-password-42' })
  const draft = (await owner.post('/api/shares/init', { password: 'open sesame 42' })).json()
  const { shareId, uploadToken } = draft
  await owner.chunk(shareId, 'secret-file-id', 0, 'secret-content', { fileName: 'secret-name.txt' })
  const listed = [{ fileId: 'secret-file-id', originalName: 'secret-name.txt', size: 14 }]
  await owner.finalize(shareId, listed)
  const opener = service.client()
  await opener.post(`/api/shares/${shareId}/verify`, { password: 'wrong-password-42' })
  const password = 'open sesame 42'
  const verified = await opener.post(`/api/shares/${shareId}/verify`, { password })
  const download = await okay(opener.get(`/api/shares/${shareId}/download?token=query-secret-42`))
  const paths = strangePaths(shareId, uploadToken)
  for (const slug of slugs) {
    await owner.call('PATCH', `/api/shares/${shareId}`, { json: { slug } })
    await recipient.get(`/api/shares/${slug}/download`)
  }
  for (const path of paths) {
    await recipient.get(path)
    await recipient.call('OPTIONS', path)
  }
  const raw = await RawConnection.open(service.url)
  await raw.ask(`GET http://x/s/${shareId} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await raw.ask(`GET /s/${shareId} HTTP/1.1\r\nbroken\r\n\r\n`)
  raw.destroy()

  await entries(8 + 2 * paths.length)
  await until('every request has been logged', () => service.app.listener.watchdog.size === 0)
  // Random ids of requests may contain a short name.
  const log = service.logLines.join('\n').replaceAll(/"requestId":"[^"]*"/g, '')
  const lease = setCookie(download, 'downloader').split(/[=;]/)[1] ?? ''
  assert.ok(lease.length > 20)
  const secrets: Record<string, string> = {
    'the share id': shareId,
    'most of the share id': shareId.slice(0, 12),
    'the session': login.json().token,
    'the other session': owner.token ?? '',
    'the upload token': uploadToken,
    'the unlock token': verified.json().accessToken,
    'the lease': lease,
    'a password': adminPassword,
    'a wrong password': 'wrong-password-42',
    'a share password': 'open sesame 42',
    'a query': 'query-secret-42',
    'a file name': 'secret-name',
    'a file id': 'secret-file-id',
    'some content': 'secret-content',
    'an email address': adminEmail,
    ...Object.fromEntries(['abc', 'holid', 'twelve-'].map((slug) => [slug, slug])),
  }
  for (const [what, secret] of Object.entries(secrets)) {
    assert.not.ok(log.includes(secret), `${what} is in the log`)
  }
  assert.ok(log.includes('/api/shares/{shareId}/download'), 'paths are logged as their patterns')
})

logging('should count received bytes, and record clients that disconnected', async () => {
  const shareId = await owner.init()
  await owner.chunk(shareId, 'f', 0, Buffer.alloc(5000))
  assert.ok((await entries(2)).at(-1).received > 5000)
  const raw = await RawConnection.open(service.url)
  const fields = { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': 999 }
  await raw.send(`${headOf(owner, `POST /api/shares/${shareId}/chunk`, fields)}--x`)
  await until('the request has started', () => service.app.listener.watchdog.size === 1)
  raw.destroy()
  const gone = (await entries(3)).at(-1)
  assert.equal([gone.aborted, gone.path], [true, '/api/shares/{shareId}/chunk'])
})
