// The dashboard of administrators.
import * as assert from 'uvu/assert'
import { renameSync } from 'node:fs'
import { dayMs } from '../../src/lib/clock.ts'
import { randomContent, Guest, makeLink, type Client } from '../helpers/client.ts'
import { deadEmail } from '../email/dead-email.ts'
import { browserSuite, startBrowser, type Browser } from '../helpers/browser.ts'
import { startService, type Service } from '../helpers/service.ts'
import { SlowReader } from '../helpers/slow-reader.ts'
import { until, untilCount, untilNoMatch } from '../helpers/until.ts'
const overview = browserSuite('web: dashboard')

let service: Service
let client: Client
let browser: Browser

overview.before.each(async () => {
  service = await startService()
  client = await service.admin()
  browser = await startBrowser(service.url, { onLan: true })
  await browser.logInAs(client)
})
overview.after.each(async () => {
  assert.equal(await browser.closePages(), [])
  await browser.close()
  await service.stop()
})

const gigabyte = 1_000_000_000

/** Accounts with shares of these sizes in gigabytes; no bytes are on disk. */
async function seedAccounts(): Promise<Client> {
  const owners: Client[] = []
  for (const [name, size] of [
    ['Ada Lovelace', 46],
    ['Grace Hopper', 35.7],
  ] as const) {
    const owner = await service.user(`${name.slice(0, 3)}@studio.example.org`)
    owners.push(owner)
    await owner.patch('/api/account', { name })
    const shareId = await owner.share({ a: 'a' })
    await service.database.sql`
      update containers
      set live_bytes = bytes, used_bytes = bytes
      from shares, (select ${Math.round(size * gigabyte)}::bigint as bytes) as sizes
      where containers.id = shares.container_id and shares.id = ${shareId}`
  }
  return owners[0]!
}

/** Two uploads and two downloads that run; ends the downloads. */
async function seedRunning(owner: Client): Promise<() => void> {
  const draft = await owner.init({ name: 'Rushes of the second week' })
  await owner.patch(`/api/shares/${draft}`, { expectedBytes: 5_400_000_000 })
  await owner.chunk(draft, 'secret.mov', 0, 'x')
  await service.database.sql`
    update containers
    set live_bytes = 2_100_000_000, used_bytes = 2_100_000_000
    from shares
    where containers.id = shares.container_id and shares.id = ${draft}`
  const guest = new Guest(service.client(), await makeLink(owner))
  await guest.init()
  await guest.chunk('secret', 0, 'x'.repeat(4_000))
  const shareId = await owner.share(
    { 'secret.bin': randomContent(24 * 1024 * 1024) },
    { name: 'Film' },
  )
  const address = `${service.url}/api/shares/${shareId}/download`
  const readers = [await SlowReader.open(address), await SlowReader.open(address)]
  for (const reader of readers) await reader.read(1)
  return () => readers.forEach((reader) => reader.abort())
}

/** One of each problem. */
async function seedProblems(): Promise<void> {
  const { sql } = service.database
  for (const _time of [1, 2]) await deadEmail(service)
  await sql`
    insert into tombstones (container_id, created_at, attempts, next_try_at, last_error)
    values (gen_random_uuid(), now(), 3, now() + interval '6 days 10 minutes', 'EIO')`
  service.clock.jump(6 * dayMs)
}

overview('should name who uses most and what runs, but no files', async () => {
  const end = await seedRunning(await seedAccounts())
  const page = await browser.open('/admin')
  await page.getByText('2 downloads of “Film”').waitFor()
  await page.getByText('Upload by a guest').waitFor()
  await page.getByText('2.1 GB of 5.4 GB').waitFor()
  await untilNoMatch(() => page.locator('main').innerText(), /secret/)
  const [first] = await page.locator('ol.bars > li').allInnerTexts()
  assert.match(first!.replaceAll('\n', ' '), /^Ada Lovelace 48.1\sGB 57%/)
  end()
  await until('nothing is sent', () => service.app.services.downloads.running.count === 0)
  await page.getByText('2 downloads of “Film”').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Grace Hopper' }).click()
  await page.getByRole('button', { name: 'Manage Grace Hopper' }).waitFor()
  await untilCount(page.getByRole('button', { name: /^Manage/ }), 1)
})

overview('should say that the storage disk is missing', async () => {
  renameSync(service.storageDir, `${service.storageDir}.away`)
  const page = await browser.open('/admin')
  await page.getByText('Check that its disk is mounted.').waitFor()
  await page.getByText('1 problem', { exact: true }).waitFor()
  renameSync(`${service.storageDir}.away`, service.storageDir)
})

overview('should say what to do about each problem, the worst first', async () => {
  await seedProblems()
  await service.database.sql`drop table traffic_days cascade`
  await service.app.jobs.runAll()
  await service.database.sql`
    create table traffic_days (
      day date primary key, received_bytes bigint, sent_bytes bigint, stored_bytes bigint,
      uploads integer, downloads integer
    )`
  client = await service.admin()
  await browser.logInAs(client)
  const page = await browser.open('/admin')
  await page.getByText('4 problems').waitFor()
  const titles = await page.locator('.problem strong').allInnerTexts()
  assert.is(titles[0], '2 emails could not be delivered')
  assert.equal(
    new Set(titles.slice(1)),
    new Set([
      '1 deleted share or delivery is still on the disk',
      '1 background job failed',
      'The clock may be wrong',
    ]),
  )
  await page.getByText('It moved forward by 6 days.').waitFor()
  await page.getByText('record traffic: ').waitFor()
  await page.getByText('Last error: EIO').waitFor()
  await page.getByRole('link', { name: 'Email settings' }).click()
  await page.waitForURL('**/admin/settings/mail')
})
