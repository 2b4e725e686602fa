// `npm run pictures`: makes docs/pictures/ from the running product, for the README and the pages.
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { startBrowser, type Browser } from './helpers/browser.ts'
import { closeChromium } from './helpers/chromium.ts'
import { Guest, makeLink, type Client } from './helpers/client.ts'
import { stopSharedPostgres } from './helpers/postgres.ts'
import { adminPassword, startService, type Service } from './helpers/service.ts'
import { choose, drawPhoto, getLink, shareIdOf, shown } from './web/sender.ts'

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

async function take(page: Page, file: string): Promise<void> {
  // Nothing is captured in the middle of an animation.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.evaluate('scrollTo(0, 0)')
  if (!file.endsWith('.webp')) {
    return write(file, await page.screenshot({ type: 'jpeg', quality: 80 }))
  }
  write(file, await takeWebp(page))
  await page.emulateMedia({ colorScheme: 'dark' })
  write(file.replace('.', '-dark.'), await takeWebp(page))
  await page.emulateMedia({ colorScheme: 'light' })
}

function write(file: string, taken: Buffer): void {
  writeFileSync(path.join(target, file), taken)
  process.stdout.write(`docs/pictures/${file}\n`)
}

/** The pictures of the pages are in the package: as WebP they are a fifth of a PNG. */
async function takeWebp(page: Page): Promise<Buffer> {
  const browser = await page.context().newCDPSession(page)
  const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality: 75 })
  return Buffer.from(data, 'base64')
}

/** Photos, and files of a size without contents. */
async function makeFiles(folder: string, desk: Browser): Promise<string[]> {
  const sizes = {
    'beach.mp4': 81_300_000,
    'route.gpx': 112_000,
    'travel diary.pdf': 2_460_000,
  }
  const photos = ['sunset over the bay.jpg', 'the old town.jpg', 'harbour at night.jpg']
  const page = await desk.open('/login')
  for (const [place, name] of photos.entries()) {
    writeFileSync(path.join(folder, name), await drawPhoto(page, 20 + place * 100))
  }
  await page.close()
  for (const [name, size] of Object.entries(sizes)) {
    writeFileSync(path.join(folder, name), '')
    truncateSync(path.join(folder, name), size)
  }
  return [...photos, ...Object.keys(sizes)].map((name) => path.join(folder, name))
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
  await choose(page, files)
  await page.locator('.first-pictures canvas').first().waitFor()
  await page.getByLabel('Title').fill('Holiday')
  await page.getByLabel('Title').blur()
  await shown(page.getByText(/[3-6]\d ?% · .* left/))
  await take(page, 'send.webp')
  await getLink(page).click()
  await page.getByText('Link copied').waitFor()
  await page.getByText('Your link is ready').waitFor({ timeout: 60_000 })
  await take(page, 'link-ready.webp')
  return shareIdOf(page)
}

async function takeDownload(studio: Studio, shareId: string): Promise<void> {
  for (const [name, size] of Object.entries({ download: desktop, 'download-phone': phone })) {
    const browser = await open(studio, size)
    const page = await browser.open(`/s/${shareId}`)
    await page.getByText('beach.mp4').waitFor()
    await take(page, `${name}.webp`)
    await browser.close()
  }
}

async function takeRequest({ service, owner, desk }: Studio): Promise<string> {
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
  }
  const page = await desk.open(`/requests/${id}`)
  await page.getByText('Jonas Berg').waitFor()
  await take(page, 'file-request.webp')
  return id
}

async function takeAdministration({ owner, desk }: Studio): Promise<void> {
  for (const name of ['Mara Lind', 'Jonas Berg', 'Lena Falk']) {
    const email = `${name.split(' ')[0]!.toLowerCase()}@example.org`
    await owner.post('/api/users', { email, name, password: adminPassword })
  }
  const page = await desk.open('/admin/users')
  await page.getByText('Lena Falk', { exact: true }).waitFor()
  await take(page, 'administration.webp')
}

/** Every main screen, wide and on a phone, light and dark: in docs/pictures/screens/. */
async function takeScreens(studio: Studio, shareId: string, requestId: string): Promise<void> {
  const screens = {
    'sign-in': '/login',
    recipient: `/s/${shareId}`,
    guest: `/r/${requestId}`,
    send: '/',
    'link-ready': `/shares/${shareId}?new`,
    shares: '/shares',
    share: `/shares/${shareId}`,
    requests: '/requests',
    request: `/requests/${requestId}`,
    account: '/account',
    administration: '/admin',
    branding: '/admin/settings/branding',
  }
  for (const width of [1280, 390]) {
    for (const theme of ['light', 'dark'] as const) {
      const browser = await startBrowser(studio.service.url, { width, height: 800, theme })
      for (const [name, address] of Object.entries(screens)) {
        if (name === 'send') await browser.logInAs(studio.owner)
        const page = await browser.open(address)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.waitForLoadState('networkidle')
        await take(page, `screens/${name}-${width}-${theme}.jpg`)
        await page.close()
      }
      await browser.close()
    }
  }
}

async function takeAll(): Promise<void> {
  mkdirSync(path.join(target, 'screens'), { recursive: true })
  const folder = mkdtempSync(path.join(tmpdir(), 'transfer-pictures-'))
  const service = await startService({ env: { BASE_URL: 'http://files.example.org' } })
  const owner = await service.admin()
  const desk = await startBrowser(service.url, desktop)
  try {
    await desk.logInAs(owner)
    await desk.context.grantPermissions(['clipboard-write'])
    const studio: Studio = { service, owner, desk, files: await makeFiles(folder, desk) }
    const shareId = await takeSending(studio)
    await takeDownload(studio, shareId)
    const requestId = await takeRequest(studio)
    await takeAdministration(studio)
    await takeScreens(studio, shareId, requestId)
  } finally {
    await desk.close()
    await service.stop()
    rmSync(folder, { recursive: true })
    await closeChromium()
    await stopSharedPostgres()
  }
}

await takeAll()
