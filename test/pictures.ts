// `npm run pictures`: makes docs/pictures/ from the running product, for the README and the pages.
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { startBrowser, type Browser } from './helpers/browser.ts'
import { closeChromium } from './helpers/chromium.ts'
import type { Client } from './helpers/client.ts'
import { stopSharedPostgres } from './helpers/postgres.ts'
import { adminPassword, startService, type Service } from './helpers/service.ts'
import { Guest, makeLink } from './reverse-shares/guest.ts'
import { getLink, heading } from './web/sender.ts'

const target = path.resolve('docs/pictures')
const desktop = { width: 1120, height: 720 }
const phone = { width: 390, height: 800 }
/** Bytes a second: slow enough to be seen at work. */
const lineSpeed = 8_000_000

interface Studio {
  readonly service: Service
  readonly owner: Client
  readonly desk: Browser
  /** Files to send. */
  readonly files: string[]
}

async function open({ service, owner }: Studio, size: typeof phone): Promise<Browser> {
  const browser = await startBrowser(service.url, size)
  await browser.logInAs(owner)
  return browser
}

async function take(page: Page, name: string): Promise<void> {
  // Nothing is captured in the middle of an animation.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.screenshot({ path: path.join(target, `${name}.png`) })
  process.stdout.write(`docs/pictures/${name}.png\n`)
}

/** Files of the size in their names, without contents. */
function makeFiles(folder: string): string[] {
  const sizes = {
    'beach.mp4': 81_300_000,
    'sunset over the bay.jpg': 4_210_000,
    'the old town.jpg': 5_830_000,
    'route.gpx': 112_000,
    'travel diary.pdf': 2_460_000,
  }
  return Object.entries(sizes).map(([name, size]) => {
    const file = path.join(folder, name)
    writeFileSync(file, '')
    truncateSync(file, size)
    return file
  })
}

async function takeSending({ desk, files }: Studio): Promise<string> {
  const page = await desk.open('/')
  const line = await desk.context.newCDPSession(page)
  await line.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: lineSpeed,
  })
  await page.getByLabel('Choose files').setInputFiles(files)
  await page.getByLabel('Title').fill('Holiday')
  await page.getByLabel('Message').fill('The film and the best pictures. See you on Sunday!')
  await page
    .getByText(/[3-6]\d ?% · .* left/)
    .first()
    .waitFor()
  await take(page, 'send')
  await getLink(page).click()
  await heading(page, /Link copied|Your link is ready/).waitFor()
  await heading(page, 'Your link is ready').waitFor({ timeout: 60_000 })
  await take(page, 'link-ready')
  return new URL(page.url()).pathname.split('/')[2]!
}

async function takeDownload(studio: Studio, shareId: string): Promise<void> {
  for (const [name, size] of Object.entries({ download: desktop, 'download-phone': phone })) {
    const browser = await open(studio, size)
    const page = await browser.open(`/s/${shareId}`)
    await page.getByText('beach.mp4').waitFor()
    await take(page, name)
    await browser.close()
  }
}

async function takeRequest({ service, owner, desk }: Studio): Promise<void> {
  const id = await makeLink(owner, { name: 'Drafts for the spring issue', notify: false })
  const senders = [
    { senderName: 'Mara Lind', senderEmail: 'mara@example.org', note: 'Text and photo.' },
    { senderName: 'Jonas Berg', senderEmail: 'jonas@example.org' },
  ]
  for (const sender of senders) {
    const client = service.client()
    const text = Buffer.alloc(184_000, '-')
    const photo = Buffer.alloc(3_120_000, '-')
    await new Guest(client, id).deliver({ 'article.docx': text, 'harbour.jpg': photo }, sender)
    await client.close()
  }
  const page = await desk.open(`/requests/${id}`)
  await page.getByText('Jonas Berg').waitFor()
  await take(page, 'file-request')
}

async function takeAdministration({ owner, desk }: Studio): Promise<void> {
  for (const name of ['Mara Lind', 'Jonas Berg', 'Lena Falk']) {
    const email = `${name.split(' ')[0]!.toLowerCase()}@example.org`
    await owner.post('/api/users', { email, name, password: adminPassword })
  }
  const page = await desk.open('/admin/users')
  await page.getByText('Lena Falk', { exact: true }).waitFor()
  await take(page, 'administration')
}

async function takeAll(): Promise<void> {
  mkdirSync(target, { recursive: true })
  const folder = mkdtempSync(path.join(tmpdir(), 'transfer-pictures-'))
  const service = await startService({ env: { BASE_URL: 'http://files.example.org' } })
  const owner = await service.admin()
  const desk = await startBrowser(service.url, desktop)
  try {
    await desk.logInAs(owner)
    await desk.context.grantPermissions(['clipboard-write'])
    const studio: Studio = { service, owner, desk, files: makeFiles(folder) }
    await takeDownload(studio, await takeSending(studio))
    await takeRequest(studio)
    await takeAdministration(studio)
  } finally {
    await desk.close()
    await owner.close()
    await service.stop()
    rmSync(folder, { recursive: true })
    await closeChromium()
    await stopSharedPostgres()
  }
}

await takeAll()
