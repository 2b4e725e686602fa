// All of the service as a stranger meets it, from its first start to a delivery: through pages
// alone, each person with another browser. With SHOTS=<folder> each station is kept as a picture.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite, saved, startBrowser, type Browser } from '../helpers/browser.ts'
import { makeFolder } from '../helpers/folder.ts'
import { keepScreenshot } from '../helpers/screenshot.ts'
import { makeBallast, makeDataDir } from '../helpers/service-process.ts'
import { removeDataDir, ServiceProcess } from '../helpers/service-process.ts'
import { fill, run, tools } from '../helpers/unpack.ts'
import { until } from '../helpers/until.ts'
import { pdf } from '../web/previews/scene.ts'
import { choose, chooseExpiry, chosenExpiry, copied, counted, filesIn } from '../web/sender.ts'
import { drawPhoto, getLink, heading, link } from '../web/sender.ts'

interface Scene {
  dataDir: string
  /** Files on the disks of the people. */
  folder: string
  service: ServiceProcess
  owner: Browser
  recipient: Browser
  guest: Browser
  /** Stations so far. */
  count: number
}

const walk = browserSuite("journey: a stranger's walk")

let scene: Scene

walk.before(async () => {
  const dataDir = makeDataDir()
  makeBallast(dataDir)
  const folder = makeFolder()
  const service = await ServiceProcess.start({ DATA_DIR: dataDir })
  const address = `http://localhost:${service.port}`
  const permissions = ['clipboard-read', 'clipboard-write']
  const owner = await startBrowser(address, { permissions })
  const phone = { width: 390, height: 844, isPhone: true }
  const recipient = await startBrowser(address, phone)
  const guest = await startBrowser(address, phone)
  scene = { dataDir, folder, service, owner, recipient, guest, count: 0 }
})
walk.after(async () => {
  for (const browser of [scene.owner, scene.recipient, scene.guest]) await browser.close()
  await scene.service.clear()
  await removeDataDir(scene.dataDir)
})

const notes = 'Bring the tent.\nThe key is under the mat.\n'
const route = 'Along the coast, then left at the lighthouse.\n'
const statement = 'signed by everyone'

/** Asserts what holds on every page, and keeps it as a picture. */
async function look(page: Page, name: string, alsoDark = false): Promise<void> {
  const { owner, recipient, guest } = scene
  scene.count += 1
  const where = `${String(scene.count).padStart(2, '0')}-${name}`
  for (const { problems } of [owner, recipient, guest]) assert.equal(problems, [], where)
  await until(async () => assert.is(await page.locator('h1').count(), 1, `${where}: one heading`))
  // Otherwise it would show what is still fading in.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await keepScreenshot(page, where)
  if (!alsoDark) return
  await page.emulateMedia({ colorScheme: 'dark' })
  await keepScreenshot(page, `${where}-dark`)
  await page.emulateMedia({ colorScheme: 'light' })
}

function write(name: string, content: string | Buffer): string {
  const place = path.join(scene.folder, name)
  mkdirSync(path.dirname(place), { recursive: true })
  writeFileSync(place, content)
  return place
}

async function setUp(): Promise<void> {
  const { owner, service } = scene
  const page = await owner.open('/')
  await heading(page, 'Not set up yet').waitFor()
  await look(page, 'not-set-up')
  await until('the setup link is in the log', () => /^setup: .*\n/m.test(service.stdout))
  const [, setupLink] = /^setup: (\S+)$/m.exec(service.stdout)!
  await page.goto(setupLink!)
  await heading(page, 'Create the administrator account').waitFor()
  await look(page, 'setup-account')
  await page.getByLabel('Name').fill('Olga Owner')
  await page.getByLabel('Email').fill('olga@example.org')
  await page.getByLabel('Password').fill('a few good words')
  await page.getByRole('button', { name: 'Create account' }).click()
  for (const [title, shown, name, next] of [
    ['Name and address', 'Service name', 'setup-address', 'Next'],
    ['Storage and limits', 'Disk speed', 'setup-limits', 'Next'],
    ['Email', 'SMTP server', 'setup-email', 'Skip'],
  ] as const) {
    await heading(page, title).waitFor()
    await page.getByText(shown).first().waitFor()
    await look(page, name)
    await page.getByRole('button', { name: next }).click()
  }
  await heading(page, 'Your service is ready').waitFor()
  await look(page, 'setup-done')
  await page.getByRole('link', { name: 'Send your first file' }).click()
  await heading(page, 'Send files').waitFor()
  await page.getByText('Available for 7 days').waitFor()
  await look(page, 'send-empty')
}

/** Three files and a folder. Returns what was sent, by name, and its link. */
async function send(): Promise<[sent: Record<string, Buffer>, shareLink: string]> {
  const [page] = scene.owner.context.pages().slice(-1) as [Page]
  const sent: Record<string, Buffer> = {
    'sunrise.jpg': await drawPhoto(page, 20),
    'notes.txt': Buffer.from(notes),
    'contract.pdf': pdf(statement),
    'Day 2/sunset.jpg': await drawPhoto(page, 320),
    'Day 2/route.txt': Buffer.from(route),
  }
  for (const [name, content] of Object.entries(sent)) write(name, content)
  const single = ['sunrise.jpg', 'notes.txt', 'contract.pdf']
  const drawn: number[] = []
  page.on('response', (answer) => {
    if (answer.url().includes('/thumbnails/')) drawn.push(answer.status())
  })
  const places = single.map((name) => path.join(scene.folder, name))
  await choose(page, places)
  await page.getByLabel(/folder$/).setInputFiles(path.join(scene.folder, 'Day 2'))
  await counted(page, /^5 files · /).waitFor()
  await page.getByLabel('Title').fill('A weekend at the coast')
  await chooseExpiry(page, '30 days')
  await until(async () => assert.is(await chosenExpiry(page), '30 days'))
  await page.getByText('Uploaded. Private until you get the link.').waitFor()
  await until('both thumbnails are there', () => drawn.length === 2)
  assert.equal(drawn, [200, 200])
  await look(page, 'send-chosen')
  await getLink(page).click()
  await page.getByText('Your link is ready').waitFor()
  const shareLink = await link(page).inputValue()
  await until(async () => assert.is(await copied(page), shareLink))
  await look(page, 'link-ready')
  return [sent, shareLink]
}

/** Asserts that an archive has exactly these files; the program of every distribution agrees. */
async function assertHolds(zip: Buffer, sent: Record<string, Buffer>) {
  const found = filesIn(zip)
  assert.equal(Object.keys(found).toSorted(), Object.keys(sent).toSorted())
  for (const [name, content] of Object.entries(sent)) {
    assert.ok(Buffer.from(found[name]!, 'latin1').equals(content), name)
  }
  const unzip = tools.find(({ title }) => title === 'unzip')!
  const archive = write('received.zip', zip)
  const ran = await run(fill(unzip.test, archive, scene.folder), 'reading an archive')
  if (ran) assert.is(ran.code, 0, ran.output)
}

async function receive(sent: Record<string, Buffer>, shareLink: string): Promise<void> {
  const page = await scene.recipient.open(new URL(shareLink).pathname)
  await heading(page, 'A weekend at the coast').waitFor()
  await until(async () => assert.is(await page.locator('#strip img').count(), 2))
  const loaded = `[...document.images].filter((one) => one.naturalWidth > 0).length`
  await until('thumbnails are shown', async () => (await page.evaluate<number>(loaded)) >= 3)
  await look(page, 'recipient', true)
  await page.getByRole('link', { name: 'sunrise.jpg', exact: true }).tap()
  const dialog = page.getByRole('dialog', { name: 'sunrise.jpg' })
  const widest = `Math.max(...[...document.images].map((one) => one.naturalWidth))`
  await until('the photo is shown', async () => (await page.evaluate<number>(widest)) === 2400)
  await look(page, 'recipient-preview')
  await dialog.getByRole('button', { name: 'Close' }).tap()
  await dialog.waitFor({ state: 'detached' })
  const download = (name: string) => saved(page, () => page.getByRole('link', { name }).tap())
  const [name, file] = await download('Download notes.txt')
  assert.equal([name, file.toString()], ['notes.txt', notes])
  const [zipName, zip] = await download('Download all')
  assert.is(zipName, 'A weekend at the coast.zip')
  await assertHolds(zip, sent)
  await page.getByText('Your browser is downloading.').waitFor()
  await look(page, 'recipient-downloaded')
}

/** Returns the link for guests. */
async function request(): Promise<string> {
  const page = await scene.owner.open('/')
  await page.getByRole('link', { name: 'Requests', exact: true }).click()
  await page.getByText('Collect files from others').waitFor()
  await look(page, 'requests-empty')
  await page.getByRole('link', { name: 'Request files' }).click()
  await page.getByLabel('What is it for?').fill('Photos of the weekend')
  await page.getByLabel('Instructions for guests').fill('Full size, please.')
  await chooseExpiry(page, '7 days')
  await look(page, 'request-new')
  await page.getByRole('button', { name: 'Create and copy link' }).click()
  await page.getByText('Link copied').waitFor()
  const requestLink = await link(page).inputValue()
  await until(async () => assert.is(await copied(page), requestLink))
  await look(page, 'request-ready')
  await page.getByRole('link', { name: 'Open request' }).click()
  await page.getByText('No files yet.').waitFor()
  return requestLink
}

/** Returns the reference of the delivery. */
async function deliver(requestLink: string, brought: Record<string, Buffer>): Promise<string> {
  const page = await scene.guest.open(new URL(requestLink).pathname)
  await heading(page, 'Photos of the weekend').waitFor()
  await page.getByText('Full size, please.').waitFor()
  await look(page, 'guest', true)
  const places = Object.entries(brought).map(([name, content]) => write(name, content))
  await choose(page, places)
  await page.getByText('Add your name or a note').tap()
  await page.getByLabel('Your name').fill('Gustav Guest')
  await page.getByLabel('Note').fill('The second one is from the lighthouse.')
  const button = page.getByRole('button', { name: /^Send 2 files / })
  await button.waitFor()
  await look(page, 'guest-chosen')
  await button.tap()
  await heading(page, 'Thank you').waitFor()
  const words = await page.getByText('Your reference is').innerText()
  await look(page, 'guest-thanks')
  return /reference is (\S+)\./.exec(words)![1]!
}

async function collect(reference: string, brought: Record<string, Buffer>): Promise<void> {
  const page = await scene.owner.open('/')
  await page.getByRole('link', { name: 'Requests 1 new' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Photos of the weekend' })
  await row.getByText('1 new').waitFor()
  await look(page, 'requests-new-delivery')
  await row.getByRole('link', { name: 'Photos of the weekend' }).click()
  const delivery = page.getByRole('article', { name: 'Delivery from Gustav Guest' })
  await delivery.getByText(`Reference ${reference}`).waitFor()
  await page.getByRole('heading', { name: 'Gustav Guest' }).waitFor()
  await page.getByRole('heading', { name: / new$/ }).waitFor()
  await look(page, 'delivery')
  const download = delivery.getByRole('link', { name: 'Download', exact: true })
  const [, zip] = await saved(page, () => download.click())
  await assertHolds(zip, brought)
}

async function readActivity(): Promise<void> {
  const page = await scene.owner.open('/')
  await page.getByRole('link', { name: 'Shares', exact: true }).click()
  await page.getByRole('link', { name: 'A weekend at the coast' }).waitFor()
  await look(page, 'shares')
  await page.getByRole('link', { name: 'A weekend at the coast' }).click()
  await heading(page, 'A weekend at the coast').waitFor()
  await page.getByText('Day 2').waitFor()
  await look(page, 'share')
  await page.getByRole('link', { name: 'Activity' }).click()
  for (const what of ['All files', 'notes.txt', 'Previewed: sunrise.jpg']) {
    const row = page.getByRole('row').filter({ hasText: what })
    await row.getByText('Chrome, Android').waitFor()
  }
  await look(page, 'activity')
}

walk('should lead from an empty instance to files sent, received and collected', async () => {
  await setUp()
  const [sent, shareLink] = await send()
  await receive(sent, shareLink)
  const requestLink = await request()
  const [page] = scene.owner.context.pages().slice(-1) as [Page]
  const brought = {
    'pier.jpg': await drawPhoto(page, 220),
    'lighthouse.jpg': await drawPhoto(page, 120),
  }
  const reference = await deliver(requestLink, brought)
  await collect(reference, brought)
  await readActivity()
})
