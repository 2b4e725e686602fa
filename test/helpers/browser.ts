// Debian's Chromium, driven for real. Everything a page prints on its console, and every violation
// of its Content-Security-Policy, is kept: a test that opens pages ends with `problems` empty.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, BrowserContextOptions, FileChooser, Page } from 'playwright-core'
import { closeChromium, executablePath, lanHost, openChromium } from './chromium.ts'
import type { Client } from './client.ts'
import { patient } from './patience.ts'
import { suite, type Test } from './suite.ts'
import { Gate, until } from './until.ts'

/** A suite that needs the browser and programs: without one the process prints that, and ends. */
export function browserSuite(name: string, programs: readonly string[] = []): Test {
  const missing = programs.find((program) => spawnSync('which', [program]).status !== 0)
  if (missing || !existsSync(executablePath)) {
    const needed = missing ?? `a browser at ${executablePath}`
    process.stdout.write(`skipped: ${name}, it needs ${needed}\n`)
    process.exit()
  }
  const made = suite(name)
  const run = made.run.bind(made)
  made.run = () => {
    made.after(closeChromium)
    run()
  }
  return made
}

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

/**
 * With SLOW=6 in the environment pages have a processor six times slower and a latency of 100 ms: a
 * test that is only fast enough fails.
 */
const slowness = Number(process.env['SLOW'] ?? 1)
const slowLatencyMs = 100
/** Reported by Chrome on every phone with Android. */
const phoneAgent =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  'Chrome/141.0.0.0 Mobile Safari/537.36'
/** The bound of page actions, for a busy machine too. */
const waitMsMax = patient(30_000)

/** Fills in the form of the sign-in page, and sends it. */
export async function signInAt(
  page: Page,
  email: string,
  password = `password of ${email}`,
): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

export interface BrowserOptions {
  readonly theme?: 'light' | 'dark'
  readonly width?: number
  readonly height?: number
  readonly language?: string
  readonly javaScript?: boolean
  /** Opens pages at an address without a secure context (plain http, not localhost). */
  readonly onLan?: boolean
  /** A touch screen, with the layout viewport and the name of a phone. */
  readonly isPhone?: boolean
  /** For example `clipboard-read`. */
  readonly permissions?: readonly string[]
}

export interface Browser {
  readonly context: BrowserContext
  /** Problems of the pages: console errors, uncaught errors, CSP. */
  readonly problems: string[]
  /** Opens a path of the service. */
  open(path: string): Promise<Page>
  /**
   * Opens an address with a clock that can be moved (`page.clock`) and stopped (`stopClock`): in
   * a separate profile, because all pages of one have the same clock. Sessions come along.
   */
  openWithClock(address: string): Promise<Page>
  /** After each test. Returns the problems since the last call. */
  closePages(): Promise<string[]>
  /** The address of a path, as this browser sees the service. */
  address(path: string): string
  /** Takes over the session of a client of the API. */
  logInAs(client: Client): Promise<void>
  close(): Promise<void>
}

/** A browser with a fresh profile, for a service at `http://127.0.0.1:<port>`. */
export async function startBrowser(url: string, options: BrowserOptions = {}): Promise<Browser> {
  const browser = await openChromium()
  const { theme = 'light', width = 1280, height = 800, language = 'en-GB' } = options
  const problems: string[] = []
  const contexts: BrowserContext[] = []
  const pages = () => contexts.flatMap((one) => one.pages()).filter((page) => page !== kept)
  const profile = async (state: BrowserContextOptions) => {
    const made = await browser.newContext({
      colorScheme: theme,
      viewport: { width, height },
      locale: language,
      javaScriptEnabled: options.javaScript ?? true,
      acceptDownloads: true,
      ...(options.isPhone ? { isMobile: true, hasTouch: true, userAgent: phoneAgent } : {}),
      permissions: [...(options.permissions ?? [])],
      ...state,
    })
    made.setDefaultTimeout(waitMsMax)
    return made
  }
  const watched = (made: BrowserContext) => {
    made.on('page', (page) => {
      watch(page, problems)
      prepare(page)
    })
    contexts.push(made)
    return made
  }
  // Chromium opens a window for the first page of a profile and closes it with the last one, which
  // takes ten times as long as a page: this one stays, behind the others.
  const context = await profile({})
  const kept = await context.newPage()
  watched(context)
  const base = options.onLan ? url.replace('127.0.0.1', lanHost) : url
  return {
    context,
    problems,
    address: (name) => base + name,
    async open(name) {
      const page = await context.newPage()
      await page.goto(base + name)
      return page
    },
    async openWithClock(address) {
      const own = watched(await profile({ storageState: await context.storageState() }))
      await own.clock.install()
      const page = await own.newPage()
      await page.goto(new URL(address, base).href)
      return page
    },
    async closePages() {
      for (const page of pages()) {
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        await page.close()
      }
      for (const own of contexts.splice(1)) await own.close()
      return problems.splice(0)
    },
    async logInAs(client) {
      const { sessionCookieName: name, token } = client
      await context.addCookies([{ name, value: token ?? '', url: base }])
    },
    async close() {
      for (const one of contexts) await one.close()
    },
  }
}

/** From now on time passes for an `openWithClock` page only when the test says so. */
export async function stopClock(page: Page): Promise<void> {
  // It can only be stopped in the future; no timer that a test starts may be due by then.
  await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 5000)
}

function prepare(page: Page): void {
  interceptForSure(page)
  if (slowness > 1) void slowDown(page).catch(() => {}) // closed at once
}

/**
 * Chromium says that it intercepts before its renderer does, so that a request right after `route`
 * reached the service: each `route` of an opened page waits for a request that was intercepted.
 */
function interceptForSure(page: Page): void {
  const probe = '/livez?intercepted'
  const route = page.route.bind(page)
  page.route = async (...wanted) => {
    const added = await route(...wanted)
    if (!page.url().startsWith('http')) return added
    let isIntercepted = false
    await route(`**${probe}`, (request) => {
      isIntercepted = true
      return request.fulfill({ status: 204 })
    })
    await until('requests are intercepted', async () => {
      await page.evaluate(`fetch('${probe}').catch(() => {})`)
      return isIntercepted
    })
    await page.unroute(`**${probe}`)
    return added
  }
}

/** Failed loads are the network's, not the page's: tests of faults cause them on purpose. */
function watch(page: Page, problems: string[]): void {
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    const isNetwork = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isNetwork) problems.push(message.text())
  })
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowness })
  const throughput = { downloadThroughput: -1, uploadThroughput: -1 }
  const line = { offline: false, latency: slowLatencyMs, ...throughput }
  await session.send('Network.emulateNetworkConditions', line)
}

/**
 * Violations that axe (WCAG 2.0 to 2.2, A and AA) finds on the page: one line per rule and element.
 * @param rules only these; all when there are none
 */
export async function axeViolations(page: Page, rules: readonly string[] = []): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(axeSource)
  return page.evaluate(
    async (only) => {
      interface Violation {
        id: string
        nodes: { target: string[]; failureSummary: string }[]
      }
      const { axe } = globalThis as unknown as {
        axe: { run(options: object): Promise<{ violations: Violation[] }> }
      }
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
      const runOnly =
        only.length > 0 ? { type: 'rule', values: only } : { type: 'tag', values: tags }
      // Our rules read no style sheets, which axe would copy into shadow trees.
      const options = { runOnly, resultTypes: ['violations'], preload: false }
      const { violations } = await axe.run(options)
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
      )
    },
    [...rules],
  )
}

/** Requests for these addresses wait until the gate opens. */
export async function holdRoute(
  page: Page,
  url: string | RegExp,
  gate = new Gate(),
): Promise<Gate> {
  await page.route(url, async (route) => {
    await gate.passed
    await route.continue()
  })
  return gate
}

/** The download that `event` starts: its file name, and the bytes. */
export async function saved(page: Page, event: () => Promise<unknown>): Promise<[string, Buffer]> {
  const [download] = await Promise.all([page.waitForEvent('download'), event()])
  const found: [string, Buffer] = [
    download.suggestedFilename(),
    readFileSync(await download.path()),
  ]
  await download.delete()
  return found
}

/** Whether the page has to be scrolled sideways. As text: the tests' types know no document. */
export function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  )
}

/** The file chooser that `event` opens. */
export async function fileChooser(page: Page, event: () => Promise<unknown>): Promise<FileChooser> {
  const opened = page.waitForEvent('filechooser')
  // The page is told to report it by a message that keys may overtake; an answer of the page does
  // not come before that message was received.
  await page.evaluate('null')
  await event()
  return opened
}

/**
 * Drops a file or folder of the disk on the page, as with a mouse.
 * @param look called while it is over the page
 */
export async function dropOn(
  page: Page,
  place: string,
  look: () => Promise<void> = async () => {},
): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const data = { items: [], files: [place], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', { type, x: 5, y: 400, data })
    if (type === 'dragEnter') await look()
  }
}

/** Dropped files are not read before the function returned is called. */
export async function holdDrops(page: Page): Promise<() => Promise<unknown>> {
  await page.evaluate(`{
    const { prototype } = DataTransferItem
    const { getAsFileSystemHandle: get } = prototype
    const passed = new Promise((resolve) => (globalThis.readDrops = resolve))
    prototype.getAsFileSystemHandle = function () {
      const found = get.call(this)
      return passed.then(() => found)
    }
  }`)
  return () => page.evaluate('readDrops()')
}
