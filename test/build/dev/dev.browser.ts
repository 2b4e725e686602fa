// `npm run dev` on a copy of the sources, with a page open.
import { spawn } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { packageRoot } from '../../../src/lib/package-root.ts'
import { browserSuite, startBrowser, type Browser } from '../../helpers/browser.ts'
import { endOf } from '../../helpers/child.ts'
import { mainFile } from '../../helpers/main-file.ts'
import { ownPort } from '../../helpers/own-port.ts'
import { patient } from '../../helpers/patience.ts'
import { plantSeed } from '../../helpers/seed.ts'
import {
  databaseProcesses,
  makeBallast,
  makeDataDir,
  removeDataDir,
  tryToSignal,
} from '../../helpers/service-process.ts'
import { until } from '../../helpers/until.ts'

const dev = browserSuite('dev')
const patienceMs = patient(90_000)
const sources = ['src', 'sql', 'docs', 'static', 'package.json', 'tsconfig.json']
const built = path.join(packageRoot, 'static', 'app')

let copy: string
let dataDir: string
let browser: Browser
let page: Page
let run: Awaited<ReturnType<typeof startDev>>

async function startDev() {
  const port = ownPort()
  const env = {
    PATH: process.env['PATH'] ?? '',
    PORT: String(port),
    DOCS_PORT: 'off',
    RELOAD_PORT: String(ownPort()),
    DATA_DIR: dataDir,
  }
  const child = spawn(process.execPath, ['src/build/dev/run.mjs'], {
    cwd: copy,
    env,
    stdio: 'pipe',
  })
  const ended = endOf(child, 20 * patienceMs)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  }
  const count = (pattern: RegExp) => [...said.matchAll(new RegExp(pattern, 'gm'))].length
  return {
    child,
    ended,
    url: `http://127.0.0.1:${port}`,
    said: () => said,
    count,
    waitFor: (pattern: RegExp, times = 1) =>
      until(`the runner prints ${pattern}`, () => count(pattern) >= times, patienceMs),
  }
}

const inCopy = (name: string) => path.join(copy, name)

function change(name: string, from: string, to: string): void {
  const text = readFileSync(inCopy(name), 'utf8')
  assert.ok(text.includes(from), name)
  writeFileSync(inCopy(name), text.replace(from, to))
}

/** From then on, the page knows the build it shows. */
async function openWatchedPage(): Promise<Page> {
  const opened = await browser.open('/login')
  await opened.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/?turn=0')),
  )
  return opened
}

dev.before(async () => {
  copy = mkdtempSync(path.join(tmpdir(), 'transfer-test-dev-'))
  const isSource = (name: string) => name !== built
  for (const name of sources) {
    cpSync(path.join(packageRoot, name), inCopy(name), { recursive: true, filter: isSource })
  }
  symlinkSync(path.join(packageRoot, 'node_modules'), inCopy('node_modules'))
  dataDir = makeDataDir()
  makeBallast(dataDir)
  plantSeed(dataDir)
  run = await startDev()
  await run.waitFor(/^listening on /)
  browser = await startBrowser(run.url)
})

dev.after(async () => {
  await browser?.close()
  if (run) {
    tryToSignal(run.child.pid!, 'SIGTERM')
    await run.ended
  }
  await removeDataDir(dataDir)
  rmSync(copy, { recursive: true, force: true })
})

dev('should print an administrator who can sign in', async () => {
  const [, email, password] = /sign in as (\S+), password (\S+)/.exec(run.said())!
  const answer = await fetch(`${run.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  assert.is(answer.status, 200)
})

dev('should reload pages without a restart when a style changes', async () => {
  page = await openWatchedPage()
  appendFileSync(inCopy('src/web/css/plain.css'), 'body { display: none }\n')
  await page.locator('body').waitFor({ state: 'hidden', timeout: patienceMs })
  assert.is(run.count(/^dev: starting the service$/), 1)
  assert.is(run.count(/^listening on /), 1)
})

dev('should restart the service and reload pages when its code changes', async () => {
  const reloaded = page.waitForEvent('load', { timeout: patienceMs })
  change('src/pages/operations.ts', 'This page needs JavaScript', 'This page needs a script')
  await reloaded
  await until(async () => assert.match(await page.content(), 'This page needs a script'))
  assert.is(run.count(/^listening on /), 2)
  assert.equal(await browser.closePages(), [])
})

dev('should restart the service for a new migration', async () => {
  const number = String(readdirSync(inCopy('sql')).length + 1).padStart(4, '0')
  writeFileSync(inCopy(`sql/${number}-add-nothing.sql`), 'select 1;\n')
  await run.waitFor(/^listening on /, 3)
  assert.match(run.said(), `${number}-add-nothing.sql`)
})

dev('should show errors, and continue once they are fixed', async () => {
  appendFileSync(inCopy('src/lib/log.ts'), 'export const = 1\n')
  await run.waitFor(/src\/lib\/log\.ts:\d+:\d+/)
  assert.is((await fetch(`${run.url}/livez`)).status, 200)
  change('src/lib/log.ts', 'export const = 1\n', 'throw new Error("fails at start")\n')
  await run.waitFor(/^dev: the service ended \(1\)/)
  change('src/lib/log.ts', 'throw new Error("fails at start")\n', '')
  await run.waitFor(/^listening on /, 4)
})

dev('should add its code for pages and service only to its own builds', () => {
  const hasIts = (folder: string, pattern: RegExp) =>
    readdirSync(folder, { recursive: true })
      .map(String)
      .filter((name) => /\.m?js$/.test(name))
      .some((name) => pattern.test(readFileSync(path.join(folder, name), 'utf8')))
  const ways = [
    { of: built, pattern: /\?turn=/, inDev: inCopy('dist-dev/static/app') },
    { of: path.dirname(mainFile), pattern: /src\/build\/dev\//, inDev: inCopy('dist-dev/dist') },
  ]
  for (const { of, pattern, inDev } of ways) {
    assert.ok(hasIts(inDev, pattern), inDev)
    assert.not(hasIts(of, pattern), of)
  }
})

dev('should end with its service and database at Ctrl-C', async () => {
  // As npm passes it on beside the terminal.
  for (const signal of ['SIGINT', 'SIGINT'] as const) tryToSignal(run.child.pid!, signal)
  assert.equal(await run.ended, { code: 0, signal: null })
  assert.equal(databaseProcesses(dataDir), [])
  assert.is(await fetch(run.url).catch(() => null), null)
})

dev.run()
