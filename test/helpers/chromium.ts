// One Chromium for all browsers that tests have open at a time.
import { chromium, type Browser } from 'playwright-core'

export const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
/** A name that is not localhost: pages on it are in no secure context, as on a LAN address. */
export const lanHost = 'transfer.lan'

let running: Promise<Browser> | null = null
let users = 0

export function openChromium(): Promise<Browser> {
  users += 1
  running ??= launch()
  return running
}

export async function leaveChromium(): Promise<void> {
  users -= 1
  if (users === 0) await closeChromium()
}

/** After the last suite: a test that failed may have left its browser open. */
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
