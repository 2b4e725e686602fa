import * as assert from 'uvu/assert'
import type { Page } from 'playwright-core'
import { browserSuite, holdRoute } from '../helpers/browser.ts'
import { until, untilCount, untilEqual, untilIs, untilNot, untilValue } from '../helpers/until.ts'
import { lookAt } from './looks.ts'
import { choose, chooseExpiry, chosenExpiry, contents, copied, counted, file } from './sender.ts'
import { heading, link, openOptions, publish, shareIdOf, startScene } from './sender.ts'

const defaults = browserSuite('web: defaults of new shares')
const path = '/api/account/preferences'

const scene = await startScene(defaults)
defaults.after.each(async () => {
  await scene.owner.put(path, {})
})

const heldText = 'The upload starts when you get the link.'
const countShares = async () => (await scene.owner.get('/api/shares')).json<object[]>().length

defaults('should start new shares as set in the profile', async () => {
  const page = await scene.browser.open('/account')
  await page.getByLabel('Expires').selectOption('1 Months')
  await page.getByLabel('Download limit').fill('4')
  await page.getByLabel('Message').fill('Best wishes')
  await page.getByLabel('Message').blur()
  await untilCount(page.getByText('Saved', { exact: true }), 3)
  await lookAt(page, 'profile-defaults')
  // Without a reload: what was saved applies at once.
  await page.getByRole('link', { name: 'Send', exact: true }).click()
  await choose(page, [file('a.txt', 'first')])
  await untilIs(() => chosenExpiry(page), '1 month')
  await untilValue(page.getByLabel('Download limit'), '4')
  await page.getByLabel('Message').fill('')
  await publish(page)
  const share = (await scene.owner.get(`/api/shares/${shareIdOf(page)}`)).json()
  assert.equal([share.message, share.max_downloads], ['', 4])
})

defaults('should change one default and leave the others, changed here or elsewhere', async () => {
  const page = await scene.browser.open('/account')
  await page.getByLabel('Message').fill('Best wishes')
  await scene.owner.put(path, { maxDownloads: 7 })
  const gate = await holdRoute(page, `**${path}`)
  await page.getByLabel('Message').blur()
  await page.getByLabel('Expires').selectOption('1 Months')
  gate.open()
  await untilCount(page.getByText('Saved', { exact: true }), 2)
  const { maxDownloads, message, expirationUnit } = (await scene.owner.get(path)).json()
  assert.equal([maxDownloads, message, expirationUnit], [7, 'Best wishes', 'Months'])
  await untilValue(page.getByLabel('Download limit'), '7')
})

/** The initial fields for a file chosen in this page. */
async function begin(page: Page): Promise<string[]> {
  await page.goto(scene.browser.address('/'))
  await choose(page, [file('b.txt', 'second')])
  await openOptions(page)
  const fields = [page.getByLabel('Download limit'), page.getByLabel('Message')]
  const values = await Promise.all(fields.map((field) => field.inputValue()))
  return [(await chosenExpiry(page))!, ...values]
}

defaults('should inherit the expiry of the last share, but nothing else', async () => {
  const page = await scene.browser.open('/')
  await page.evaluate('localStorage.clear()')
  await choose(page, [file('a.txt', 'first')])
  await chooseExpiry(page, '30 days')
  await openOptions(page)
  await page.getByLabel('Download limit').fill('12')
  await page.getByLabel('Message').fill('For you')
  await page.getByLabel('Title').fill('Mine')
  await page.getByLabel('Custom link').fill('only-mine')
  await page.getByRole('switch', { name: 'Password' }).check()
  await page.getByRole('textbox', { name: 'Password' }).fill('secret-words')
  // Settings of a draft that is never sent do not count, but for that it has a password.
  await page.getByText('Uploaded. Private').waitFor()
  await untilIs(() => page.evaluate('Object.keys(localStorage).join()'), 'protected-draft')
  await publish(page)
  const kept = await page.evaluate<string>('JSON.stringify(localStorage)')
  assert.not.match(kept, /secret|only-mine|Mine|For you/)
  assert.equal(await begin(page), ['30 days', '', ''])
  await untilValue(page.getByLabel('Title'), 'b')
  await untilNot(() => page.getByRole('switch', { name: 'Password' }).isChecked())
  // The profile takes precedence.
  const json = { expirationVal: 2, expirationUnit: 'Weeks', maxDownloads: 5, message: 'Yours' }
  await scene.owner.put(path, json)
  assert.equal(await begin(page), ['2 weeks', '5', 'Yours'])
  await page.evaluate('localStorage.clear()')
})

defaults('should send nothing before the link is requested, where that was chosen', async () => {
  await scene.owner.put(path, { startRightAway: false })
  const before = await countShares()
  const page = await scene.browser.open('/')
  await choose(page, [file('a.txt', 'first'), file('b.txt', 'second')])
  await page.getByText(heldText).waitFor()
  await choose(page, [file('c.txt', 'third')])
  await page.getByRole('button', { name: 'Remove b.txt' }).click()
  await counted(page, '2 files · 10 bytes').waitFor()
  await page.getByLabel('Title').fill('Letters')
  await openOptions(page)
  await page.getByLabel('Message').fill('For you')
  await page.getByLabel('Message').blur()
  assert.is(await countShares(), before)
  await lookAt(page, 'send-held')
  await publish(page)
  await until(async () => assert.is(await copied(page), await link(page).inputValue()))
  await untilEqual(() => contents(scene, shareIdOf(page)), { 'a.txt': 'first', 'c.txt': 'third' })
  const share = (await scene.owner.get(`/api/shares/${shareIdOf(page)}`)).json()
  assert.equal([share.name, share.message], ['Letters', 'For you'])
  // The next one waits again.
  await page.getByRole('link', { name: 'Send another' }).click()
  await choose(page, [file('d.txt', 'fourth')])
  await page.getByText(heldText).waitFor()
})

defaults('should hold back when saving data', async () => {
  const page = await scene.browser.context.newPage()
  await page.addInitScript(`Object.defineProperty(navigator, 'connection', {
    value: { saveData: true },
  })`)
  await page.goto(scene.browser.address('/'))
  await heading(page, 'Send files').waitFor()
  await choose(page, [file('a.txt', 'first')])
  await page.getByText(heldText).waitFor()
  await publish(page)
})
