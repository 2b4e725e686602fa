// Debian's Chromium, driven for real. Everything a page says on its console, and every break of its
// Content-Security-Policy, is kept: a test that opens pages ends with `problems` empty.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, Page } from 'playwright-core'
import { suite, type Test } from 'uvu'
import { executablePath, lanHost, leaveChromium, openChromium } from './chromium.ts'
import type { Client } from './client.ts'

/** A suite that needs the browser: where none is installed it says so, and runs nothing. */
export function browserSuite(name: string): Test {
  if (existsSync(executablePath)) return suite(name)
  process.stdout.write(`skipped: ${name}, ${executablePath} is missing\n`)
  const none = () => {}
  const hooks = Object.assign(none, { each: none })
  return Object.assign(none, { before: hooks, after: hooks, skip: none, only: none, run: none })
}

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

export interface BrowserOptions {
  readonly theme?: 'light' | 'dark'
  readonly width?: number
  readonly height?: number
  readonly language?: string
  readonly javaScript?: boolean
  /** Opens pages at an address that is no secure context (plain http, not localhost). */
  readonly onLan?: boolean
}

export interface Browser {
  readonly context: BrowserContext
  /** What the pages complained about: console errors, uncaught errors, CSP. */
  readonly problems: string[]
  /** Opens a path of the service. */
  open(path: string): Promise<Page>
  /** The address of a path, as this browser sees the service. */
  address(path: string): string
  /** Takes over the login of a client of the API. */
  logInAs(client: Client): Promise<void>
  close(): Promise<void>
}

/** A browser with a fresh profile, for a service at `http://127.0.0.1:<port>`. */
export async function startBrowser(url: string, options: BrowserOptions = {}): Promise<Browser> {
  const browser = await openChromium()
  const { theme = 'light', width = 1280, height = 800, language = 'en-GB' } = options
  const context = await browser.newContext({
    colorScheme: theme,
    viewport: { width, height },
    locale: language,
    javaScriptEnabled: options.javaScript ?? true,
    acceptDownloads: true,
  })
  context.setDefaultTimeout(15_000)
  const base = options.onLan ? url.replace('127.0.0.1', lanHost) : url
  const problems: string[] = []
  context.on('page', (page) => watch(page, problems))
  return {
    context,
    problems,
    address: (name) => base + name,
    async open(name) {
      const page = await context.newPage()
      await page.goto(base + name)
      return page
    },
    async logInAs(client) {
      await context.addCookies([{ name: 'session', value: client.token ?? '', url: base }])
    },
    async close() {
      await context.close()
      await leaveChromium()
    },
  }
}

/** Failed loads are the network's, not the page's: tests of faults make them on purpose. */
function watch(page: Page, problems: string[]): void {
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    const isNetwork = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isNetwork) problems.push(message.text())
  })
}

/** What axe (WCAG 2.0 to 2.2, A and AA) finds wrong on the page: one line a rule and element. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource)
  return page.evaluate(async () => {
    interface Violation {
      id: string
      nodes: { target: string[]; failureSummary: string }[]
    }
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: Violation[] }> }
    }
    const values = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
    const { violations } = await axe.run({ runOnly: { type: 'tag', values } })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
    )
  })
}

/** Whether the page has to be scrolled sideways. As text: the tests' types know no document. */
export function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  )
}

/** Drops a file or folder of the disk on the page, as a person with a mouse does. */
export async function dropOn(page: Page, place: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const data = { items: [], files: [place], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', { type, x: 5, y: 400, data })
  }
}
