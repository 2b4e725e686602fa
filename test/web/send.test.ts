import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page, Route } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite, startBrowser, type Browser } from '../helpers/browser.ts'
import type { Client } from '../helpers/client.ts'
import { randomContent } from '../helpers/content.ts'
import { startService, type Service } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'
import { readArchive } from '../zip/archive-reader.ts'
import { inEveryLook } from './looks.ts'

const send = browserSuite('web: send')

let service: Service
let owner: Client
let browser: Browser
let folder: string

send.before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'transfer-test-send-'))
  service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off', RATE_LIMIT_LOGIN: 'off' } })
  owner = await service.user('owner@example.org')
  browser = await startBrowser(service.url)
  await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'])
})
send.before.each(() => browser.logInAs(owner))
send.after(async () => {
  await browser.close()
  await owner.close()
  await service.stop()
  rmSync(folder, { recursive: true })
})
send.after.each(async () => {
  assert.equal(browser.problems.splice(0), [])
  for (const page of browser.context.pages()) {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.close()
  }
})

interface Listed {
  readonly id: string
}

interface Chosen {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

function file(name: string, content: string | Buffer): Chosen {
  return { name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) }
}

const choose = (page: Page, files: Chosen[]) => page.getByLabel('Choose files').setInputFiles(files)

const getLink = (page: Page) => page.getByRole('button', { name: 'Get link' })
const link = (page: Page) => page.getByLabel('Link', { exact: true })
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

/** As text: the tests' types know no navigator. */
const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')

/** The id in the address of Link ready. */
const shareIdOf = (page: Page) => new URL(page.url()).pathname.split('/')[2]!

async function isComplete(shareId: string): Promise<boolean> {
  return (await owner.get(`/api/shares/${shareId}`)).json().status === 'complete'
}

/** What a visitor downloads, by name. */
async function contents(shareId: string): Promise<Record<string, string>> {
  const zip = (await owner.get(`/api/shares/${shareId}/download`)).body
  const { entries } = readArchive(zip.length, (start, end) => zip.subarray(start, end))
  return Object.fromEntries(
    entries.map(({ name, size, contentOffset }) => {
      return [name, zip.subarray(contentOffset, contentOffset + size).toString()]
    }),
  )
}

/** Chunks after the first few wait until the function returned is called. */
async function holdChunks(page: Page, letThrough = 0): Promise<() => Promise<void>> {
  const held: Route[] = []
  let left = letThrough
  let isHolding = true
  await page.route('**/chunk', async (route) => {
    left -= 1
    if (isHolding && left < 0) held.push(route)
    else await route.continue()
  })
  return async () => {
    isHolding = false
    for (const route of held.splice(0)) await route.continue().catch(() => {})
  }
}

send('should take one click from chosen files to a copied link that works', async () => {
  const page = await browser.open('/')
  await heading(page, 'Send files').waitFor()
  await page.getByText('Links expire after').waitFor()
  await choose(page, [file('beach.txt', 'sand'), file('hut.txt', 'wood')])
  await page.getByRole('heading', { name: '2 files · 8 bytes' }).waitFor()
  // The one click.
  await getLink(page).click()
  await heading(page, 'Your link is ready').waitFor()
  await page.getByText('Complete. Whoever opens the link').waitFor()
  const url = await link(page).inputValue()
  assert.is(await copied(page), url)
  const shareId = shareIdOf(page)
  assert.is(new URL(url).pathname, `/s/${shareId}`)
  assert.equal(await contents(shareId), { 'beach.txt': 'sand', 'hut.txt': 'wood' })
  assert.is((await owner.get(`/api/shares/${shareId}`)).json().name, 'beach')
  // The same after a reload.
  await page.reload()
  assert.is(await link(page).inputValue(), url)
})

send('should take folders with all below them, dropped anywhere', async () => {
  const top = path.join(folder, 'Holiday')
  mkdirSync(path.join(top, 'day 2', 'empty'), { recursive: true })
  writeFileSync(path.join(top, 'beach.txt'), 'sand')
  writeFileSync(path.join(top, 'day 2', 'hut.txt'), 'wood')
  writeFileSync(path.join(top, '.DS_Store'), 'clutter')
  const page = await browser.open('/')
  await heading(page, 'Send files').waitFor()
  const devtools = await browser.context.newCDPSession(page)
  const data = { items: [], files: [top], dragOperationsMask: 1 }
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    devtools.send('Input.dispatchDragEvent', { type, x: 5, y: 400, data })
  await drag('dragEnter')
  await page.getByText('Drop to add').waitFor()
  await drag('dragOver')
  await drag('drop')
  await page.getByRole('button', { name: /^Holiday 2 files/ }).waitFor()
  await page.getByText('Drop to add').waitFor({ state: 'detached' })
  await page.getByText('This folder is empty and cannot be sent:').waitFor()
  assert.is(await page.getByLabel('Title').inputValue(), 'Holiday')
  await getLink(page).click()
  await page.getByText('Complete.').waitFor()
  assert.equal(await contents(shareIdOf(page)), {
    'Holiday/beach.txt': 'sand',
    'Holiday/day 2/hut.txt': 'wood',
  })
})

send('should do everything by keyboard alone', async () => {
  const page = await browser.open('/')
  await heading(page, 'Send files').waitFor()
  const { keyboard } = page
  await page.getByLabel('Choose files').focus()
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), keyboard.press('Space')])
  await chooser.setFiles([file('a.txt', 'first'), file('b.txt', 'second')])
  await page.getByText('All files are uploaded.').waitFor()
  // The focus is where it was: the next keys lead on through the page.
  assert.is(await page.evaluate<string>('document.activeElement.type'), 'file')
  const tabTo = async (name: string) => {
    const focused = page.locator(':focus')
    for (let tabs = 0; tabs < 30; tabs += 1) {
      await keyboard.press('Tab')
      const label = await focused.getAttribute('aria-label')
      if (`${label} ${await focused.innerText()}`.includes(name)) return
    }
    throw new Error(`no way to ${name} by keyboard`)
  }
  await tabTo('Remove a.txt')
  await keyboard.press('Enter')
  // The row that was next has the focus, not the start of the page.
  await page.locator(':focus[aria-label="Remove b.txt"]').waitFor()
  await tabTo('Get link')
  await keyboard.press('Enter')
  await page.getByText('Complete.').waitFor()
  assert.is(await page.evaluate<string>('document.activeElement.tagName'), 'H1')
  assert.equal(await contents(shareIdOf(page)), { 'b.txt': 'second' })
})

send('should work on a LAN address, where browsers have no clipboard of their own', async () => {
  const lan = await startBrowser(service.url, { onLan: true })
  await lan.logInAs(owner)
  const page = await lan.open('/')
  assert.is(await page.evaluate<boolean>('isSecureContext'), false)
  await choose(page, [file('beach.txt', 'sand')])
  await getLink(page).click()
  await page.getByText('Complete.').waitFor()
  await page.getByText('Link copied.').waitFor()
  await page.getByLabel('Send by e-mail to').focus()
  await page.keyboard.press('Control+V')
  const url = await link(page).inputValue()
  assert.is(await page.getByLabel('Send by e-mail to').inputValue(), url)
  assert.equal(await contents(shareIdOf(page)), { 'beach.txt': 'sand' })
  assert.equal(lan.problems, [])
  await lan.close()
})

send('should give the link at once, and finish by itself', async () => {
  const page = await browser.open('/')
  const release = await holdChunks(page, 1)
  await choose(page, [file('a.bin', randomContent(300_000, 1)), file('b.bin', 'small')])
  await getLink(page).click()
  await heading(page, /^Link copied. Uploading continues: \d+% to go$/).waitFor()
  const shareId = shareIdOf(page)
  assert.is(await copied(page), await link(page).inputValue())
  const visitor = service.client()
  assert.is((await visitor.get(`/api/public/shares/${shareId}`)).json().status, 'uploading')
  // Another transfer is begun meanwhile; the first one goes on beside it.
  await page.getByRole('link', { name: 'New transfer' }).click()
  await heading(page, 'Send files').waitFor()
  const dock = page.getByRole('region', { name: 'Uploads' })
  await dock.getByText(/^a .*1 of 2 files · \d+%/).waitFor()
  assert.match(await page.title(), /^\d+% · Send files/)
  const icon = page.locator('link[rel=icon]')
  assert.match((await icon.getAttribute('href'))!, /^data:/)
  await dock.getByRole('button', { name: 'Pause' }).click()
  await dock.getByText('paused').waitFor()
  await dock.getByRole('button', { name: 'Resume' }).click()
  await release()
  await page.getByText('a is uploaded completely.').waitFor()
  await dock.waitFor({ state: 'detached' })
  assert.not.match((await icon.getAttribute('href'))!, /^data:/)
  assert.match(await page.title(), /^Send files/)
  assert.ok(await isComplete(shareId))
  assert.is((await visitor.get(`/api/public/shares/${shareId}`)).json().files.length, 2)
  await visitor.close()
})

send('should go on after a reload with the same files, and send nothing twice', async () => {
  const page = await browser.open('/')
  const sent: string[] = []
  await page.route('**/chunk', async (route) => {
    const name = /name="fileName"\r\n\r\n([^\r]+)/.exec(route.request().postData() ?? '')?.[1]
    if (name === 'b.txt') return
    sent.push(name ?? '?')
    await route.continue()
  })
  const letters = { 'a.txt': 'first', 'b.txt': 'second', 'c.txt': 'third' }
  const files = onDisk(letters)
  await choose(page, files)
  await page.getByLabel('Title').fill('Three letters')
  await page.getByLabel('Title').blur()
  await until('two files are there', () => sent.length === 2)
  await page.getByText('62%').waitFor()
  // Browsers ask before bytes are lost.
  const asked: string[] = []
  page.on('dialog', async (dialog) => {
    asked.push(dialog.type())
    await dialog.accept()
  })
  await page.reload()
  assert.equal(asked, ['beforeunload'])
  await page.unroute('**/chunk')
  await page.route('**/chunk', async (route) => {
    sent.push(/name="fileName"\r\n\r\n([^\r]+)/.exec(route.request().postData() ?? '')![1]!)
    await route.continue()
  })
  await page.getByText('Unfinished: Three letters (10 bytes of 16 bytes)').waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Choose the same files or folders again').waitFor()
  assert.is(await page.getByLabel('Title').inputValue(), 'Three letters')
  await page.getByText('not chosen yet').first().waitFor()
  await choose(page, files)
  await page.getByText('All files are uploaded.').waitFor()
  await getLink(page).click()
  await page.getByText('Complete.').waitFor()
  assert.equal(sent.toSorted(), ['a.txt', 'b.txt', 'c.txt'])
  assert.equal(await contents(shareIdOf(page)), letters)
})

send('should go on at the link after a reload, and leave what another tab sends', async () => {
  const page = await browser.open('/')
  await holdChunks(page)
  const files = onDisk({ 'a.txt': 'first' })
  await choose(page, files)
  await getLink(page).click()
  await heading(page, /^Link copied/).waitFor()
  const address = new URL(page.url())
  const other = await browser.open(address.pathname + address.search)
  await other.getByText('The upload was interrupted.').waitFor()
  await other.getByRole('button', { name: 'Continue' }).click()
  await other.getByText('Another tab of this browser is sending this.').waitFor()
  await page.close()
  await other.getByRole('button', { name: 'Continue' }).click()
  await other.getByText('Some files need you').waitFor()
  await choose(other, files)
  await other.getByText('Complete.').waitFor()
  assert.equal(await contents(shareIdOf(other)), { 'a.txt': 'first' })
})

send('should pause, resume, remove one, undo, cancel and send again', async () => {
  const before = new Set((await owner.get('/api/shares')).json<Listed[]>().map(({ id }) => id))
  const page = await browser.open('/')
  const release = await holdChunks(page)
  await choose(page, [file('a.txt', 'first'), file('b.txt', 'second'), file('c.txt', 'third')])
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('· paused').waitFor()
  await page.getByRole('button', { name: 'Remove b.txt' }).click()
  await page.getByRole('heading', { name: '2 files · 10 bytes' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('heading', { name: '3 files · 16 bytes' }).waitFor()
  await page.getByRole('button', { name: 'Remove a.txt' }).click()
  await page.getByRole('button', { name: 'Resume' }).click()
  const [first] = (await owner.get('/api/shares'))
    .json<Listed[]>()
    .filter(({ id }) => !before.has(id))
  await page.getByRole('button', { name: 'Cancel upload' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel this upload?' })
  await dialog.getByRole('button', { name: 'Cancel upload' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: '2 files · 11 bytes' }).waitFor()
  assert.is((await owner.get(`/api/shares/${first!.id}`)).status, 404)
  await release()
  await getLink(page).click()
  await page.getByText('Complete.').waitFor()
  assert.is.not(shareIdOf(page), first!.id)
  assert.equal(await contents(shareIdOf(page)), { 'b.txt': 'second', 'c.txt': 'third' })
})

send('should lose nothing when the login ends: the link comes after signing in again', async () => {
  const person = await service.user('ann@example.org')
  await browser.logInAs(person)
  const page = await browser.open('/')
  const release = await holdChunks(page)
  await choose(page, [file('a.txt', 'first')])
  await page.getByLabel('Message').fill('Hello')
  await page.getByText('0% ·').waitFor()
  await person.post('/api/auth/logout')
  await release()
  // The draft's own token sends the bytes all the same.
  await page.getByText('All files are uploaded.').waitFor()
  await getLink(page).click()
  const dialog = page.getByRole('dialog', { name: 'Please sign in again' })
  await dialog.getByLabel('Password').fill('password of ann@example.org')
  await page.keyboard.press('Enter')
  await page.getByText('Complete.').waitFor()
  await person.close()
  await browser.logInAs(owner)
})

send('should say what is too large or not accepted before anything of it is sent', async () => {
  const admin = await service.admin()
  const limits = { maxShareSize: 1_000_000, maxFileSize: 800_000, blockedExtensions: ['exe'] }
  await admin.call('PUT', '/api/config', { json: limits })
  const page = await browser.open('/')
  await page.getByText('Up to 1 MB.').waitFor()
  await choose(page, [
    file('setup.EXE', 'virus'),
    file('film.bin', randomContent(900_000, 1)),
    file('a.bin', randomContent(700_000, 2)),
    file('b.bin', randomContent(600_000, 3)),
  ])
  await page.getByText('Files of this kind are not accepted here.').waitFor()
  await page.getByText('The file is larger than this service allows.').waitFor()
  await page.getByText('Together this is too big by 300 kB.').waitFor()
  assert.is(await getLink(page).getAttribute('aria-disabled'), 'true')
  await page.getByRole('button', { name: 'Remove', exact: true }).first().click()
  await page.getByText('Together this is too big').waitFor({ state: 'detached' })
  await page.getByText('All files are uploaded.').waitFor()
  await getLink(page).click()
  await page.getByText('Complete.').waitFor()
  assert.equal(Object.keys(await contents(shareIdOf(page))), ['b.bin'])
  const unlimited = { maxShareSize: 0, maxFileSize: 0, blockedExtensions: [] }
  await admin.call('PUT', '/api/config', { json: unlimited })
  await admin.close()
})

send('should keep both of two files with one name', async () => {
  const page = await browser.open('/')
  await choose(page, [file('notes.txt', 'old')])
  await page.getByText('All files are uploaded.').waitFor()
  await choose(page, [file('notes.txt', 'newer')])
  await page.getByText('Kept both: notes (2).txt').waitFor()
  await getLink(page).click()
  await page.getByText('Complete.').waitFor()
  const both = { 'notes.txt': 'old', 'notes (2).txt': 'newer' }
  assert.equal(await contents(shareIdOf(page)), both)
})

send('should send with all that was set, and say where a link is taken', async () => {
  await owner.call('PATCH', `/api/shares/${await owner.init()}`, { json: { slug: 'taken-1' } })
  const page = await browser.open('/')
  await choose(page, [file('a.txt', 'first')])
  await page.getByLabel('Title').fill('Letters')
  await page.getByLabel('Message').fill('For you')
  await page.getByLabel('Link expires').selectOption('1 Months')
  await page.getByText(/^on \w{3}, \w{3} \d/).waitFor()
  await page.getByLabel('Protect with a password').check()
  await page.getByRole('button', { name: 'Generate' }).click()
  const password = await page.getByLabel('Password', { exact: true }).inputValue()
  assert.match(password, /^([a-z2-9]{4}-){3}[a-z2-9]{4}$/)
  await page.getByLabel('Download limit').fill('3')
  await page.getByLabel('Your own link').fill('taken-1')
  await page.getByLabel('Send by e-mail to').fill('ann@example.org, ben@example.org')
  const button = page.getByRole('button', { name: 'Send to 2 people' })
  await button.click()
  await page.getByText('This link is taken. Choose another one.').waitFor()
  await page.getByLabel('Your own link').fill('letters')
  await button.click()
  await page.getByText('Complete.').waitFor()
  assert.match(await link(page).inputValue(), /\/s\/letters$/)
  const share = (await owner.get(`/api/shares/${shareIdOf(page)}`)).json()
  assert.is(share.name, 'Letters')
  assert.is(share.message, 'For you')
  assert.is(share.max_downloads, 3)
  assert.is(share.recipients, 'ann@example.org, ben@example.org')
  assert.ok(share.protected)
  const days = (Date.parse(share.expires_at) - service.clock.now()) / 86_400_000
  assert.ok(days > 27 && days < 32)
  // The password, until the page is left.
  await page.getByRole('button', { name: 'Copy password' }).click()
  assert.is(await copied(page), password)
  const visitor = service.client()
  const answer = await visitor.post(`/api/shares/${share.id}/verify`, { password })
  assert.is(answer.json().valid, true)
  await visitor.close()
  await page.reload()
  await page.getByText('password on').waitFor()
  assert.is(await page.getByRole('button', { name: 'Copy password' }).count(), 0)
})

send('should show the link as a QR code when asked, and say that no mail can be sent', async () => {
  const shareId = await owner.share({ 'a.txt': 'first' }, { name: 'Letters' })
  const page = await browser.open(`/shares/${shareId}?new`)
  await page.getByText('1 file · 5 bytes · expires').waitFor()
  assert.is(await page.getByRole('img').count(), 0)
  await page.getByRole('button', { name: 'QR code' }).click()
  const image = page.getByRole('img', { name: 'QR code of the link' })
  await image.waitFor()
  assert.ok((await image.boundingBox())!.width > 150)
  await page.getByLabel('Send by e-mail to').fill('ann@example.org nonsense')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('This service has no mail server set up').waitFor()
  await page.getByText('Not an e-mail address: nonsense').waitFor()
})

send('should discard what was begun, and forget what was deleted elsewhere', async () => {
  const fresh = await startBrowser(service.url)
  await fresh.logInAs(owner)
  const begin = async () => {
    const page = await fresh.open('/')
    await holdChunks(page)
    await choose(page, [file('a.txt', 'first')])
    await page.getByText('0% ·').waitFor()
    // The record of it is kept half a second later.
    await until('it is kept', async () => (await recordCount(page)) > 0)
    await page.close()
  }
  await begin()
  const page = await fresh.open('/')
  await page.getByRole('button', { name: 'Discard' }).click()
  const dialog = page.getByRole('dialog', { name: 'Discard this upload?' })
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await page.getByText('Unfinished').waitFor({ state: 'detached' })
  await begin()
  for (const { id, status } of (await owner.get('/api/shares')).json()) {
    if (status === 'draft') await owner.delete(`/api/shares/${id}`)
  }
  await page.reload()
  await heading(page, 'Send files').waitFor()
  await until('it is forgotten', async () => (await recordCount(page)) === 0)
  assert.is(await page.getByText('Unfinished').count(), 0)
  assert.equal(fresh.problems, [])
  await fresh.close()
})

function recordCount(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    indexedDB.open('transfer').onsuccess = ({ target: { result: database } }) => {
      const stores = [...database.objectStoreNames]
      if (!stores.includes('uploads')) return resolve(0)
      database.transaction('uploads').objectStore('uploads').count().onsuccess = (event) => {
        database.close()
        resolve(event.target.result)
      }
    }
  })`)
}

send('should be readable in every look', async () => {
  await inEveryLook(service.url, {}, async (looking, check) => {
    await looking.logInAs(owner)
    const page = await looking.open('/')
    await page.getByText('Links expire after').waitFor()
    await check(page, 'send-empty')
    await holdChunks(page, 1)
    await choose(page, [file('letter.txt', 'Dear all'), file('film.bin', randomContent(9000, 1))])
    await page.getByText('1 of 2').or(page.getByText('% ·').first()).first().waitFor()
    await page.getByLabel('Protect with a password').check()
    await check(page, 'send-files')
    await page.getByLabel('Protect with a password').uncheck()
    await getLink(page).click()
    await heading(page, /^Link copied|Your link/).waitFor()
    await page.getByRole('button', { name: 'QR code' }).click()
    await page.getByRole('img').waitFor()
    await check(page, 'link-ready')
    await page.getByRole('link', { name: 'New transfer' }).click()
    await page.getByRole('region', { name: 'Uploads' }).waitFor()
    await check(page, 'send-dock')
  })
})

send('should speak German', async () => {
  const german = await startBrowser(service.url, { language: 'de-DE', width: 320 })
  await german.logInAs(owner)
  const page = await german.open('/')
  await heading(page, 'Dateien senden').waitFor()
  await page.getByLabel('Dateien wählen').setInputFiles([file('a.txt', 'first')])
  await page.getByRole('button', { name: 'Link abholen' }).click()
  await page.getByText('Vollständig.').waitFor()
  await german.close()
})

send.run()
