// How owners and recipients see files that are damaged on the server.
import * as assert from 'uvu/assert'
import { browserSuite, saved, startBrowser } from '../helpers/browser.ts'
import { randomContent } from '../helpers/content.ts'
import { startService } from '../helpers/service.ts'
import { untilCount } from '../helpers/reads.ts'
import { Guest, makeLink } from '../requests/guest.ts'
import { flip, placeOf, verify } from '../bytes/upkeep/verify/scene.ts'
import { readArchive } from '../bytes/archive/zip/archive-reader.ts'

const damage = browserSuite('web: damaged files')

let turn = 0

const service = await startService()
const owner = await service.user('owner@example.org')
const browser = await startBrowser(service.url)
await browser.logInAs(owner)
damage.after(() => service.stop())
damage.after.each(async () => {
  assert.equal(await browser.closePages(), [])
})

/** Names that no other test uses. */
function threeFiles(): { names: [string, string, string]; files: Record<string, Buffer> } {
  turn += 1
  const names: [string, string, string] = [`a${turn}.bin`, `b${turn}.bin`, `c${turn}.bin`]
  return {
    names,
    files: Object.fromEntries(names.map((name) => [name, randomContent(20_000, name)])),
  }
}

async function spoil(name: string): Promise<void> {
  flip(await placeOf(service, name))
  await verify(service)
}

damage('should be named in the list of the owner, and excluded from archives', async () => {
  const { names, files } = threeFiles()
  const shareId = await owner.share(files, { name: 'Rotten' })
  await spoil(names[1])
  const page = await browser.open('/shares')
  const row = page.getByRole('row', { name: 'Rotten' })
  await row.getByText('Active', { exact: true }).waitFor()
  await row.getByText('Damaged', { exact: true }).waitFor()
  await row.getByRole('link', { name: 'Rotten' }).click()
  const all = page.getByRole('link', { name: 'Download all · 40 KB' })
  await all.waitFor()
  const [, zip] = await saved(page, () => all.click())
  const { entries } = readArchive(zip.length, (start, end) => zip.subarray(start, end))
  assert.equal(
    entries.map(({ name }) => name),
    [names[0], names[2]],
  )
  for (const name of [names[0], names[2]]) await spoil(name)
  await page.goto(browser.address(`/shares/${shareId}`))
  await page.getByText('Damaged', { exact: true }).nth(3).waitFor()
  await untilCount(page.getByRole('link', { name: 'Download all' }), 0)
})

damage('should leave a delivery without an archive that would be refused', async () => {
  const { names, files } = threeFiles()
  const id = await makeLink(owner, { name: 'Inbox' })
  await new Guest(service.client(), id).deliver(files)
  const page = await browser.open(`/requests/${id}`)
  await page.getByRole('link', { name: 'Download all' }).waitFor()
  await spoil(names[1])
  await page.reload()
  await page.getByText('Damaged', { exact: true }).waitFor()
  await untilCount(page.getByRole('link', { name: 'Download all' }), 0)
})
