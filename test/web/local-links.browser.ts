// Links that begin with localhost, on a page that was opened by another name.
import * as assert from 'uvu/assert'
import { browserSuite, startBrowser, type Browser } from '../helpers/browser.ts'
import type { Client } from '../helpers/client.ts'
import { startService } from '../helpers/service.ts'
import { untilCount } from '../helpers/reads.ts'
import { makeLink } from '../requests/guest.ts'

const links = browserSuite('web: local links')

const warning = 'Links begin with http://localhost:8080'

const service = await startService({ env: { BASE_URL: 'http://localhost:8080' } })
const admin = await service.admin()

async function withBrowser(
  onLan: boolean,
  client: Client,
  use: (browser: Browser) => Promise<void>,
): Promise<void> {
  const browser = await startBrowser(service.url, { onLan })
  await browser.logInAs(client)
  await use(browser)
  assert.equal(await browser.closePages(), [])
  await browser.close()
}

async function pagesOf(client: Client): Promise<string[]> {
  const shareId = await client.share({ a: 'a' })
  const id = await makeLink(client, { name: 'Papers' })
  return ['/shares', `/shares/${shareId}`, '/requests', `/requests/${id}`]
}

links('should warn administrators wherever a link is shown', async () => {
  const pages = await pagesOf(admin)
  await withBrowser(true, admin, async (browser) => {
    for (const address of [...pages, '/admin']) {
      const page = await browser.open(address)
      await page.getByText(warning).waitFor()
      await untilCount(page.getByText('Everything is running'), 0)
      const advice = `such as ${new URL(browser.address('/')).origin}, and restart`
      await page.getByText(advice).waitFor()
    }
  })
})

links('should warn nobody else, and not on the machine itself', async () => {
  const owner = await service.user('owner@example.org')
  const pages = await pagesOf(owner)
  await withBrowser(true, owner, async (browser) => {
    for (const address of pages) {
      const page = await browser.open(address)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page
        .getByText(/a|Papers/)
        .first()
        .waitFor()
      await untilCount(page.getByText(warning), 0)
    }
  })
  await withBrowser(false, admin, async (browser) => {
    const page = await browser.open('/admin')
    await page.getByText('Everything is running').waitFor()
    await untilCount(page.getByText(warning), 0)
  })
})
