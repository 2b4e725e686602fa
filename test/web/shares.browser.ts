import * as assert from 'uvu/assert'
import type { Page } from 'playwright-core'
import { browserSuite, stopClock } from '../helpers/browser.ts'
import type { Client } from '../helpers/client.ts'
import { until, untilEqual, untilIs, untilNoMatch, untilOk, untilValue } from '../helpers/until.ts'
import { changed, details } from '../shares/changes/scene.ts'
import { choose, copied, file, more, row, startScene } from './sender.ts'

const shares = browserSuite('web: shares')
const dayMs = 86_400_000

let owner: Client

const { service, browser, newOwner } = await startScene(shares, { mail: false })
shares.before.each(async () => {
  owner = await newOwner()
})

const names = async (page: Page) =>
  (await page.getByRole('rowheader').getByRole('link').allInnerTexts()).map((name) => name.trim())

/** Because the clock of the test is fixed, and that of the page is not. */
async function download(shareId: string): Promise<void> {
  const recipient = service.client()
  assert.is((await recipient.get(`/api/shares/${shareId}/download`)).status, 200)
}

shares('should show each share with its state in words', async () => {
  await owner.share({ 'a.txt': 'a', 'b.txt': 'bb' }, { name: 'Holiday', maxDownloads: 10 })
  const used = await owner.share({ a: 'a' }, { name: 'Used up', maxDownloads: 1 })
  await download(used)
  const stopped = await owner.share({ a: 'a' }, { name: 'Stopped' })
  await owner.post(`/api/shares/${stopped}/stop`)
  await owner.init({ name: 'Half' })
  await owner.share({ a: 'a' }, { name: 'For ever', expirationVal: 0 })
  await service.app.jobs.runAll()
  const page = await browser.open('/shares')
  await row(page, 'Holiday').waitFor()
  const expected = {
    Holiday: ['2 files · 3\u00a0bytes', '0 of 10 people', 'in 7 days'],
    'Used up': ['Limit reached', '1 of 1 person'],
    Stopped: ['Ended'],
    Half: ['Unfinished'],
    'For ever': ['never expires'],
  }
  for (const [name, words] of Object.entries(expected)) {
    const text = await row(page, name).innerText()
    for (const word of words) assert.match(text, word, name)
  }
  await untilNoMatch(() => row(page, 'Stopped').innerText(), 'Copy link')
  await untilNoMatch(() => row(page, 'Half').innerText(), /Copy link|0\sbytes/)
  await page.getByText(/\d+\sbytes used/).waitFor()
  await page.getByRole('link', { name: 'Continue Half' }).waitFor()
})

shares('should show the progress of an upload, and the remaining quota', async () => {
  const admin = await service.admin()
  await admin.put('/api/config', { userQuota: 4_000_000 })
  await owner.share({ a: 'x'.repeat(1_000_000) }, { name: 'Large' })
  const page = await browser.open('/')
  await page.route('**/chunk', () => {})
  await choose(page, [file('slow.txt', 'never arrives')])
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await page.getByRole('link', { name: 'Shares' }).click()
  await row(page, 'slow').getByText('Uploading 0%').waitFor()
  const bar = page.getByRole('progressbar', { name: '1 MB of 4 MB used' })
  await untilIs(() => bar.getAttribute('value'), '1000000')
  await admin.put('/api/config', { userQuota: 0 })
})

shares('should show the progress of another device, and let the upload continue here', async () => {
  const shareId = await owner.init({ name: 'From my phone' })
  await owner.patch(`/api/shares/${shareId}`, { published: true, expectedBytes: 8 })
  await owner.chunk(shareId, 'f', 0, 'half')
  const page = await browser.open('/shares')
  const phone = row(page, 'From my phone')
  await phone.getByText('Uploading 50%').waitFor()
  await phone.getByRole('link', { name: 'Continue' }).waitFor()
  // By itself.
  await owner.chunk(shareId, 'g', 0, 'of')
  await phone.getByText('Uploading 75%').waitFor()
  await page.getByRole('link', { name: 'From my phone', exact: true }).click()
  await page.getByText('Another tab or device is uploading this').waitFor()
  await page.getByLabel('Link', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Continue' }).waitFor()
  // Nothing was received for a while.
  await service.database.sql`update containers set changed_at = changed_at - interval '1 hour'`
  await page.reload()
  await page.getByText('Upload paused at 75%, last active').waitFor()
  await page.getByText('Unfinished 75%').waitFor()
  // Its link works all the same.
  await page.getByLabel('Link', { exact: true }).waitFor()
  await service.database.sql`update containers set changed_at = changed_at - interval '1 day'`
  await page.reload()
  await page.getByText('This upload was not finished, last active').waitFor()
})

shares('should not show again the answer to a request from before a change', async () => {
  await owner.share({ a: 'a' }, { name: 'Short' })
  const growing = await owner.init({ name: 'Growing' })
  await owner.chunk(growing, 'f', 0, 'half')
  const page = await browser.open('/shares')
  await row(page, 'Short').getByText('in 7 days').waitFor()
  const asked: string[] = []
  await page.route('**/api/shares', async (route) => {
    const answer = await route.fetch()
    asked.push('once')
    if (asked.length > 1) await route.fulfill({ response: answer })
  })
  const dropped = page.waitForEvent('requestfailed')
  await until('the list is loaded again', () => asked.length === 1)
  await more(page, 'Short')
  await page.getByRole('button', { name: 'Extend 7 days' }).click()
  assert.ok((await dropped).url().endsWith('/api/shares'))
  await until('it is loaded after the change', () => asked.length === 2)
  await row(page, 'Short').getByText('in 2 weeks').waitFor()
})

shares('should search, filter and sort, and keep that in the address', async () => {
  const one = await owner.share({ 'beach.jpg': 'aaaa' }, { name: 'Alpha' })
  await owner.share({ b: 'a' }, { name: 'Beta' })
  await owner.init({ name: 'Gamma' })
  await download(one)
  const page = await browser.open('/shares')
  await row(page, 'Alpha').waitFor()
  await until(async () => assert.equal((await names(page)).toSorted(), ['Alpha', 'Beta', 'Gamma']))
  await page.getByRole('button', { name: 'Size' }).click()
  await page.getByRole('button', { name: 'Size' }).click()
  await page.waitForURL('**/shares?sort=-size')
  await untilEqual(() => names(page), ['Alpha', 'Beta', 'Gamma'])
  const size = page.getByRole('columnheader', { name: 'Size' })
  await untilIs(() => size.getAttribute('aria-sort'), 'descending')
  await page.getByLabel('State').selectOption('Unfinished')
  await untilEqual(() => names(page), ['Gamma'])
  await page.getByLabel('State').selectOption('All')
  await page.getByLabel('Search').fill('BEACH')
  await page.waitForURL('**/shares?sort=-size&q=BEACH')
  await page.reload()
  await row(page, 'Alpha').waitFor()
  await untilEqual(() => names(page), ['Alpha'])
  await page.getByLabel('Search').fill('nothing like it')
  await page.getByText('No results').waitFor()
  // Phones add a space to a word.
  await page.getByLabel('Search').fill('beta ')
  await untilEqual(() => names(page), ['Beta'])
  await page.getByRole('link', { name: 'Shares' }).click()
  await untilEqual(async () => (await names(page)).toSorted(), ['Alpha', 'Beta', 'Gamma'])
  await untilValue(page.getByLabel('Search'), '')
})

shares('should end shares only once the time to undo is over, and show each end', async () => {
  const [one, two, kept] = ['One', 'Two', 'Kept'] as const
  const ids: string[] = []
  for (const name of [one, two, kept]) ids.push(await owner.share({ a: 'a' }, { name }))
  const page = await browser.openWithClock('/shares')
  await row(page, one).waitFor()
  await stopClock(page)
  const end = async (name: string) => {
    await more(page, name)
    await page.getByRole('button', { name: 'End share and delete files' }).click()
    await row(page, name).getByText('Ends in a moment', { exact: true }).waitFor()
  }
  const statuses = () =>
    Promise.all(
      ids.map(async (id) => (await service.client().get(`/api/public/shares/${id}`)).status),
    )
  await end(kept)
  await page.getByRole('button', { name: 'Undo' }).click()
  await row(page, kept).getByText('Ends in a moment').waitFor({ state: 'hidden' })
  await page.clock.runFor(11_000)
  await end(one)
  await end(two)
  assert.equal(await statuses(), [200, 200, 200])
  await page.clock.runFor(11_000)
  await untilEqual(statuses, [410, 410, 200])
  // The list is read again, which a stopped clock holds back.
  await page.clock.resume()
  // The answer for the second does not bring back the first.
  for (const name of [two, one]) await row(page, name).getByText('Ended', { exact: true }).waitFor()
  assert.is((await details(owner, ids[0]!)).status, 'expired')
})

shares('should copy a link and extend a share, from its row', async () => {
  await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const shareId = await owner.share({ a: 'a' }, { name: 'Row' })
  const page = await browser.open('/shares')
  // On a phone its text is left out.
  await page.getByTitle('Copy link of Row').click()
  await page.getByText('Link copied').waitFor()
  await untilIs(() => copied(page), `http://transfer.test/s/${shareId}`)

  await more(page, 'Row')
  await page.getByRole('button', { name: 'Extend 7 days' }).click()
  await page.getByText('“Row” now expires').waitFor()
  const end = Date.parse((await details(owner, shareId)).expires_at)
  assert.ok(Math.abs(end - service.clock.now() - 14 * dayMs) < dayMs / 12)

  // From the end that was chosen elsewhere meanwhile, not from the one in the list.
  await changed(owner, shareId, { expirationVal: 30, expirationUnit: 'Days' })
  const { expires_at: later } = await details(owner, shareId)
  await more(page, 'Row')
  const listed = page.waitForResponse((answer) => answer.url().endsWith('/api/shares'))
  await page.getByRole('button', { name: 'Extend 7 days' }).click()
  const wanted = new Date(Date.parse(later) + 7 * dayMs).toISOString()
  await untilIs(async () => (await details(owner, shareId)).expires_at, wanted)
  await listed
  // Without an end there is nothing to extend.
  await changed(owner, shareId, { expirationVal: 0 })
  await more(page, 'Row')
  await page.getByRole('button', { name: 'Extend 7 days' }).click()
  await row(page, 'Row').getByText('Never expires').waitFor()
  assert.is((await details(owner, shareId)).expires_at, null)
})

shares('should delete only once the time to undo is over or the page is left', async () => {
  const kept = await owner.share({ a: 'a' }, { name: 'Kept' })
  const gone = await owner.share({ a: 'a' }, { name: 'Gone' })
  const left = await owner.share({ a: 'a' }, { name: 'Left' })
  const held = await owner.share({ a: 'a' }, { name: 'Held' })
  const exists = async (id: string) => (await owner.get(`/api/shares/${id}`)).status === 200
  const page = await browser.openWithClock('/shares')
  await row(page, 'Kept').waitFor()
  await stopClock(page)

  await more(page, 'Kept')
  await page.getByRole('button', { name: 'Delete share' }).click()
  await row(page, 'Kept').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await row(page, 'Kept').waitFor()
  await page.clock.runFor(11_000)
  await untilOk(() => exists(kept))

  await more(page, 'Gone')
  await page.getByRole('button', { name: 'Delete share' }).click()
  await page.clock.runFor(9000)
  await untilOk(() => exists(gone))
  await page.clock.runFor(2000)
  await until('the share is gone', async () => !(await exists(gone)))

  // Its request does not get through before the page is left.
  const asked = page.waitForRequest((sent) => sent.method() === 'DELETE')
  await page.route(`**/api/shares/${held}`, () => {}, { times: 1 })
  await more(page, 'Held')
  await page.getByRole('button', { name: 'Delete share' }).click()
  await page.clock.runFor(11_000)
  await asked

  await more(page, 'Left')
  await page.getByRole('button', { name: 'Delete share' }).click()
  await row(page, 'Left').waitFor({ state: 'detached' })
  await untilOk(() => exists(left))
  await page.goto('about:blank')
  await until('both are gone', async () => !(await exists(left)) && !(await exists(held)))
  await untilOk(() => exists(kept))
})
