// What the pages say is so: sentences that were once untrue, in one table.
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite } from '../helpers/browser.ts'
import { untilCount, untilNoMatch } from '../helpers/reads.ts'
import { choose, contents, counted, file, getLink, heading, startScene } from './sender.ts'

const said = browserSuite('web: what is said')

const scene = await startScene(said)

async function offerTheLink(page: Page): Promise<void> {
  const shareId = await scene.owner.init({ name: 'Whole' })
  await scene.owner.chunk(shareId, 'f', 0, 'content')
  const json = { expectedBytes: 7 }
  await scene.owner.call('PATCH', `/api/shares/${shareId}`, { json })
  await page.goto(scene.browser.address('/shares'))
  const row = page.getByRole('row').filter({ hasText: 'Whole' })
  await row.getByText('Ready, no link yet').waitFor()
  await untilNoMatch(() => row.innerText(), /Uploading|%|Active/)
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

async function announceAddresses(page: Page): Promise<void> {
  await choose(page, [file('a.txt', 'first')])
  const field = page.getByLabel('To', { exact: true })
  await field.fill('nonsense')
  await field.press('Enter')
  await page.getByRole('button', { name: 'Remove nonsense' }).waitFor()
  await untilCount(page.getByText('Added:'), 0)
}

const sentences: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  ['offer the link of a draft that is complete', offerTheLink],
  ['upload nothing again when a removal is undone', undoRemoval],
  ['send a second email only after a minute', emailAgain],
  ['announce no address that is none', announceAddresses],
]

for (const [name, look] of sentences) {
  said(`should ${name}`, async () => {
    const page = await scene.browser.open('/')
    await heading(page, 'Send files').waitFor()
    await look(page)
  })
}
