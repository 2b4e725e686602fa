import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite, holdRoute, saved, scrollsSideways, stopClock } from '../helpers/browser.ts'
import { Guest, makeLink, pluck, type Client } from '../helpers/client.ts'
import { until, untilCount, untilEqual, untilNot, untilValue } from '../helpers/until.ts'
import { refusal } from '../email/mail-server.ts'
import { changed, details } from '../shares/changes/scene.ts'
import { choose, chooseExpiry, file, openOptions, shown, startScene } from './sender.ts'

const detail = browserSuite('web: one share')

let owner: Client
let full = ''

const { service, mailServer, browser, newOwner, another } = await startScene(detail, {
  mail: {
    onRcptTo: ({ address }, _session, callback) =>
      callback(address === full ? refusal(550, 'mailbox full') : null),
  },
})
detail.before.each(async () => {
  owner = await newOwner()
})

async function tab(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click()
  await page.locator(`.tabs [aria-current=page]:text-is("${name}")`).waitFor()
}

async function type(page: Page, label: string, value: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(value)
  await page.keyboard.press('Tab')
}

detail('should show link and files in their folders, and let the owner download them', async () => {
  const files = { 'beach/one.txt': 'first', 'two.bin': '22' }
  const shareId = await owner.share(files, { name: 'Holiday', maxDownloads: 1 })
  const page = await browser.open(`/shares/${shareId}`)
  await page.getByRole('heading', { name: 'Holiday' }).waitFor()
  await untilValue(page.getByLabel('Link'), `http://transfer.test/s/${shareId}`)
  await page.getByRole('button', { name: /^beach/ }).waitFor()
  for (const [path, content] of Object.entries(files)) {
    const name = path.split('/').at(-1)
    const link = page.getByRole('link', { name: `Download ${name}` })
    const [, data] = await saved(page, () => link.click())
    assert.is(data.toString(), content)
  }
  // Downloads by the owner do not count.
  assert.is((await details(owner, shareId)).download_count, 0)
})

detail('should save each field separately, and say so', async () => {
  const shareId = await owner.share({ a: 'a' }, { name: 'Old', message: 'kept' })
  const page = await browser.open(`/shares/${shareId}`)
  await tab(page, 'Settings')
  await type(page, 'Title', 'New')
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'New' }).waitFor()
  await type(page, 'Download limit', '12')
  await page.getByText('0 of 12 people opened files · 0 downloads').waitFor()
  const patches: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') patches.push(request.postData() ?? '')
  })
  await page.getByLabel('Password', { exact: true }).fill('open sesame')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove password' }).waitFor()
  // Enter is both a change and a submit.
  assert.is(patches.length, 1)
  const end = (await details(owner, shareId)).expires_at
  await chooseExpiry(page, '1 day')
  await until('the share ends earlier', async () => {
    return (await details(owner, shareId)).expires_at < end
  })
  const { name, message, max_downloads: most, protected: isLocked } = await details(owner, shareId)
  assert.equal([name, message, most, isLocked], ['New', 'kept', 12, true])
  await page.getByRole('button', { name: 'Remove password' }).click()
  await page.getByText('No password set.').waitFor()
  await untilValue(page.getByLabel('Password', { exact: true }), '')
  assert.is((await details(owner, shareId)).protected, false)
})

detail('should keep input that cannot be saved, and say why', async () => {
  await changed(owner, await owner.share({ a: 'a' }), { slug: 'taken-1' })
  const shareId = await owner.share({ a: 'a' }, { name: 'Mine' })
  const page = await browser.open(`/shares/${shareId}/settings`)
  await type(page, 'Custom link', 'taken-1')
  await page.getByText('This link is already taken.').waitFor()
  await untilValue(page.getByLabel('Custom link'), 'taken-1')
  await type(page, 'Custom link', 'free-1')
  await page.getByText('Saved', { exact: true }).waitFor()
  await untilValue(page.getByLabel('Link', { exact: true }), 'http://transfer.test/s/free-1')
})

detail('should ask before it overwrites a change made elsewhere', async () => {
  const shareId = await owner.share({ a: 'a' }, { name: 'First', message: 'one' })
  const page = await browser.open(`/shares/${shareId}/settings`)
  await page.getByLabel('Title').waitFor()
  await changed(owner, shareId, { name: 'Elsewhere', message: 'two' })
  await type(page, 'Title', 'Here')
  const conflict = page.getByRole('alert').filter({ hasText: 'changed elsewhere' })
  await conflict.waitFor()
  assert.is((await details(owner, shareId)).name, 'Elsewhere')
  await conflict.getByRole('button', { name: 'Overwrite' }).click()
  await page.getByRole('heading', { name: 'Here' }).waitFor()
  const { name, message } = await details(owner, shareId)
  assert.equal([name, message], ['Here', 'two'])
  await changed(owner, shareId, { name: 'Again' })
  await type(page, 'Title', 'Lost')
  await conflict.getByRole('button', { name: 'Reload' }).click()
  await page.getByRole('heading', { name: 'Again' }).waitFor()
  await untilValue(page.getByLabel('Title'), 'Again')
  assert.is((await details(owner, shareId)).name, 'Again')
})

detail('should show downloads and downloaders, and save them as CSV', async () => {
  const shareId = await owner.share({ 'a.txt': 'content' }, { name: 'Seen' })
  const page = await browser.open(`/shares/${shareId}/activity`)
  // In its head, and in place of the list.
  await untilCount(page.getByText('No downloads.'), 2)
  const recipient = service.client()
  await recipient.get(`/api/shares/${shareId}/download`, { 'user-agent': '=HYPERLINK("x") curl/8' })
  const fileId = (await details(owner, shareId)).files[0].id
  const agent = 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537 Chrome/150.0 Safari/537'
  await recipient.get(`/api/shares/${shareId}/files/${fileId}`, { 'user-agent': agent })
  await page.reload()
  await page.getByRole('row').filter({ hasText: 'a.txt' }).getByText('Chrome, Android').waitFor()
  await page.getByRole('row').filter({ hasText: 'All files' }).getByText('curl').waitFor()
  const button = page.getByRole('button', { name: 'Download as CSV' })
  const [name, data] = await saved(page, () => button.click())
  assert.is(name, 'Seen.csv')
  const text = data.toString()
  assert.is(text.trim().split('\r\n').length, 3)
  assert.match(text, `"'=HYPERLINK(""x"") curl/8"`)
})

detail('should join the previews of each recipient in one row with the names', async () => {
  const shareId = await owner.share({ 'a.txt': 'aa', 'b.txt': 'bb', 'c.txt': 'cc' })
  const { files } = await details(owner, shareId)
  const [one, other] = [service.client(), service.client()]
  const look = (client: typeof one, file: { id: number }) =>
    client.get(`/api/shares/${shareId}/files/${file.id}?inline=1`)
  const { headers } = await look(one, files[0])
  const cookie = String(headers['set-cookie']).split(';')[0]!
  for (const file of files.slice(1)) {
    await one.get(`/api/shares/${shareId}/files/${file.id}?inline=1`, { cookie })
  }
  await look(other, files[0])
  const page = await browser.open(`/shares/${shareId}/activity`)
  const rows = page.getByRole('row')
  const joined = rows.filter({ hasText: 'Previewed: 3 files' })
  await joined.getByText('6 bytes').waitFor()
  await joined.getByText('Previewed: 3 files').click()
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await joined.getByText(name).waitFor()
  await rows.filter({ hasText: 'Previewed: a.txt' }).waitFor()
  await untilCount(rows, 3)
})

detail('should email the link again, and say to which recipients', async () => {
  const shareId = await owner.share({ a: 'a' }, { recipients: 'oma@example.org' })
  await service.app.services.emails.idle()
  const before = mailServer.received.length
  const page = await browser.open(`/shares/${shareId}`)
  await tab(page, 'Recipients')
  await type(page, 'To', 'oma@example.org, opa@example.org, Rex')
  await page.getByText('Not an email address: Rex').waitFor()
  await page.getByRole('button', { name: 'Remove Rex' }).click()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('Sending to oma@example.org, opa@example.org').waitFor()
  await service.app.services.emails.idle()
  assert.is(mailServer.received.length, before + 2)
})

detail('should show the state of the email to each address, from the link on', async () => {
  const page = await browser.openWithClock('/')
  const gate = await holdRoute(page, '**/chunk')
  await choose(page, [file('a.txt', 'first')])
  await openOptions(page)
  await page.getByLabel('To', { exact: true }).fill('oma@example.org, opa@example.org ')
  await page.getByRole('button', { name: 'Send to 2 people' }).click()
  const row = (name: string) => page.locator('[aria-live] li').filter({ hasText: name })
  const settled = async (name: string, words: string) => {
    // The page asks a few times only, however fast its clock runs.
    await service.app.services.emails.idle()
    await until(`${name} is ${words}`, async () => {
      await page.clock.runFor(3000)
      return (await row(name).innerText()).includes(words)
    })
  }
  const waiting = 'gets the link when the upload is complete'
  for (const name of ['oma', 'opa']) await row(`${name}@example.org`).getByText(waiting).waitFor()
  await page.getByRole('button', { name: 'More for oma@example.org' }).click()
  await page.getByRole('button', { name: 'Remove oma@example.org' }).waitFor()
  await untilCount(page.getByRole('button', { name: 'Send again to' }), 0)
  await page.keyboard.press('Escape')
  // One mailbox is full; the page asks again by itself until both emails are settled.
  full = 'opa@example.org'
  // Never shown for recipients with an email, not even for a moment.
  await page.evaluate(`new MutationObserver(() => {
    globalThis.hasDenied ||= document.body.innerText.includes('No email was sent')
  }).observe(document.body, { subtree: true, childList: true, characterData: true })`)
  gate.open()
  await page.getByText('Your link is ready').waitFor()
  await settled('oma', 'sent')
  await settled('opa', 'failed')
  await row('opa@example.org').getByText('mailbox full').waitFor()
  full = ''
  // The newest email counts.
  service.clock.advance(1000)
  await page.getByRole('button', { name: 'More for opa@example.org' }).click()
  await page.getByRole('button', { name: 'Send again to opa@example.org' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send again to opa@example.org' })
  await dialog.getByText('Last email:').waitFor()
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('Sending to opa@example.org').waitFor()
  await settled('opa', 'sent')
  await untilNot(() => page.evaluate('globalThis.hasDenied'))
  // No more requests follow.
  let asked = 0
  page.on('request', (request) => (asked += request.url().endsWith('/emails') ? 1 : 0))
  await page.clock.runFor(1_800_000)
  assert.is(asked, 0)
})

/** A file whose content is derived from its name. */
const chooseOne = (page: Page, name: string) => choose(page, [file(name, `content of ${name}`)])

detail('should add files to the same link, and drop cancelled ones', async () => {
  const shareId = await owner.share({ 'old.txt': 'old' }, { name: 'Growing' })
  const page = await browser.open(`/shares/${shareId}`)
  await chooseOne(page, 'new.txt')
  await page.getByRole('link', { name: 'Download new.txt' }).waitFor()
  const { files } = await details(owner, shareId)
  assert.equal(pluck<any, string>(files, 'original_name'), ['old.txt', 'new.txt'])
  const added = await service.client().get(`/api/shares/${shareId}/files/${files[1].id}`)
  assert.is(added.body.toString(), 'content of new.txt')

  await page.route('**/chunk', () => {})
  await chooseOne(page, 'never.txt')
  await page.getByRole('button', { name: 'Cancel upload' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel this upload?' })
  await dialog.getByText('deletes the files being added to “Growing”').waitFor()
  const cancel = dialog.getByRole('button', { name: 'Cancel upload' })
  await page.route('**/additions', (route) => route.fulfill({ status: 500 }))
  await cancel.click()
  await dialog.getByRole('alert').waitFor()
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await page.unroute('**/additions')
  await cancel.click()
  await page.getByLabel(/^Add( files)?$/).waitFor()
  assert.is((await details(owner, shareId)).files.length, 2)
  // Nothing is left that would accept chunks.
  assert.is((await owner.get(`/api/shares/${shareId}/chunks`)).status, 409)
})

detail('should offer to email recipients while and once files are added', async () => {
  const shareId = await owner.share({ 'old.txt': 'old' }, { recipients: 'oma@example.org' })
  await service.app.services.emails.idle()
  const before = mailServer.received.length
  const page = await browser.open(`/shares/${shareId}`)
  await page.getByRole('link', { name: 'Download old.txt' }).waitFor()
  const tell = page.getByText('Email the recipient')
  await untilCount(tell, 0)
  await chooseOne(page, 'new.txt')
  await page.getByRole('link', { name: 'Download new.txt' }).waitFor()
  assert.is(mailServer.received.length, before)
  await page.getByRole('button', { name: 'Email the recipient' }).click()
  await page.getByText('Sending to oma@example.org').waitFor()
  await untilCount(tell, 0)
  await service.app.services.emails.idle()
  assert.is(mailServer.received.length, before + 1)
  service.clock.advance(120_000)
  const gate = await holdRoute(page, '**/chunk')
  await chooseOne(page, 'later.txt')
  const choice = page.getByLabel('Email the recipient')
  await choice.check()
  await tab(page, 'Settings')
  await tab(page, 'Files')
  await until('it is still checked', () => choice.isChecked())
  gate.open()
  await page.getByRole('link', { name: 'Download later.txt' }).waitFor()
  await service.app.services.emails.idle()
  assert.is(mailServer.received.length, before + 2)
})

detail('should show which files are left when only some could be removed', async () => {
  const files = Object.fromEntries(Array.from({ length: 301 }, (_, n) => [`${n}.txt`, 'x']))
  const shareId = await owner.share(files, { name: 'Many' })
  const page = await browser.openWithClock(`/shares/${shareId}`)
  await page.getByRole('button', { name: 'More for Many' }).click()
  await page.getByLabel('Add folder').waitFor()
  await page.getByRole('button', { name: 'Remove files…' }).click()
  await page.getByRole('button', { name: 'Select all' }).click()
  await stopClock(page)
  await page.getByRole('button', { name: 'Remove 301 files' }).click()
  await page.getByText('No files').waitFor()
  // The list cannot be read again either.
  await page.route(`**/api/shares/${shareId}`, (route) => route.abort())
  await page.route(/files\?files=\d+$/, (route) => route.abort())
  await page.clock.runFor(11_000)
  await page.getByRole('alert').getByText('could not be reached').waitFor()
  await page.getByText('300.txt', { exact: true }).waitFor()
  await untilCount(page.getByText('0.txt', { exact: true }), 0)
  assert.is((await details(owner, shareId)).files.length, 1)
})

/** Links, buttons and rows that a finger may miss, and how wide the page has become. */
const small = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('main a, main button, main summary')]
    .filter((one) => one.checkVisibility() && !one.closest('.visually-hidden'))
    .filter((one) => {
      return [...one.getClientRects()].some(({ width, height }) => Math.min(width, height) < 44)
    })
    .map((one) => one.textContent)`)

detail('should fit names and fingers on a small phone', async () => {
  const name = 'harbour at night with a very long name of a file.jpg'
  const files = { [name]: 'a', [`scans/${name}`]: 'b', c: 'c' }
  const id = await makeLink(owner, { name: 'Papers' })
  const sender = { senderName: 'Oma', senderEmail: 'a.very.long.address@department.example.org' }
  await new Guest(service.client(), id).deliver(files, sender)
  const shareId = await owner.share(files, { name: 'Papers' })
  const phone = await another(owner, { width: 320, isPhone: true })
  const lists = ['/requests', '/shares']
  for (const path of [...lists, `/requests/${id}`, `/shares/${shareId}`, `/s/${shareId}`]) {
    const page = await phone.open(path)
    await shown(page.getByText(/^(harbour|Papers)/))
    await untilEqual(() => small(page), [], path)
    assert.not(await scrollsSideways(page), path)
  }
})

detail('should accept files chosen while additions are being started', async () => {
  const shareId = await owner.share({ 'old.txt': 'old' }, { name: 'Twice' })
  const page = await browser.open(`/shares/${shareId}`)
  let begun = 0
  page.on('request', (request) => (begun += request.url().endsWith('/additions') ? 1 : 0))
  const gate = await holdRoute(page, '**/additions')
  for (const name of ['one.txt', 'two.txt']) {
    await chooseOne(page, name)
    await until('additions have started', async () => begun > 0)
  }
  gate.open()
  await page.getByRole('link', { name: 'Download two.txt' }).waitFor()
  const names = pluck<any, string>((await details(owner, shareId)).files, 'original_name')
  assert.equal(names.map(String).toSorted(), ['old.txt', 'one.txt', 'two.txt'])
  assert.is(begun, 1)
})
