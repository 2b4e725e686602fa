// The check-up of administrators.
import * as assert from 'uvu/assert'
import { browserSuite, startBrowser } from '../helpers/browser.ts'
import type { Client } from '../helpers/client.ts'
import { ownPort } from '../helpers/own-port.ts'
import { startService, type Service } from '../helpers/service.ts'
import { untilCount } from '../helpers/reads.ts'
import { until } from '../helpers/until.ts'
const checkUp = browserSuite('web: check-up')
// Every look, each with a check-up.

let baseUrl: string
let service: Service
let client: Client

checkUp.before.each(async () => {
  // Nothing answers there, so the check-up has a problem and is fast.
  baseUrl = `http://127.0.0.1:${ownPort()}`
  service = await startService({ env: { BASE_URL: baseUrl } })
  client = await service.admin()
})
checkUp.after.each(() => service.stop())

checkUp('should show problems first, with what mends them', async () => {
  const browser = await startBrowser(service.url, { onLan: true })
  await browser.logInAs(client)
  const page = await browser.context.newPage()
  await page.goto(browser.address('/admin/doctor'))
  await page.getByRole('button', { name: 'Run check-up' }).click()
  await page.getByText('Problems: 1.').waitFor()
  const items = page.locator('ul.stack-tight > li')
  await untilCount(items, 20)
  const first = (await items.first().textContent()) ?? ''
  assert.match(first, 'Public address')
  assert.match(first, 'ECONNREFUSED')
  assert.match(first, `curl --verbose --head ${baseUrl}/livez`)
  await until(async () =>
    assert.match(
      (await page.locator('ul.stack-tight').textContent()) ?? '',
      'transfer backup /var',
    ),
  )
  assert.equal(await browser.closePages(), [])
  await browser.close()
})
