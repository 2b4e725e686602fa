// Long tasks and heap of a browser while a page sends a folder of this many MB: `node page.js
// 2000`; or one file of that size: `node page.js 5000 one`. Files are sparse. Fails when the heap
// grows beyond its bound, however much was sent. Not part of `npm run bench`: it needs Debian's
// chromium, and has nothing to compare with.
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { CDPSession, Page } from 'playwright-core'
import { dropOn, startBrowser } from '../test/helpers/browser.ts'
import { closeChromium } from '../test/helpers/chromium.ts'
import type { Client } from '../test/helpers/client.ts'
import { stopSharedPostgres } from '../test/helpers/postgres.ts'
import { startService } from '../test/helpers/service.ts'
import { getLink, heading } from '../test/web/sender.ts'

const megabyte = 1_000_000
/** A typical folder of holiday pictures: share of all bytes, and bytes per file. */
const mixture = [
  { name: 'film', part: 0.35, bytes: 700 * megabyte },
  { name: 'clip', part: 0.25, bytes: 100 * megabyte },
  { name: 'photo', part: 0.25, bytes: 10 * megabyte },
  { name: 'note', part: 0.15, bytes: 0.2 * megabyte },
]

/** Allowed growth of the heap at its peak. */
const growthBytesMax = 60 * megabyte

/** @returns number of files */
function makeFolder(folder: string, bytes: number, isOne: boolean): number {
  let count = 0
  const kinds = isOne ? [{ name: 'film', part: 1, bytes }] : mixture
  for (const { name, part, bytes: size } of kinds) {
    const place = path.join(folder, name)
    mkdirSync(place, { recursive: true })
    for (let left = bytes * part; left >= size; left -= size) {
      const file = path.join(place, `${name} ${(count += 1)}.bin`)
      writeFileSync(file, '')
      truncateSync(file, size)
    }
  }
  return count
}

/** Bytes of the page's JavaScript heap; `settled` collects garbage first. */
async function heapBytes(line: CDPSession, settled: boolean): Promise<number> {
  if (settled) await line.send('HeapProfiler.collectGarbage')
  return (await line.send('Runtime.getHeapUsage')).usedSize
}

/** Milliseconds of each task over 50 ms so far. */
const longTasks = (page: Page) => page.evaluate<number[]>('window.longTasks.splice(0)')

const observer = `
  window.longTasks = []
  const note = (list) => list.getEntries().forEach(({ duration }) => longTasks.push(duration))
  new PerformanceObserver(note).observe({ type: 'longtask' })
`

async function send(url: string, owner: Client, source: string) {
  const browser = await startBrowser(url)
  await browser.context.addInitScript(observer)
  await browser.logInAs(owner)
  const page = await browser.open('/')
  await page.getByLabel('Choose folder').waitFor({ state: 'attached' })
  const line = await browser.context.newCDPSession(page)
  const before = await heapBytes(line, true)
  await longTasks(page)
  let peak = before
  const look = async () => (peak = Math.max(peak, await heapBytes(line, false)))
  const timer = setInterval(() => void look(), 250)
  const start = performance.now()
  await dropOn(page, source)
  await getLink(page).click()
  await heading(page, 'Your link is ready').waitFor({ timeout: 600_000 })
  const seconds = (performance.now() - start) / 1000
  clearInterval(timer)
  const tasks = await longTasks(page)
  const after = await heapBytes(line, true)
  await browser.close()
  return { seconds, tasks, before, peak, after, problems: browser.problems }
}

async function run(bytes: number, isOne: boolean): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'transfer-bench-page-'))
  const service = await startService()
  const owner = await service.admin()
  try {
    const source = path.join(folder, 'Holiday')
    const files = makeFolder(source, bytes, isOne)
    const made = await send(service.url, owner, source)
    const mega = (value: number) => (value / megabyte).toFixed(1)
    const longest = Math.max(0, ...made.tasks).toFixed(0)
    const { before, peak, after, problems } = made
    console.log(`${files} files, ${mega(bytes)} MB in ${made.seconds.toFixed(1)} s`)
    console.log(`longest task ${longest} ms, ${made.tasks.length} over 50 ms`)
    console.log(`heap ${mega(before)} MB before, ${mega(peak)} at most, ${mega(after)} after`)
    if (problems.length > 0) console.log(problems.join('\n'))
    if (peak - before > growthBytesMax) {
      console.log(`more than ${mega(growthBytesMax)} MB on top`)
      process.exitCode = 1
    }
  } finally {
    await owner.close()
    await service.stop()
    await closeChromium()
    await stopSharedPostgres()
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  }
}

await run(Number(process.argv[2] ?? 2000) * megabyte, process.argv[3] === 'one')
