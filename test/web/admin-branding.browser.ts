import * as assert from 'uvu/assert'
import type { Page } from 'playwright-core'
import { browserSuite } from '../helpers/browser.ts'
import { untilCount, untilIs, untilValue } from '../helpers/until.ts'
import { startScene } from './sender.ts'

const branding = browserSuite('web: branding')

const scene = await startScene(branding, { as: 'admin', mail: false, browser: { onLan: true } })
const { service, owner: client, browser } = scene

const config = async () => (await client.get('/api/config')).json<Record<string, unknown>>()

/** The service has answered; messages of earlier savings may still be there. */
async function save(page: Page): Promise<void> {
  const answered = page.waitForResponse('**/api/config')
  await page.getByRole('button', { name: 'Save' }).click()
  assert.is((await answered).status(), 200)
}

branding('should show the fields of the chosen home page only', async () => {
  const page = await browser.open('/admin/settings/general')
  const choice = page.getByLabel('Home page for visitors', { exact: true })
  const text = page.getByRole('textbox', { name: 'Text of the welcome page' })
  const address = page.getByRole('textbox', { name: 'Address of the website' })
  await choice.waitFor()
  await untilCount(text, 0)
  await untilCount(address, 0)
  await choice.selectOption({ label: 'Welcome text' })
  await text.fill('Hello')
  await untilCount(address, 0)
  await choice.selectOption({ label: 'Another website' })
  await untilCount(text, 0)
  await address.fill('https://someone@example.org')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Your input was not accepted').waitFor()
  await address.fill('https://example.org')
  await save(page)
  await untilValue(address, 'https://example.org/', 'as it is saved')
  const { homePage, homeText, homeRedirect } = await config()
  assert.equal([homePage, homeText, homeRedirect], ['redirect', 'Hello', 'https://example.org/'])
  await page.getByLabel('Search settings').fill('Text of the welcome')
  await page.getByRole('link', { name: 'Text of the welcome page' }).click()
  await page.waitForURL('**/general?setting=homePage')
  await choice.and(page.locator(':focus')).waitFor()
})

branding('should preview the colour as on pages, and refuse an invalid logo', async () => {
  const page = await browser.open('/admin/settings/branding')
  const color = page.getByRole('textbox', { name: 'Accent colour', exact: true })
  await color.fill('#ffee88')
  await page.getByText('on light pages, to stay readable').waitFor()
  await color.fill('#ffee8')
  await page.getByText('Enter a colour as # and six digits').waitFor()
  await color.fill('#7a1f5c')
  await page.getByText('on light pages, to stay readable').waitFor({ state: 'detached' })
  const choose = (logo: string) =>
    page.getByRole('group', { name: logo, exact: true }).getByLabel('Choose an image')
  const file = choose('Logo')
  await file.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
  await page.getByText('this is not an image').waitFor()
  const large = Buffer.alloc(300_000)
  await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: large })
  await page.getByText('Nothing was changed: this image is 300').waitFor()
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="32">' +
      '<rect width="64" height="32" rx="8" fill="#7a1f5c"/></svg>',
  )
  await file.setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: svg })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const logo = await service.client().get('/logo')
  assert.equal([logo.headers['content-type'], logo.body], ['image/svg+xml', svg])
  assert.is((await config())['accentColor'], '#7a1f5c')

  const light = Buffer.from(svg.toString().replace('#7a1f5c', '#ffffff'))
  const file2 = { name: 'b.svg', mimeType: 'image/svg+xml', buffer: light }
  await choose('Logo for dark pages').setInputFiles(file2)
  const shown = (theme: string) => page.locator(`.pane.${theme} img`).getAttribute('src')
  await page.locator('.logoDark').waitFor()
  await untilIs(() => shown('light'), `data:image/svg+xml;base64,${svg.toString('base64')}`)
  await untilIs(() => shown('dark'), `data:image/svg+xml;base64,${light.toString('base64')}`)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
  assert.equal((await service.client().get('/logo-dark')).body, light)
})
