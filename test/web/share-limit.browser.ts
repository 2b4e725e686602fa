import * as assert from 'uvu/assert'
import { browserSuite, saved, startBrowser, type Browser } from '../helpers/browser.ts'
import type { Client } from '../helpers/client.ts'
import { startService, type Service } from '../helpers/service.ts'

const limit = browserSuite('web: download limits, as recipients see them')

let service: Service
let owner: Client
let browser: Browser

limit.before(async () => {
  service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
  owner = await service.user('owner@example.org')
  browser = await startBrowser(service.url)
})
limit.after(async () => {
  await browser.close()
  await owner.close()
  await service.stop()
})
limit.after.each(async () => {
  assert.equal(await browser.closePages(), [])
})

limit('should follow a limit that is set, used and lifted while the page is open', async () => {
  const shareId = await owner.share({ 'a.txt': 'text of a', b: 'b' })
  const limitTo = (maxDownloads: number) =>
    owner.call('PATCH', `/api/shares/${shareId}`, { json: { maxDownloads } })
  const page = await browser.open(`/s/${shareId}`)
  const lookAgain = () => page.evaluate(`void dispatchEvent(new Event('focus'))`)
  await page.getByRole('button', { name: /^a\.txt/ }).waitFor()
  await limitTo(3)
  await lookAgain()
  await page.getByText(' · can be downloaded by 3 more people').waitFor()
  // Its own download, without waiting for the next look.
  await saved(page, () => page.getByRole('link', { name: 'Download b', exact: true }).click())
  await page.getByText('can be downloaded by 2 more people').waitFor({ timeout: 10_000 })
  await limitTo(0)
  await lookAgain()
  await page.getByText('can be downloaded by').waitFor({ state: 'detached' })
  assert.not.match(await page.getByRole('main').innerText(), /limit|24 hours/)
  await limitTo(2)
  await page.reload()
  await page.getByText('for 24 hours').waitFor()
  await limitTo(0)
  await lookAgain()
  await page.getByText('for 24 hours').waitFor({ state: 'hidden' })
})

limit.run()
