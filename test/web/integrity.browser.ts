// The pages of administrators about damaged files.
import * as assert from 'uvu/assert'
import { browserSuite, startBrowser, type Browser } from '../helpers/browser.ts'
import type { Client } from '../helpers/client.ts'
import { randomContent } from '../helpers/content.ts'
import { startService, type Service } from '../helpers/service.ts'
import { flip, placeOf, verify } from '../blobs/verify/scene.ts'

const integrity = browserSuite('web: integrity of stored files')

let service: Service
let client: Client
let browser: Browser

integrity.before(async () => {
  service = await startService()
  client = await service.admin()
  await client.share({ 'whole.bin': randomContent(10_000, 'whole') })
  await client.share({ 'rotten.bin': randomContent(10_000, 'rotten') })
  browser = await startBrowser(service.url, { onLan: true })
  await browser.logInAs(client)
})
integrity.after(async () => {
  await browser.close()
  await service.stop()
})
integrity.after.each(async () => {
  assert.equal(await browser.closePages(), [])
})

integrity('should show when files were last checked, and that they are undamaged', async () => {
  const page = await browser.open('/admin')
  await page.getByText('Everything works.').waitFor()
  await page.getByText('Technical details').click()
  const checked = page.getByText('Last integrity check').locator('..')
  assert.match(await checked.innerText(), /Not yet/)
  await verify(service)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await checked.getByText('20 KB checked, damaged places: 0').waitFor()
  assert.is(await page.getByText('Everything works.').count(), 1)
})

integrity('should warn about damage, and show the shares with damaged files', async () => {
  flip(await placeOf(service, 'rotten.bin'))
  await verify(service)
  const page = await browser.open('/admin')
  await page.getByText('1 damaged place in stored files').waitFor()
  await page.getByText('transfer verify', { exact: true }).waitFor()
  assert.is(await page.getByText('Everything works.').count(), 0)
  await page.getByText('Technical details').click()
  await page.getByText('20 KB checked, damaged places: 1').waitFor()
  const shares = await browser.open('/admin/shares')
  await shares.getByRole('row').nth(2).waitFor()
  assert.is(await shares.getByText('Damaged', { exact: true }).count(), 1)
})

integrity.run()
