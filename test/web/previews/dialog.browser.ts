// The dialog around a preview: the history, the size of a picture, and where the buttons are.
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite, startBrowser, type Browser } from '../../helpers/browser.ts'
import type { Client } from '../../helpers/client.ts'
import { startService, type Service } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'
import { picture, shareTyped } from './scene.ts'

const dialogs = browserSuite('web: dialog of previews')

let service: Service
let owner: Client
let browser: Browser

dialogs.before(async () => {
  service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
  owner = await service.user('owner@example.org')
  browser = await startBrowser(service.url)
  await browser.logInAs(owner)
})
dialogs.after(async () => {
  await browser.close()
  await owner.close()
  await service.stop()
})
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
    assert.is(await page.evaluate('history.length'), before + 1)
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
      () => page.mouse.click(2, 2),
    ]
    for (const close of ways) {
      await preview(page, '2.txt')
      await dialogOf(page).getByText('text 2').waitFor()
      await close()
      await isClosed(page)
      assert.is(new URL(page.url()).pathname, address)
      assert.is(await page.evaluate('history.state'), null)
    }
    await page.goBack()
    await page.waitForURL('**/shares')
  })
}

dialogs('should show the true size of a picture', async () => {
  const shareId = await shareTyped(owner, {
    'large.png': ['image/png', picture(4000, 1000)],
    'small.png': ['image/png', picture(200, 100)],
  })
  const page = await browser.open(`/s/${shareId}`)
  await preview(page, 'large.png')
  const said = dialogOf(page).locator('.tools [role=status]')
  const isTrue = () =>
    until('the size is true', async () => {
      const drawn = await dialogOf(page).locator('img').boundingBox()
      const percent = Math.floor((drawn!.width / 4000) * 100 + 0.5)
      const text = await said.innerText()
      return percent < 100 && Math.abs(Number.parseInt(text, 10) - percent) <= 1
    })
  await isTrue()
  const fitted = Number.parseInt(await said.innerText(), 10)
  await page.setViewportSize({ width: 800, height: 800 })
  await until('it is smaller', async () => Number.parseInt(await said.innerText(), 10) < fitted)
  await isTrue()
  await page.keyboard.press('+')
  await isTrue()
  await page.getByRole('button', { name: 'Next file' }).click()
  await dialogOf(page).getByText('100%').waitFor()
  await page.keyboard.press('+')
  await dialogOf(page).getByText('150%').waitFor()
})

dialogs('should say that a text is empty', async () => {
  const shareId = await shareTyped(owner, { 'nothing.txt': ['text/plain', ''] })
  const page = await browser.open(`/s/${shareId}`)
  await preview(page, 'nothing.txt')
  await dialogOf(page).getByText('This file is empty.').waitFor()
})

dialogs('should keep the buttons where they are from file to file', async () => {
  const page = await browser.open(`/s/${await shareTyped(owner, texts(11))}`)
  await preview(page, '1.txt')
  const next = page.getByRole('button', { name: 'Next file' })
  const places = new Set<number>()
  for (let place = 1; place <= 11; place++) {
    await dialogOf(page).getByText(`${place} of 11`, { exact: true }).waitFor()
    places.add((await next.boundingBox())!.x)
    await next.click()
  }
  assert.is(places.size, 1)
})

dialogs.run()
