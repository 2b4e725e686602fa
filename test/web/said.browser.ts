// What the pages say is so: sentences that were once untrue, in one table.
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite, stopClock } from '../helpers/browser.ts'
import { until } from '../helpers/until.ts'
import { Guest, makeLink } from '../requests/guest.ts'
import { choose, contents, counted, file, getLink, heading, holdChunks } from './sender.ts'
import { openOptions, startScene } from './sender.ts'

const said = browserSuite('web: what is said')

const scene = await startScene()
said.after(() => scene.stop())
said.after.each(async () => {
  assert.equal(await scene.browser.closePages(), [])
})

async function offerTheLink(page: Page): Promise<void> {
  const shareId = await scene.owner.init({ name: 'Whole' })
  await scene.owner.chunk(shareId, 'f', 0, 'content')
  const json = { expectedBytes: 7 }
  await scene.owner.call('PATCH', `/api/shares/${shareId}`, { json })
  await page.goto(scene.browser.address('/shares'))
  const row = page.getByRole('row').filter({ hasText: 'Whole' })
  await row.getByText('Ready, no link yet').waitFor()
  await until(async () => assert.not.match(await row.innerText(), /Uploading|%|Active/))
  await row.getByRole('link', { name: 'Get link' }).click()
  await page.getByText('Ready: create the link').waitFor()
  await getLink(page).click()
  await page.getByText('Link copied').waitFor()
  assert.equal(await contents(scene, shareId), { f: 'content' })
}

async function undoRemoval(page: Page): Promise<void> {
  let requests = 0
  page.on('request', (request) => (requests += /\/(chunk|tar)$/.test(request.url()) ? 1 : 0))
  await choose(page, [file('a.txt', 'first'), file('b.txt', 'second')])
  await page.getByText('Uploaded. Private until you get the link.').waitFor()
  const before = requests
  await page.getByRole('button', { name: 'Remove b.txt' }).click()
  await counted(page, '1 file').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await counted(page, '2 files').waitFor()
  await getLink(page).click()
  await page.getByText('Your link is ready').waitFor()
  assert.is(requests, before)
}

async function emailAgain(page: Page): Promise<void> {
  const { owner, service, mailServer } = scene
  const shareId = await owner.share({ a: 'a' }, { recipients: 'oma@example.org' })
  await service.app.services.emails.idle()
  // However long the machine takes.
  await service.database.sql`update emails set sent_at = sent_at + interval '1 hour'`
  const before = mailServer.received.length
  await page.goto(scene.browser.address(`/shares/${shareId}/recipients`))
  await page.getByRole('button', { name: 'Send again to oma@example.org' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Last email:').waitFor()
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await dialog.getByText('Wait a minute before you send another email.').waitFor()
  await service.app.services.emails.idle()
  assert.is(mailServer.received.length, before)
}

async function emailRequest(page: Page): Promise<void> {
  await page.goto(scene.browser.address('/requests/new'))
  await page.getByText('More', { exact: true }).click()
  await page.getByLabel('Send the link by email to').fill('guest@example.org')
  await page.getByRole('button', { name: 'Create and copy link' }).click()
  await page.getByText('Sending to guest@example.org').waitFor()
}

async function showFreeSpace(page: Page): Promise<void> {
  const admin = await scene.service.admin()
  await scene.browser.logInAs(admin)
  await page.goto(scene.browser.address('/admin'))
  const bar = page.getByRole('progressbar', { name: 'Free space' })
  await bar.waitFor()
  const { disk } = (await admin.get('/api/admin/status')).json()
  const shown = Number(await bar.getAttribute('value'))
  assert.ok(Math.abs(shown - disk.free_bytes) < disk.total_bytes / 50, `${shown}`)
  await scene.browser.logInAs(scene.owner)
}

/** The same state and the same words in every place that shows a share. */
async function countPeople(page: Page): Promise<void> {
  const { owner, service } = scene
  const shareId = await owner.share({ a: 'a', b: 'b' }, { name: 'For two', maxDownloads: 2 })
  for (let person = 0; person < 2; person++) {
    const recipient = service.client()
    assert.is((await recipient.get(`/api/shares/${shareId}/download`)).status, 200)
  }
  const row = page.getByRole('row').filter({ hasText: 'For two' })
  await page.goto(scene.browser.address('/shares'))
  await row.getByText('2 of 2 people').waitFor()
  await row.getByText('Limit reached').waitFor()
  await page.goto(scene.browser.address(`/shares/${shareId}`))
  await page.getByText('2 of 2 people opened files · 2 downloads').waitFor()
  await page.getByText('first\u00a02\u00a0people').waitFor()
  const admin = await service.admin()
  await scene.browser.logInAs(admin)
  await page.goto(scene.browser.address('/admin/shares'))
  await row.getByText('Limit reached').waitFor()
  await scene.browser.logInAs(owner)
}

async function endShares(page: Page): Promise<void> {
  const shareId = await scene.owner.share({ a: 'a' }, { name: 'Over' })
  await scene.owner.post(`/api/shares/${shareId}/stop`)
  await page.goto(scene.browser.address('/shares'))
  const row = page.getByRole('row').filter({ hasText: 'Over' })
  await row.getByText('Ended').waitFor()
  const future = /\bin \d|0\sbytes|Continue|Copy/
  await until(async () => assert.not.match(await row.innerText(), future))
  await page.goto(scene.browser.address(`/shares/${shareId}?new`))
  await page.getByText('This share has ended').first().waitFor()
  await until(async () => {
    const text = await page.getByRole('main').innerText()
    assert.not.match(text, /Continue|Your link is ready|Link copied/)
  })
}

async function announceAddresses(page: Page): Promise<void> {
  await choose(page, [file('a.txt', 'first')])
  const field = page.getByLabel('To', { exact: true })
  await field.fill('nonsense')
  await field.press('Enter')
  await page.getByRole('button', { name: 'Remove nonsense' }).waitFor()
  await until(async () => assert.is(await page.getByText('Added:').count(), 0))
}

async function openInvitation(page: Page): Promise<void> {
  await page.goto(scene.browser.address('/invitation'))
  await page.getByText('This invitation is no longer valid. Ask for a new one.').waitFor()
  const codes = page.getByText(/token|wrong_invitation|\bmust\b/)
  await until(async () => assert.is(await codes.count(), 0))
}

async function countDeliveries(page: Page): Promise<void> {
  const { owner, service, browser } = scene
  const id = await makeLink(owner, { name: 'Papers' })
  for (const senderName of ['Oma', 'Opa']) {
    await new Guest(service.client(), id).deliver({ a: senderName }, { senderName })
  }
  await page.close()
  const timed = await browser.openWithClock(`/requests/${id}`)
  await timed.getByText('2 deliveries · 6').waitFor()
  const oma = timed.getByRole('article', { name: 'Delivery from Oma' })
  await stopClock(timed)
  await oma.getByRole('button', { name: 'Delete' }).click()
  await oma.waitFor({ state: 'detached' })
  await timed.clock.runFor(11_000)
  await timed.getByText('1 delivery · 3').waitFor()
}

async function sayWhoOpens(page: Page): Promise<void> {
  await choose(page, [file('a.txt', 'first')])
  await page.getByRole('switch', { name: 'Password' }).check()
  await openOptions(page)
  await page.getByLabel('Download limit').fill('2')
  await page.getByLabel('Who can open it').waitFor()
  await until(async () => assert.not.match(await page.locator('form').innerText(), 'Anyone'))
  await getLink(page).click()
  await page.getByText('first\u00a02\u00a0people').waitFor()
  await until(async () => assert.not.match(await page.getByRole('main').innerText(), 'Anyone'))
}

async function awaitTheLink(page: Page): Promise<void> {
  const release = await holdChunks(page)
  await choose(page, [file('a.txt', 'first')])
  await getLink(page).click()
  await page.getByText('Link copied').waitFor()
  await until(async () => assert.is(await page.getByText('Your link is ready').count(), 0))
  await release()
  await page.getByText('Your link is ready').waitFor()
}

const sentences: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  ['offer the link of a draft that is complete', offerTheLink],
  ['upload nothing again when a removal is undone', undoRemoval],
  ['send a second email only after a minute', emailAgain],
  ['say to whom a file request was sent', emailRequest],
  ['show free space where it says so', showFreeSpace],
  ['count people in every list, and call a share used up in each', countPeople],
  ['offer nothing of a share that has ended', endShares],
  ['announce no address that is none', announceAddresses],
  ['say what to do about an invitation without its token', openInvitation],
  ['count the deliveries of a request without deleted ones', countDeliveries],
  ['never say that anyone opens what has a password or a limit', sayWhoOpens],
  ['call a link ready only once its files are', awaitTheLink],
]

for (const [name, look] of sentences) {
  said(`should ${name}`, async () => {
    const page = await scene.browser.open('/')
    await heading(page, 'Send files').waitFor()
    await look(page)
  })
}
