import * as assert from 'uvu/assert'
import { browserSuite, holdRoute } from '../helpers/browser.ts'
import { until, untilCount, untilIs, untilValue } from '../helpers/until.ts'
import { startMailServer } from '../email/mail-server.ts'
import { startScene } from './sender.ts'

const admin = browserSuite('web: administration')

const scene = await startScene(admin, { as: 'admin', mail: false, browser: { onLan: true } })
const { service, owner: client, browser } = scene

const config = async () => (await client.get('/api/config')).json<Record<string, unknown>>()

admin('should save a section in common units, and mark and reset changed settings', async () => {
  const page = await browser.open('/admin/settings/limits')
  const size = page.getByRole('group', { name: 'Largest file' })
  await size.getByRole('spinbutton').fill('2.5')
  await page.getByRole('group', { name: 'Links expire after' }).getByRole('spinbutton').fill('')
  await page.getByLabel('Largest upload chunk (MiB)').fill('64')
  await page.getByText('Unsaved changes').waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Saved', { exact: true }).waitFor()
  const { maxFileSize, defaultExpirationVal, maxChunkSize } = await config()
  assert.equal([maxFileSize, defaultExpirationVal, maxChunkSize], [2.5e9, 0, 64 * 2 ** 20])
  await untilCount(page.getByText('Unsaved changes'), 0)
  await untilCount(page.getByRole('button', { name: /^Reset / }), 3)

  await page.reload()
  await untilValue(size.getByRole('spinbutton'), '2500')
  await untilValue(size.getByRole('combobox'), 'MB')
  for (const name of ['Largest file', 'Links expire after', 'Largest upload chunk (MiB)']) {
    await page.getByRole('button', { name: `Reset ${name}` }).click()
  }
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  assert.is((await config())['maxFileSize'], 0)
  await untilCount(page.getByRole('button', { name: /^Reset / }), 0)
})

admin('should save a file type that is not added yet, and keep a size between units', async () => {
  await client.put('/api/config', { maxChunkSize: 1.5 * 2 ** 20 })
  const page = await browser.open('/admin/settings/files')
  await page.getByLabel('Add file type').first().fill('scr')
  await page.getByLabel('Add file type').first().blur()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await until(async () => assert.equal((await config())['blockedExtensions'], ['scr']))
  await page.goto(browser.address('/admin/settings/limits'))
  await page.getByRole('group', { name: 'Largest file' }).getByRole('spinbutton').fill('3')
  await page.keyboard.press('Enter')
  await page.getByText('Saved', { exact: true }).waitFor()
  const { maxFileSize, maxChunkSize } = await config()
  assert.equal([maxFileSize, maxChunkSize], [3e9, 1.5 * 2 ** 20])
  const usual = { maxFileSize: 0, maxChunkSize: 100 * 2 ** 20, blockedExtensions: [] }
  await client.put('/api/config', usual)
})

admin('should keep input typed while settings are being saved', async () => {
  const page = await browser.open('/admin/settings/branding')
  const name = page.getByRole('textbox', { name: 'Service name' })
  const ground = page.getByRole('textbox', { name: 'Background colour', exact: true })
  await name.waitFor()
  const gate = await holdRoute(page, '**/api/config')
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  await name.fill('First')
  await page.keyboard.press('Enter')
  await sent
  await name.fill('Second')
  await ground.fill('#123456')
  gate.open()
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.getByText('Unsaved changes').waitFor()
  assert.is((await config())['appName'], 'First')
  await untilValue(name, 'Second')
  await untilValue(ground, '#123456')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await untilValue(name, 'First')
})

admin('should ask before unsaved changes are lost, within the app and in the history', async () => {
  const page = await browser.open('/admin/users')
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Sign-in' }).click()
  await page.getByLabel('End sessions after (days)', { exact: true }).fill('60')
  await page.getByRole('link', { name: 'Limits' }).click()
  await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor()
  await page.keyboard.press('Escape')
  await untilValue(page.getByLabel('End sessions after (days)', { exact: true }), '60')
  await page.evaluate('history.back()')
  await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor()
  await page.waitForURL('**/admin/settings/sign-in')
  const discard = page.getByRole('dialog').getByRole('button', { name: 'Discard changes' })
  await discard.click()
  await page.getByRole('heading', { name: 'General', level: 1 }).waitFor()
  assert.is((await config())['sessionLifeDays'], 30)
})

admin('should require the SMTP password again for another mail server', async () => {
  const client = await service.admin()
  const put = (json: object) => client.put('/api/config', json)
  assert.is((await put({ smtpHost: 'mail.example.org', smtpPassword: 'hunter2' })).status, 200)
  const page = await browser.open('/admin/settings/mail')
  const host = page.getByLabel('SMTP server', { exact: true })
  await host.fill('new.example.org')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  await page.locator('[data-refused]').getByLabel('Password', { exact: true }).fill('typed again')
  await page.keyboard.press('Enter')
  await page.getByText('Saved', { exact: true }).waitFor()
  assert.is((await config())['smtpHost'], 'new.example.org')
  assert.is((await put({ smtpHost: '', smtpPassword: '' })).status, 200)
})

admin("should send a test email with saved settings, and show the server's answer", async () => {
  const server = await startMailServer()
  const page = await browser.open('/admin/settings/mail')
  await page.getByLabel('SMTP server').fill('127.0.0.1')
  await page.getByLabel('Port').fill(String(server.port))
  await page.getByLabel('Encryption').selectOption('none')
  await page.getByLabel('Sender address', { exact: true }).fill('files@example.org')
  const send = page.getByRole('button', { name: 'Send test email' })
  await page.getByText('Save your changes first').waitFor()
  await send.click({ force: true })
  assert.equal(server.received, [])
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await send.click()
  await page.getByText('The SMTP server accepted the email:').waitFor()
  assert.equal(server.recipients(), ['admin@example.org'])
  await server.stop()
  await send.click()
  await page.getByText('The email was not sent:').waitFor()
})

admin('should show the log as sentences, filtered by the address, and in pages', async () => {
  const owner = await service.user('owner@example.org')
  for (let count = 0; count < 101; count += 1) {
    await client.put('/api/config', { sessionLifeDays: 1 + count })
  }
  await owner.delete(`/api/shares/${await owner.share({ a: 'a' }, { name: 'Holiday' })}`)
  const page = await browser.open('/admin/audit')
  const sentence = page.getByText('owner@example.org deleted the share “Holiday”')
  await sentence.waitFor()
  await page.getByText('changed settings: End sessions after (days)').first().waitFor()
  await untilCount(page.locator('tbody details'), 100)
  await page
    .getByRole('rowheader', { name: /^\w{3},? \w+ \w+(, \d+)?$/ })
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.locator('tbody details').nth(101).waitFor()
  await sentence.click()
  await page.getByText('event: share.deleted').waitFor()

  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Event').selectOption({ label: 'Shares' })
  await page.getByText('changed settings').first().waitFor({ state: 'detached' })
  await page.getByLabel('Actor (email)').fill('owner@example.org')
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.search === '?event=share.&actor=owner%40example.org')
  await page.getByRole('button', { name: 'Download' }).click()
  const csv = page.getByRole('link', { name: 'Download as CSV' })
  const wanted = '/api/audit.csv?event=share.&actor=owner%40example.org'
  await untilIs(() => csv.getAttribute('href'), wanted)
  await page.keyboard.press('Escape')
  await page.getByLabel('Result').selectOption('Refused')
  await page.getByText('No results').waitFor()
  await page.getByLabel('Result').selectOption('Succeeded')
  await sentence.waitFor()
  await page.getByLabel('Actor (email)').fill('nobody@example.org')
  await page.keyboard.press('Enter')
  await page.getByText('No results').waitFor()
  await page.getByRole('link', { name: 'Audit log' }).first().click()
  await sentence.waitFor()
  await untilValue(page.getByLabel('Actor (email)'), '')
  await untilValue(page.getByLabel('Result'), '')
})

admin('should list the shares of all accounts, and delete one after confirmation', async () => {
  const owner = await service.user('sharer@example.org')
  const shareId = await owner.share({ 'a.txt': 'content' }, { name: 'Plans' })
  service.clock.advance(1000)
  await owner.share({ 'b.txt': 'b', 'c.txt': 'c' })
  service.clock.advance(1000)
  const draft = await owner.init({ name: 'Draft' })
  await owner.patch(`/api/shares/${draft}`, { expectedBytes: 7 })
  await owner.chunk(draft, 'f', 0, 'content')
  const page = await browser.open('/admin/shares?search=sharer@')
  const rows = page.getByRole('row')
  for (const [name, shown] of [
    ['Draft', /Ready, no link yet.*7\sbytes/],
    ['b.txt +1', /2 files · 2\sbytes/],
    ['Plans', /sharer@example.org.*1 file · 7\sbytes/],
  ] as const) {
    await rows.filter({ hasText: name }).filter({ hasText: shown }).waitFor()
  }
  await untilCount(page.getByRole('rowheader'), 3)
  await page.getByRole('button', { name: 'Delete: Plans' }).click()
  await page.getByText('“Plans” by sharer@example.org').waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('Deleted “Plans”.').waitFor()
  await untilCount(page.getByRole('rowheader'), 2)
  assert.is((await service.client().get(`/api/public/shares/${shareId}`)).status, 404)
})

admin('should list its parts on phones, each with the way back to them', async () => {
  const page = await browser.open('/admin')
  await page.waitForURL('**/admin/overview')
  await page.setViewportSize({ width: 390, height: 844 })
  for (const name of ['Administration', 'Settings', 'Email', 'Settings', 'Administration']) {
    await page.getByRole('main').getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
  }
})

admin('should show none of it to other accounts', async () => {
  const other = await scene.another(await service.user('plain@example.org'))
  const page = await other.open('/admin/users')
  for (const path of ['/admin/users', '/shares/unknown', '/requests/unknown']) {
    await page.goto(other.address(path))
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  }
  await untilCount(page.getByRole('link', { name: 'Admin' }), 0)
})
