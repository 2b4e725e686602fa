import * as assert from 'uvu/assert'
import { browserSuite, startBrowser } from '../helpers/browser.ts'
import { ownPort } from '../helpers/own-port.ts'
import { startService } from '../helpers/service.ts'
import { untilCount, untilIs, untilMatch, untilValue } from '../helpers/until.ts'

const checkUp = browserSuite('web: check-up')

// Nothing answers there, so the check-up has a problem and is fast.
const baseUrl = `http://127.0.0.1:${ownPort()}`
const service = await startService({ env: { BASE_URL: baseUrl, PORT: '8123' } })

checkUp('should show problems first, with what mends them', async () => {
  const browser = await startBrowser(service.url, { onLan: true })
  await browser.logInAs(await service.admin())
  const page = await browser.context.newPage()
  const busy = { error: 'Busy.', code: 'busy' }
  await page.route('**/check-up', (route) => route.fulfill({ status: 503, json: busy }), {
    times: 1,
  })
  await page.goto(browser.address('/admin/doctor'))
  await page.getByRole('alert').waitFor()
  // A failure is not kept.
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('link', { name: 'Check-up' }).last().click()
  await page.getByText('Problems: 1.').waitFor()
  const items = page.locator('li.group')
  await untilCount(items, 20)
  const first = (await items.first().textContent()) ?? ''
  assert.match(first, 'Public address')
  assert.match(first, 'ECONNREFUSED')
  await untilValue(
    items.first().getByRole('textbox', { name: 'On the machine of the service' }),
    `curl --verbose --head ${baseUrl}/livez`,
  )
  await untilMatch(
    () => items.filter({ hasText: 'Last backup' }).locator('textarea').inputValue(),
    'transfer backup /var',
  )
  const caddy = items.getByRole('textbox', { name: 'Caddy' })
  await untilMatch(() => caddy.inputValue(), '\n    reverse_proxy 127.0.0.1:8123\n')
  // A line of configuration is one line, also on a phone.
  await page.setViewportSize({ width: 390, height: 800 })
  await untilIs(() => caddy.evaluate((field) => field.clientWidth < field.scrollWidth), true)
  await items.filter({ hasText: 'Disk space' }).waitFor({ state: 'hidden' })
  await page.getByText(/\d+ checks need no action/).click()
  await items.filter({ hasText: 'Disk space' }).waitFor()
  assert.equal(await browser.closePages(), [])
  await browser.close()
})
