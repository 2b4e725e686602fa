// The dialog around a preview: the history, the size of a picture, and where the buttons are.
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite, startBrowser } from '../../helpers/browser.ts'
import { startService } from '../../helpers/service.ts'
import { untilIs } from '../../helpers/reads.ts'
import { shareTyped } from './scene.ts'

const dialogs = browserSuite('web: dialog of previews')

const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
const owner = await service.user('owner@example.org')
const browser = await startBrowser(service.url)
await browser.logInAs(owner)
dialogs.after(() => service.stop())
dialogs.after.each(async () => assert.equal(await browser.closePages(), []))

const texts = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, place) => [
      `${place + 1}.txt`,
      ['text/plain', `text ${place + 1}`] as const,
    ]),
  )

const dialogOf = (page: Page) => page.getByRole('dialog')
const preview = (page: Page, name: string) =>
  page.getByRole('button', { name: `Preview ${name}`, exact: true }).click()
const isClosed = (page: Page) => dialogOf(page).waitFor({ state: 'detached' })

for (const [what, path] of [
  ["the recipient's page", '/s/'],
  ['the app', '/shares/'],
] as const) {
  dialogs(`should close with Back, and then leave the page: ${what}`, async () => {
    const address = path + (await shareTyped(owner, texts(3)))
    const page = await browser.open('/shares')
    await page.goto(browser.address(address))
    const before = await page.evaluate<number>('history.length')
    await preview(page, '1.txt')
    await dialogOf(page).getByText('text 1').waitFor()
    await page.keyboard.press('ArrowRight')
    await dialogOf(page).getByText('text 2').waitFor()
    await untilIs(() => page.evaluate('history.length'), before + 1)
    await page.goBack()
    await isClosed(page)
    assert.is(new URL(page.url()).pathname, address)
    await page.goForward()
    await dialogOf(page).getByText('text 1').waitFor()
    await page.reload()
    await dialogOf(page).getByText('text 1').waitFor()
    await page.goBack()
    await isClosed(page)
    await page.goBack()
    await page.waitForURL('**/shares')
  })

  dialogs(`should leave no history behind when it is closed otherwise: ${what}`, async () => {
    const address = path + (await shareTyped(owner, texts(3)))
    const page = await browser.open('/shares')
    await page.goto(browser.address(address))
    const ways: (() => Promise<void>)[] = [
      // The second one must not leave the page.
      async () => {
        await page.evaluate(`for (const _ of [1, 2]) {
          document.querySelector('dialog').dispatchEvent(new Event('cancel'))
        }`)
      },
      () => page.keyboard.press('Escape'),
      () => dialogOf(page).getByRole('button', { name: 'Close' }).click(),
    ]
    for (const close of ways) {
      await preview(page, '2.txt')
      await dialogOf(page).getByText('text 2').waitFor()
      await close()
      await isClosed(page)
      assert.is(new URL(page.url()).pathname, address)
      await untilIs(() => page.evaluate('history.state'), null)
    }
    await page.goBack()
    await page.waitForURL('**/shares')
  })
}
