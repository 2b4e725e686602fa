import * as assert from 'uvu/assert'
import { browserSuite, saved } from '../helpers/browser.ts'
import { Guest, makeLink, pluck, randomContent } from '../helpers/client.ts'
import { untilCount } from '../helpers/until.ts'
import { flip, placeOf, verify } from '../bytes/upkeep/verify/scene.ts'
import { startScene } from './sender.ts'
import { readArchive } from '../bytes/archive/zip/archive-reader.ts'

const damage = browserSuite('web: damaged files')

const { service, owner, browser } = await startScene(damage, { mail: false })

/** Three files with names that no other test uses. */
const threeFiles = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, randomContent(20_000, name)]))

async function spoil(name: string): Promise<void> {
  flip(await placeOf(service, name))
  await verify(service)
}

damage('should be named in the list of the owner, and excluded from archives', async () => {
  const names = ['a.bin', 'b.bin', 'c.bin'] as const
  const shareId = await owner.share(threeFiles(names), { name: 'Rotten' })
  await spoil(names[1])
  const page = await browser.open('/shares')
  const row = page.getByRole('row', { name: 'Rotten' })
  await row.getByText('Damaged', { exact: true }).waitFor()
  await row.getByRole('link', { name: 'Rotten' }).click()
  const all = page.getByRole('link', { name: 'Download all · 40 KB' })
  await all.waitFor()
  const [, zip] = await saved(page, () => all.click())
  const { entries } = readArchive(zip.length, (start, end) => zip.subarray(start, end))
  assert.equal(pluck(entries, 'name'), [names[0], names[2]])
  for (const name of [names[0], names[2]]) await spoil(name)
  await page.goto(browser.address(`/shares/${shareId}`))
  await page.getByText('Damaged', { exact: true }).nth(3).waitFor()
  await untilCount(page.getByRole('link', { name: 'Download all' }), 0)
})

damage('should leave a delivery without an archive that would be refused', async () => {
  const names = ['d.bin', 'e.bin', 'f.bin'] as const
  const id = await makeLink(owner, { name: 'Inbox' })
  await new Guest(service.client(), id).deliver(threeFiles(names))
  const page = await browser.open(`/requests/${id}`)
  const archives = page.getByRole('link', { name: /^Download($| all)/ })
  await untilCount(archives, 2)
  await spoil(names[1])
  await page.reload()
  await page.getByText('Damaged', { exact: true }).waitFor()
  await untilCount(archives, 0)
})
