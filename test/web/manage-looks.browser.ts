// Every view of shares and file requests, in every look, English and German.
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { Guest } from '../reverse-shares/guest.ts'
import { browserSuite, startBrowser } from '../helpers/browser.ts'
import type { Client } from '../helpers/client.ts'
import { startService, type Service } from '../helpers/service.ts'
import { assertRoomy, inEveryLook } from './looks.ts'

type Role = Parameters<Page['getByRole']>[0]

const looks = browserSuite('web: looks of shares and requests')
// Every look of a dozen views in one test: most of a minute on an idle machine.

let service: Service
let owner: Client
let views: readonly (readonly [what: string, address: string, role: Role])[]

looks.before(async () => {
  service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
  owner = await service.user('owner@example.org')
  const { shareId, requestId } = await furnish()
  views = [
    ['shares', '/shares', 'row'],
    ['share-files', `/shares/${shareId}`, 'listitem'],
    ['share-settings', `/shares/${shareId}/settings`, 'combobox'],
    ['share-activity', `/shares/${shareId}/activity`, 'row'],
    ['share-recipients', `/shares/${shareId}/recipients`, 'textbox'],
    ['requests', '/requests', 'row'],
    ['request-new', '/requests/new', 'group'],
    ['request-detail', `/requests/${requestId}`, 'article'],
    ['request-settings', `/requests/${requestId}/settings`, 'combobox'],
    ['share-gone', '/shares/AAAAAAAAAAAAAAAAAAAAAA', 'alert'],
    // Only for administrators.
    ['nowhere', '/admin', 'heading'],
  ]
})
looks.after(async () => {
  await owner.close()
  await service.stop()
})

/** Shares and requests in every state, so that every view has content. */
async function furnish(): Promise<{ shareId: string; requestId: string }> {
  await owner.init({ name: 'Half of a film' })
  const stopped = await owner.share({ a: 'a' }, { name: 'Last year' })
  await owner.post(`/api/shares/${stopped}/stop`)
  await owner.share({ a: 'a' }, { name: 'Kept for ever', expirationVal: 0 })
  const files = { 'beach/one.jpg': 'x'.repeat(70_000), 'beach/two.jpg': 'yy', 'notes.txt': 'z' }
  const name = 'Holiday with a rather long name that has to be broken somewhere'
  const shareId = await owner.share(files, {
    name,
    maxDownloads: 10,
    password: 'secret',
    recipients: 'oma@example.org',
  })
  const recipient = service.client()
  const unlocked = await recipient.post(`/api/shares/${shareId}/verify`, { password: 'secret' })
  assert.is(unlocked.status, 200)
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  await recipient.get(`/api/shares/${shareId}/download`, { 'user-agent': agent })
  await recipient.close()
  const requiredFields = ['name']
  const json = { name: 'Documents for the tax return', maxSize: 2_000_000_000, requiredFields }
  const { id: requestId } = (await owner.post('/api/reverse', json)).json()
  await owner.post('/api/reverse', { name: '' })
  const sender = { senderName: 'Oma', senderEmail: 'oma@example.org', note: 'Here you are!' }
  await new Guest(service.client(), requestId).deliver({ 'a/scan.pdf': 'x', b: 'y' }, sender)
  const again = { ...sender, senderName: 'Oma Erna', note: '' }
  await new Guest(service.client(), requestId).deliver({ 'letter.pdf': 'x' }, again)
  await new Guest(service.client(), requestId).deliver({ c: 'z' }, { senderName: 'Opa' })
  const rex = new Guest(service.client(), requestId)
  await rex.init({ senderName: 'Rex' })
  await rex.chunk('f', 0, 'part')
  return { shareId, requestId }
}

looks('should be readable everywhere, without scrolling sideways', async () => {
  await inEveryLook(service.url, {}, async (browser, check) => {
    await browser.logInAs(owner)
    const page = await browser.open('/shares')
    for (const [what, address, role] of views) {
      await page.goto(browser.address(address))
      await page.getByRole(role).first().waitFor()
      await check(page, what)
    }
    await page.goto(browser.address('/shares'))
    await page.getByRole('row').last().getByRole('button').last().click()
    await page.getByRole('link', { name: 'Open' }).waitFor()
    await check(page, 'menu')
  })
})

looks('should be complete in German', async () => {
  const german = await startBrowser(service.url, { language: 'de-DE' })
  await german.logInAs(owner)
  const page = await german.open('/shares')
  for (const [what, address, role] of views) {
    await page.goto(german.address(address))
    await page.getByRole(role).first().waitFor()
    await assertRoomy(page, `${what}-german`)
    // No missing text shows its key.
    assert.not.match(
      await page.locator('body').innerText(),
      /\b(shares|requests|manage|activity)\.[a-z]/,
    )
  }
  assert.equal(german.problems, [])
  await german.close()
})

looks.run()
