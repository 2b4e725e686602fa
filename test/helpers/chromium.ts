// One Chromium for all browsers of a test process; each has profiles in it.
import type { Browser } from 'playwright-core'

export const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
/** A name that is not localhost: its pages have no secure context, as on a LAN address. */
export const lanHost = 'transfer.lan'

let running: Promise<Browser> | null = null

/** The running one, or a new one after a test has ended it. */
export async function openChromium(): Promise<Browser> {
  running ??= launch()
  if (!(await running).isConnected()) running = launch()
  return running
}

/** After the last suite, and after one that may have left pages open. */
export async function closeChromium(): Promise<void> {
  const closing = running
  running = null
  await (await closing)?.close()
}

/** The driver is loaded by the first test that needs it: it takes half a second. */
async function launch(): Promise<Browser> {
  const { chromium } = await import('playwright-core')
  return chromium.launch({
    executablePath,
    headless: true,
    // Without a locale it sends a replacement for each letter of a file's name that is not ASCII.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--host-resolver-rules=MAP ${lanHost} 127.0.0.1`,
    ],
  })
}
