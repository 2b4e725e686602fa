// Cookies of many links in one browser, and beside other programs on the same host.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { cookieName, cookieValue, makeLink, type Client } from '../helpers/client.ts'
import { adminEmail, adminPassword, startService } from '../helpers/service.ts'

const password = 'open sesame'
const linkCookies = /transfer_(unlocked|downloader|deliveries)_/
/** Node refuses a head with more. */
const headBytesMax = 16 * 1024

let browser: Client

const cookies = suite('cookies of links')
const service = await startService({
  env: { RATE_LIMIT_DOWNLOAD: 'off', RATE_LIMIT_LOGIN: 'off', TRUST_PROXY: 'loopback' },
})
const owner = await service.admin()
// The longest ids: the lists must fit into a cookie of 4096 bytes.
await owner.put('/api/config', { linkIdLength: 50 })
cookies.before.each(() => {
  browser = service.client()
})
cookies.after.each(() => browser.close())

const headerBytes = () =>
  [...browser.cookies].reduce((sum, [name, value]) => sum + name.length + value.length + 3, 0)
const isOpen = async (id: string) =>
  (await browser.get(`/api/public/shares/${id}`)).json().files.length === 1

cookies('should unlock, download and deliver 70 links in one browser', async () => {
  const shares: string[] = []
  const requests: string[] = []
  for (let index = 0; index < 70; index += 1) {
    const id = await owner.share({ a: 'content' }, { password, maxDownloads: 1 })
    assert.is((await browser.post(`/api/shares/${id}/verify`, { password })).status, 200)
    assert.ok(await isOpen(id), `share ${index}`)
    shares.push(id)
    const request = await makeLink(owner)
    assert.is((await browser.post(`/api/public/reverse/${request}/init`, {})).status, 200)
    requests.push(request)
  }
  const [first, ...later] = [shares[0]!, ...shares.slice(-50)]
  assert.not.ok(await isOpen(first), 'the oldest is dropped')
  for (const id of later) {
    assert.ok(await isOpen(id))
    assert.is((await browser.get(`/api/shares/${id}/download`)).status, 200)
  }
  // The leases of all pay for going on.
  for (const id of later) {
    assert.is((await browser.get(`/api/shares/${id}/download`, { range: 'bytes=5-' })).status, 206)
  }
  for (const request of requests.slice(-30)) {
    assert.is((await browser.get(`/api/public/reverse/${request}/chunks`)).status, 200)
  }
  assert.is(browser.cookies.size, 3)
  for (const name of browser.cookies.keys()) assert.match(name, linkCookies)
  for (const value of browser.cookies.values()) assert.ok(value.length < 3800)
  assert.ok(headerBytes() < headBytesMax / 2)
  const credentials = { email: adminEmail, password: adminPassword }
  assert.is((await browser.post('/api/auth/login', credentials)).status, 200)
  assert.is((await browser.get('/api/account')).status, 200)
})

cookies('should believe only what the service has signed for this purpose', async () => {
  const id = await owner.share({ a: 'a' }, { password })
  const request = await makeLink(owner)
  await browser.post(`/api/shares/${id}/verify`, { password })
  await browser.post(`/api/public/reverse/${request}/init`, {})
  const [name, value] = [cookieName(browser, 'unlocked'), cookieValue(browser, 'unlocked')]
  const [list, signature] = value.split('.') as [string, string]
  const far = list.replace(/~[^~]*$/, '~zzzzzzz')
  for (const forged of [
    '',
    '.',
    list,
    `${list}.`,
    `.${signature}`,
    `${list}.${signature.slice(1)}`,
    `${far}.${signature}`,
    `${list}.${list}.${signature}`,
    cookieValue(browser, 'deliveries'),
  ]) {
    browser.cookies.set(name, forged)
    assert.not.ok(await isOpen(id), forged)
  }
  browser.cookies.set(name, value)
  assert.ok(await isOpen(id))
})

cookies('should keep the sign-ins of two instances on one host', async () => {
  const other = await startService({ env: { BASE_URL: 'http://transfer.test:8090' } })
  const second = other.client()
  const credentials = { email: adminEmail, password: adminPassword }
  // One jar, as browsers have for all ports of a host.
  const share = (from: Client, to: Client) => {
    for (const [name, value] of from.cookies) to.cookies.set(name, value)
  }
  assert.is((await browser.post('/api/auth/login', credentials)).status, 200)
  share(browser, second)
  assert.is((await second.post('/api/auth/login', credentials)).status, 200)
  share(second, browser)
  assert.is(browser.cookies.size, 4)
  for (const client of [browser, second]) {
    assert.is((await client.get('/api/account')).status, 200)
  }
  await second.post('/api/auth/logout', {})
  assert.is((await browser.get('/api/account')).status, 200)
  assert.is((await second.get('/api/account')).status, 401)
})
