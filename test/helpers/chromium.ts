// One Chromium for all browsers of a test process; each has profiles of its own in it.
import { chromium, type Browser } from 'playwright-core'

export const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
/** A name that is not localhost: pages on it are in no secure context, as on a LAN address. */
export const lanHost = 'transfer.lan'

let running: Promise<Browser> | null = null

/** The one that runs, or a new one where a test has ended it. */
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

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    headless: true,
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
