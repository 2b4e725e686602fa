// Helpers of the tests in a browser: a service with an account, a browser, and actions on Send.
import type { Client } from '../helpers/client.ts'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Locator, Page, Route } from 'playwright-core'
import { startMailServer, useMailServer, type MailServer } from '../email/mail-server.ts'
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import { startBrowser, type Browser, type BrowserOptions } from '../helpers/browser.ts'
import { startService, type Service } from '../helpers/service.ts'
import { readArchive } from '../bytes/archive/zip/archive-reader.ts'

export interface Scene {
  readonly service: Service
  readonly owner: Client
  readonly browser: Browser
  /** Empty at first. */
  readonly folder: string
  readonly mailServer: MailServer
  /** Another account, to which the browser is signed in from now on. */
  readonly newOwner: () => Promise<Client>
  /** Another browser until the end of the test, in which this person is signed in, if any. */
  readonly another: (client?: Client | null, options?: BrowserOptions) => Promise<Browser>
}

interface SceneOptions {
  readonly env?: Record<string, string>
  readonly browser?: BrowserOptions
  /** Without it the service sends email to a server that accepts all. */
  readonly mail?: false | Parameters<typeof startMailServer>[0]
  /** Who is signed in; the owner by default. */
  readonly as?: 'admin' | 'nobody'
}

/** Each test of the suite must leave no problem on its pages. */
export async function startScene(test: Test, options: SceneOptions = {}): Promise<Scene> {
  const service = await startService({
    env: { RATE_LIMIT_DOWNLOAD: 'off', RATE_LIMIT_LOGIN: 'off', ...options.env },
  })
  const mailServer = await startMailServer(options.mail || {})
  if (options.mail !== false) await useMailServer(await service.admin(), mailServer.port)
  const { as = 'owner' } = options
  const owner = as === 'admin' ? await service.admin() : await service.user('owner@example.org')
  const permissions = ['clipboard-read', 'clipboard-write']
  const browser = await startBrowser(service.url, { permissions, ...options.browser })
  if (as !== 'nobody') await browser.logInAs(owner)
  const folder = mkdtempSync(path.join(tmpdir(), 'transfer-test-send-'))
  let people = 1
  const others: Browser[] = []
  const scene: Scene = {
    service,
    owner,
    browser,
    folder,
    mailServer,
    async newOwner() {
      people += 1
      const other = await service.user(`owner-${people}@example.org`)
      await browser.context.clearCookies()
      await browser.logInAs(other)
      return other
    },
    async another(client = null, more = {}) {
      const other = await startBrowser(service.url, more)
      others.push(other)
      if (client) await other.logInAs(client)
      return other
    },
  }
  test.after.each(async () => {
    const problems = [await browser.closePages()]
    for (const other of others.splice(0)) {
      problems.push(await other.closePages())
      await other.close()
    }
    assert.equal(problems.flat(), [])
  })
  test.after(() => rmSync(folder, { recursive: true }))
  return scene
}

/** Leaves a page whose requests wait: those of a closing page would be sent after all. */
export async function leave(page: Page): Promise<void> {
  await page.evaluate('window.stop()')
  await page.close()
}

/** Until the first of these is visible. */
export const shown = (place: Locator) => place.first().waitFor()

export const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

export const more = (page: Page, name: string) =>
  page.getByRole('button', { name: `More for ${name}`, exact: true }).click()

interface Chosen {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

export function file(name: string, content: string | Buffer): Chosen {
  return { name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) }
}

/** Files on disk, which keep their time between two choices. */
export function onDisk(folder: string, files: Record<string, string | Buffer>): string[] {
  return Object.entries(files).map(([name, content]) => {
    const place = path.join(folder, name)
    mkdirSync(path.dirname(place), { recursive: true })
    writeFileSync(place, content)
    return place
  })
}

/** The sun above water, as a JPEG that the browser draws. */
export async function drawPhoto(page: Page, hue: number): Promise<Buffer> {
  const url = await page.evaluate<string>(`(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 2400, height: 1600 })
    const context = canvas.getContext('2d')
    const fill = (from, to, top, height) => {
      const colours = context.createLinearGradient(0, top, 0, top + height)
      colours.addColorStop(0, from)
      colours.addColorStop(1, to)
      context.fillStyle = colours
      context.fillRect(0, top, 2400, height)
    }
    fill('hsl(${hue + 200} 60% 45%)', 'hsl(${hue} 80% 72%)', 0, 1000)
    context.fillStyle = '#fff8e0'
    context.arc(1700, 760, 150, 0, 7)
    context.fill()
    fill('hsl(${hue + 190} 45% 38%)', 'hsl(${hue + 210} 60% 16%)', 1000, 600)
    return canvas.toDataURL('image/jpeg', 0.9)
  })()`)
  return Buffer.from(url.split(',')[1]!, 'base64')
}

/** Where an interrupted upload asks for its files, by the button of its notice. */
export const choose = (page: Page, files: Chosen[] | string[]) =>
  page
    .getByLabel(/^(Add( files)?|Choose files)$/)
    .first()
    .setInputFiles(files)

/** Shows the rarely needed settings of Send. */
export async function openOptions(page: Page): Promise<void> {
  const options = page.locator('.options details')
  await options.waitFor()
  await options.evaluate((details: any) => (details.open = true))
}

/** The row with the number of files. */
export const counted = (page: Page, text: string | RegExp) =>
  page.locator('summary').filter({ hasText: text })

export const openFiles = (page: Page) => page.locator('.fold > summary').first().click()

export const expiry = (page: Page) =>
  page.getByRole('group', { name: /^(Expires on|Never expires)/ })

export const chooseExpiry = (page: Page, text: string) =>
  expiry(page).getByText(text, { exact: true }).click()

export const chosenExpiry = (page: Page) =>
  expiry(page).locator('label:has(:checked)').textContent()

export const getLink = (page: Page) => page.getByRole('button', { name: 'Get link' })

/** Gets the link, and waits until everything has arrived. */
export async function publish(page: Page): Promise<void> {
  await getLink(page).click()
  await page.getByText('Your link is ready').waitFor()
}

export const link = (page: Page) => page.getByLabel('Link', { exact: true })
export const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name })

/** As text: the tests' types know no navigator. */
export const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')

/** The id in the address of Link ready. */
export const shareIdOf = (page: Page) => new URL(page.url()).pathname.split('/')[2]!

export async function contents({ owner }: Scene, shareId: string): Promise<Record<string, string>> {
  return filesIn((await owner.get(`/api/shares/${shareId}/download`)).body)
}

/** Content by name, a character for each byte. */
export function filesIn(zip: Buffer): Record<string, string> {
  const { entries } = readArchive(zip.length, (start, end) => zip.subarray(start, end))
  return Object.fromEntries(
    entries.map(({ name, size, contentOffset }) => {
      return [name, zip.subarray(contentOffset, contentOffset + size).toString('latin1')]
    }),
  )
}

/** Chunks and archives after the first few wait until the function returned is called. */
export async function holdChunks(page: Page, letThrough = 0): Promise<() => Promise<void>> {
  const held: Route[] = []
  let left = letThrough
  let isHolding = true
  await page.route(/\/(chunk|tar)$/, async (route) => {
    left -= 1
    if (isHolding && left < 0) held.push(route)
    else await route.continue()
  })
  return async () => {
    isHolding = false
    for (const route of held.splice(0)) await route.continue().catch(() => {})
  }
}

/** Uploads that this browser has stored. Opens only an existing database, and never creates it. */
export function recordCount(page: Page): Promise<number> {
  return page.evaluate<number>(`indexedDB.databases().then((found) => new Promise((resolve) => {
    if (!found.some(({ name }) => name === 'transfer')) return resolve(0)
    indexedDB.open('transfer').onsuccess = ({ target: { result: database } }) => {
      const stores = [...database.objectStoreNames]
      if (!stores.includes('uploads')) return resolve(0)
      database.transaction('uploads').objectStore('uploads').count().onsuccess = (event) => {
        database.close()
        resolve(event.target.result)
      }
    }
  }))`)
}
