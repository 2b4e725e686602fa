import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import type { Client } from '../helpers/client.ts'
import { browserSuite, scrollsSideways, startBrowser } from '../helpers/browser.ts'
import { enableSecondFactor } from '../helpers/second-factor.ts'
import { startService, type Service } from '../helpers/service.ts'
import { inEveryLook } from './looks.ts'

const looks = browserSuite('web: looks of administration')
// Every look of all views in one test.

let service: Service
let client: Client

looks.before(async () => {
  service = await startService()
  client = await service.admin()
  const owner = await service.user('a.very.long.address.of.somebody@department.example.org')
  await service.user('gone@example.org')
  await enableSecondFactor(service, 'gone@example.org')
  const gone = (await client.get('/api/users')).json<{ id: number; email: string }[]>()[0]
  await client.call('PUT', `/api/users/${gone?.id}`, { json: { disabled: true } })
  await client.post('/api/users/invite', { email: 'new@example.org', name: 'Invited' })
  await owner.share({ 'a.bin': 'x'.repeat(70_000) }, { name: 'Holiday in the mountains 2026' })
  await client.share({ 'b.txt': 'content' })
  const json = { blockedExtensions: ['exe', 'bat', 'scr'], accentColor: '#e8b400' }
  await client.call('PUT', '/api/config', { json })
})
looks.after(() => service.stop())

const keyPattern = new RegExp(
  '\\b(admin|audit|chart|events?|overview|problem|running|shares|status|users|settings?|set)' +
    '\\.[a-z]',
)

/** Each view, and a text that shows it is loaded. */
const views = [
  ['users', 'gone@example.org'],
  ['shares', 'Holiday in the mountains 2026'],
  ['audit', 'admin@example.org changed settings'],
  ['settings/branding', 'On light pages'],
  ['settings/limits', 'Largest share'],
  ['settings/files', 'scr'],
  ['settings/mail', 'Send test email'],
  ['settings/storage', 'Test the disk'],
  ['settings/about', 'preact'],
] as const

async function show(page: Page, address: string, view: string, text: string): Promise<void> {
  await page.goto(address)
  await page.getByText(text).first().waitFor()
  assert.is(await page.locator('h1').count(), 1, view)
}

looks('should be readable everywhere, with its dialogs', async () => {
  await inEveryLook(service.url, {}, async (browser, check) => {
    await browser.logInAs(client)
    const page = await browser.context.newPage()
    for (const [view, text] of views) {
      await show(page, browser.address(`/admin/${view}`), view, text)
      await check(page, view.replace('/', '-'))
    }
    await page.goto(browser.address('/admin/users'))
    await page.getByRole('button', { name: 'Manage Admin' }).click()
    await page.getByRole('dialog').waitFor()
    await check(page, 'manage')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Manage gone@' }).click()
    await page.getByRole('button', { name: 'Delete account…' }).click()
    await page.getByLabel('To confirm').waitFor()
    await check(page, 'delete')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add account' }).click()
    await check(page, 'add')
    await page.keyboard.press('Escape')
    await page.getByLabel('Select all accounts shown').check()
    await page.getByText('accounts selected').waitFor()
    await check(page, 'selected')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('skipped:').waitFor()
    await check(page, 'bulk')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Manage Invited' }).click()
    await page.getByRole('button', { name: 'Invite again' }).click()
    await page.getByText('No email was sent').waitFor()
    await check(page, 'invited')
  })
})

looks('should be complete in German', async () => {
  const browser = await startBrowser(service.url, { width: 320, language: 'de-DE' })
  await browser.logInAs(client)
  const page = await browser.context.newPage()
  const german = [
    ['users', 'Konto anlegen'],
    ['shares', 'Alle Freigaben'],
    ['audit', 'hat Einstellungen geändert'],
    ['overview', 'Technische Einzelheiten'],
    ['settings/general', 'Zeitzone'],
    ['settings/branding', 'Akzentfarbe'],
    ['settings/limits', 'Größte Freigabe'],
    ['settings/files', 'Dateityp hinzufügen'],
    ['settings/mail', 'SMTP-Server'],
    ['settings/sign-in', 'Anmeldung in zwei Schritten verlangen'],
    ['settings/storage', 'ZIP-Downloads komprimieren'],
  ] as const
  for (const [view, text] of german) {
    await show(page, browser.address(`/admin/${view}`), view, text)
    assert.not(await scrollsSideways(page), view)
    // A missing text shows its key.
    const shown = await page.locator('main').innerText()
    assert.not.match(shown, keyPattern, view)
  }
  assert.equal(browser.problems, [])
  await browser.close()
})

looks.run()
