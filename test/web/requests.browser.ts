import * as assert from 'uvu/assert'
import type { Page } from 'playwright-core'
import { browserSuite, holdRoute, saved, stopClock } from '../helpers/browser.ts'
import { Guest, pluck, type Client } from '../helpers/client.ts'
import { until, untilCount, untilIs, untilMatch, untilNoMatch, untilNot } from '../helpers/until.ts'
import { untilValue } from '../helpers/until.ts'
import { chooseExpiry, expiry, shown, startScene } from './sender.ts'

const requests = browserSuite('web: file requests')

let owner: Client

const { service, browser, newOwner, another } = await startScene(requests, { mail: false })
requests.before.each(async () => {
  owner = await newOwner()
})

const listed = async () => (await owner.get('/api/reverse')).json()

async function request(input: object = {}): Promise<string> {
  return (await owner.post('/api/reverse', input)).json().id
}

async function deliver(id: string, files: Record<string, string>, sender = {}): Promise<void> {
  const guest = new Guest(service.client(), id)
  assert.is((await guest.deliver(files, sender)).status, 200)
}

/** Everything that one guest has sent. */
const cardOf = (page: Page, sender: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name: sender, level: 2 }) })

/** An unfinished delivery. */
async function begin(id: string, senderName: string): Promise<void> {
  const guest = new Guest(service.client(), id)
  await guest.init({ senderName })
  await guest.chunk('f', 0, 'part')
}

requests('should create and copy a link with the defaults, without https', async () => {
  const page = await (await another(owner, { onLan: true })).open('/requests')
  await page.getByText('Collect files from others').waitFor()
  // By keyboard alone.
  await page.getByRole('link', { name: 'Request files' }).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('What is it for?').waitFor()
  await expiry(page).waitFor()
  await page.getByRole('button', { name: 'Create and copy link' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Link copied').waitFor()
  const [made] = await listed()
  await untilValue(page.getByLabel('Link'), made.url)
  assert.equal([made.name, made.max_size, made.notify_email], ['', 0, true])
  await page.evaluate(`document.body.append(document.createElement('textarea'))`)
  await page.locator('textarea:not([readonly])').focus()
  await page.keyboard.press('Control+v')
  await untilValue(page.locator('textarea:not([readonly])'), made.url)
})

requests('should create a link with all settings', async () => {
  const page = await browser.open('/requests/new')
  await page.getByLabel('What is it for?').fill('Tax papers')
  await chooseExpiry(page, 'Never')
  await page.getByLabel('Instructions for guests').fill('Scans, please')
  await untilNot(() => page.getByLabel('Allowed file types').isVisible())
  await page.getByText('More options', { exact: true }).click()
  await page.getByLabel('Allowed file types').fill('.PDF, *.docx')
  await page.getByLabel('Close after the first delivery').check()
  const requiredFields = page.getByRole('group', { name: 'Required from guests' })
  await requiredFields.getByLabel('Note').check()
  await requiredFields.getByLabel('Name').check()
  await page.getByLabel('Total size limit (GB)').fill('0')
  await page.getByLabel('Total size limit (GB)').press('Enter')
  // An empty field is a limit that the field refuses: the input stays.
  await until(async () => assert.is((await listed()).length, 0))
  await page.getByLabel('Total size limit (GB)').fill('1.5')
  await page.getByRole('switch', { name: 'Password' }).check()
  await page.getByRole('textbox', { name: 'Password' }).fill('open sesame')
  await page.getByLabel('Thank-you message').fill('Thanks!')
  // There is no mail server.
  await untilCount(page.getByLabel('Send the link by email to'), 0)
  await untilCount(page.getByLabel('Email me when files arrive'), 0)
  await page.getByRole('button', { name: 'Create and copy link' }).click()
  await page.getByText('Link copied').waitFor()
  // It is shown this once.
  await untilValue(page.getByRole('textbox', { name: 'Password' }), 'open sesame')
  await page.getByRole('link', { name: 'Open request' }).waitFor()
  const [made] = await listed()
  const { name, expires_at: end, max_size: size } = made
  assert.equal([name, end, size], ['Tax papers', null, 1_500_000_000])
  assert.equal([made.protected, made.thank_you_message], [true, 'Thanks!'])
  const { instructions, allowed_extensions: kinds, once } = made
  assert.equal([instructions, kinds, once], ['Scans, please', ['pdf', 'docx'], true])
  assert.equal(made.requiredFields, ['name', 'note'])
})

requests('should list links with their deliveries, and delete one with its files', async () => {
  const id = await request({ name: 'Papers' })
  await deliver(id, { a: 'aaa', b: 'bb' })
  await deliver(id, { c: 'c' })
  await request({ name: 'Closed', expirationVal: 1, expirationUnit: 'Hours' })
  service.clock.advance(3_600_001)
  const page = await browser.openWithClock('/requests')
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await row('Papers').getByText('2 deliveries · 6 bytes').waitFor()
  await row('Papers').getByRole('rowheader', { name: 'Papers', exact: true }).waitFor()
  await row('Closed').waitFor()
  await untilCount(row('Closed').getByText('deliveries'), 0)
  await untilCount(page.getByRole('button', { name: 'Copy link of Closed' }), 0)
  await stopClock(page)
  await page.getByRole('button', { name: 'More for Papers' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await row('Papers').waitFor({ state: 'detached' })
  await until(async () => assert.is((await listed()).length, 2))
  await page.clock.runFor(11_000)
  await until('the link is gone', async () => (await listed()).length === 1)
})

requests('should show deliveries by sender and time, and download and delete each', async () => {
  const id = await request({ name: 'Papers' })
  const empty = await browser.open(`/requests/${id}`)
  await empty.getByText('No files yet.').waitFor()
  const oma = { senderName: 'Oma', senderEmail: 'oma@example.org', note: 'Viele Grüße <b>' }
  const main = empty.locator('main .primary')
  await deliver(id, { 'letter.txt': 'text' })
  await empty.reload()
  await empty.getByText('letter.txt').waitFor()
  await untilCount(main, 0, 'a single file has its own button')
  await deliver(id, { 'scans/one.pdf': 'first', 'two.odt': '22' }, oma)
  await empty.reload()
  await untilMatch(() => main.innerText(), /^Download all/)
  await begin(id, 'Rex')
  const page = await browser.openWithClock(`/requests/${id}`)
  const from = (name: string) => page.getByRole('article', { name: `Delivery from ${name}` })
  const words = await cardOf(page, 'Oma').innerText()
  for (const word of [oma.senderEmail, oma.note, 'scans', 'two.odt']) assert.match(words, word)
  // Unfinished ones come last, and closed.
  await untilNot(() => from('Rex').isVisible())
  await page.getByText('Unfinished · 1 delivery').click()
  await untilNoMatch(() => from('Rex').innerText(), 'Download')
  await untilMatch(() => page.getByRole('article').last().innerText(), /^Rex\n/)

  const single = page.getByRole('link', { name: 'Download one.pdf' })
  const [, first] = await saved(page, () => single.click())
  assert.is(first.toString(), 'first')
  const archives = [
    ['all', page.getByRole('link', { name: 'Download all · 11 bytes' }), /letter\.txt/],
    ['one', from('Oma').getByRole('link', { name: 'Download', exact: true }), /one\.pdf/],
  ] as const
  for (const [what, link, holds] of archives) {
    const [, archive] = await saved(page, () => link.click())
    assert.match(archive.toString('latin1'), holds, what)
  }

  await shown(from('Oma').getByRole('link', { name: /^two\.odt/ }))
  for (const name of [/^letter\.txt/, 'Preview letter.txt']) {
    await page.getByRole('button', { name }).click()
    await page.getByRole('dialog').getByText('text', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
  }

  await stopClock(page)
  await from('Oma').getByRole('button', { name: 'More for' }).click()
  await from('Oma').getByRole('button', { name: 'Delete' }).click()
  await from('Oma').waitFor({ state: 'detached' })
  await page.clock.runFor(11_000)
  const senders = async () =>
    (await owner.get(`/api/reverse/${id}/deliveries`)).json().map((one: any) => one.sender_name)
  await until('the delivery is gone', async () => !(await senders()).includes('Oma'))
  assert.equal((await senders()).toSorted(), ['', 'Rex'])
  await page.clock.resume()
  await page.getByText(/^1 delivery · 4\sbytes/).waitFor()
})

requests('should show the number of new deliveries until they were seen', async () => {
  const id = await request({ name: 'Papers' })
  await deliver(id, { a: 'aaa' }, { senderName: 'Oma' })
  await deliver(id, { b: 'b' }, { senderName: 'Opa' })
  const page = await browser.open('/shares')
  await page.getByRole('link', { name: 'Requests 2 new' }).click()
  await page.getByRole('row').filter({ hasText: 'Papers' }).getByText('2 new').waitFor()
  await untilIs(async () => (await listed())[0].new_delivery_count, 2)
  await page.getByRole('link', { name: 'Papers' }).click()
  await until('they count as seen', async () => (await listed())[0].new_delivery_count === 0)
  await deliver(id, { c: 'c' }, { senderName: 'Rex' })
  await page.goto(browser.address(`/requests/${id}`))
  await cardOf(page, 'Rex').getByText('new', { exact: true }).waitFor()
  await untilCount(cardOf(page, 'Oma').getByText('new', { exact: true }), 0)
})

requests('should share some delivered files without uploading them again', async () => {
  const id = await request({ name: 'Papers' })
  await deliver(id, { 'zero.txt': 'before' })
  const page = await browser.open(`/requests/${id}`)
  const dialog = page.getByRole('dialog')
  await page.getByText('zero.txt').waitFor()
  await untilCount(page.getByRole('button', { name: 'Share these files' }), 0)
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByLabel('Allow sharing received files').check()
  await until('it is saved', async () => (await listed())[0].allowSharing)
  const told = await browser.open(`/r/${id}`)
  await told.getByText('who may share them with others').waitFor()
  await told.close()

  await deliver(id, { 'one.txt': 'first', 'two.txt': 'second' }, { senderName: 'Oma' })
  await page.getByRole('link', { name: 'Received' }).click()
  await cardOf(page, 'Oma').getByRole('button', { name: 'More for' }).click()
  await cardOf(page, 'Oma').getByRole('button', { name: 'Share these files' }).click()
  await dialog.getByRole('button', { name: 'Share 2 files (11 bytes)' }).waitFor()
  await dialog.getByLabel('one.txt').uncheck()
  await dialog.getByRole('button', { name: 'Share 1 file (6 bytes)' }).click()
  await page.getByText('Your link is ready').waitFor()
  const [share] = (await owner.get('/api/shares')).json()
  assert.equal(pluck<any, string>(share.files, 'original_name'), ['two.txt'])
  await untilValue(page.getByLabel('Link', { exact: true }), share.url)
})

requests('should save a choice that is taken back before the first one is shown', async () => {
  const id = await request()
  const page = await browser.open(`/requests/${id}/settings`)
  const once = page.getByLabel('Close after the first delivery')
  await once.waitFor()
  const gate = await holdRoute(page, '**/api/reverse')
  await once.check()
  await until('the choice is saved', async () => (await listed())[0].once)
  const asked = page.waitForRequest((sent) => sent.url().endsWith('/api/reverse'))
  await once.uncheck()
  gate.open()
  await asked
  await until('it is taken back', async () => !(await listed())[0].once)
  await untilNot(() => once.isChecked())
})

requests('should save each field of a link separately', async () => {
  const id = await request({ name: 'Old', password: 'secret' })
  const page = await browser.open(`/requests/${id}/settings`)
  await page.getByLabel('What is it for?').fill('New')
  await page.keyboard.press('Tab')
  await page.getByRole('heading', { name: 'New' }).waitFor()
  await page.getByLabel('Total size limit (GB)').fill('5')
  await page.keyboard.press('Enter')
  await until('the limit is saved', async () => (await listed())[0].max_size === 5_000_000_000)
  const requiredFields = page.getByRole('group', { name: 'Required from guests' })
  await requiredFields.getByLabel('Name').check()
  await requiredFields.getByLabel('Email').check()
  await until('both are required', async () => (await listed())[0].requiredFields.length === 2)
  await page.getByRole('button', { name: 'Remove password' }).click()
  await page.getByText('No password set.').waitFor()
  await chooseExpiry(page, 'Never')
  await until('the expiry is saved', async () => (await listed())[0].expires_at === null)
  const [{ name, protected: isLocked }] = await listed()
  assert.equal([name, isLocked], ['New', false])
})
