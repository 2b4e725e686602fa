import type { Page } from 'playwright-core'
import { browserSuite } from '../helpers/browser.ts'
import { untilCount, untilValue } from '../helpers/reads.ts'
import { until } from '../helpers/until.ts'
import { choose, file, heading, startScene, openOptions } from './sender.ts'

const shortcuts = browserSuite('web: shortcuts')
// Every look takes a while beside other work.

const scene = await startScene(shortcuts)

const list = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })

for (const [path, title] of [
  ['/', 'Send files'],
  ['/shares', 'Shares'],
  ['/requests/new', 'Request files'],
  ['/account/contacts', 'Contacts'],
] as const) {
  shortcuts(`should be listed by ? at ${path}, and return the focus`, async () => {
    const page = await scene.browser.open(path)
    await heading(page, title).waitFor()
    await page.getByRole('link', { name: 'Shares', exact: true }).first().focus()
    await page.keyboard.press('?')
    await list(page).waitFor()
    await page.keyboard.press('Escape')
    await list(page).waitFor({ state: 'detached' })
    const focused = () => page.evaluate<string>('document.activeElement.pathname')
    await until('the focus is back', async () => (await focused()) === '/shares')
  })
}

shortcuts('should ignore keys while typing, and open nothing over a dialog', async () => {
  const page = await scene.browser.open('/')
  await choose(page, [file('a.txt', 'first')])
  await openOptions(page)
  await page.getByLabel('Message').pressSequentially('Really?')
  await page.getByLabel('Download limit').press('?')
  await page.getByText('Uploaded. Private').waitFor()
  await page.getByRole('button', { name: 'Cancel upload' }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('?')
  await page.keyboard.press('Escape')
  await untilValue(page.getByLabel('Message'), 'Really?')
  // A button pressed before has the focus: text does not go in there.
  await page.getByLabel(/^Add( files)?$/).focus()
  await page.keyboard.press('?')
  await list(page).waitFor()
  await untilCount(page.getByRole('dialog'), 1)
})
