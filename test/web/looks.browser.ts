// Every view in every look (looks.ts): those of administrators, of accounts, and of people without
// one. A new view needs a row.
import * as assert from 'uvu/assert'
import { Guest, type Client } from '../helpers/client.ts'
import type { Page } from 'playwright-core'
import { enableSecondFactor } from '../accounts/people.ts'
import { browserSuite, startBrowser, type BrowserOptions } from '../helpers/browser.ts'
import { startService } from '../helpers/service.ts'
import { lookAt } from './looks.ts'

const looks = browserSuite('web: looks')

/** The name of a file, cut where it has no room. */
const longName = 'notes of a walk along the harbour at night.txt'

const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off', RATE_LIMIT_LOGIN: 'off' } })
const admin = await service.admin()
const owner = await service.user('a.very.long.address.of.somebody@department.example.org')
await furnishAdministration()
const shareId = await furnishShares()
const requestId = await furnishRequests()

async function furnishAdministration(): Promise<void> {
  await service.user('gone@example.org')
  await enableSecondFactor(service, 'gone@example.org')
  const users = (await admin.get('/api/users')).json<{ id: number; email: string }[]>()
  const gone = users.find(({ email }) => email === 'gone@example.org')
  await admin.put(`/api/users/${gone?.id}`, { disabled: true })
  await admin.post('/api/users/invite', { email: 'new@example.org', name: 'Invited' })
  const json = { blockedExtensions: ['exe', 'bat', 'scr'], accentColor: '#e8b400' }
  await admin.put('/api/config', json)
}

/** Shares in every state, so that every view has content. */
async function furnishShares(): Promise<string> {
  await owner.init({ name: 'Half of a film' })
  const stopped = await owner.share({ a: 'a' }, { name: 'Last year' })
  await owner.post(`/api/shares/${stopped}/stop`)
  const files = { 'beach/one.jpg': 'x'.repeat(70_000), 'beach/two.jpg': 'yy', [longName]: 'z' }
  const name = 'Holiday with a rather long name that has to be broken somewhere'
  const id = await owner.share(files, { name, maxDownloads: 10, recipients: 'oma@example.org' })
  const recipient = service.client()
  assert.is((await recipient.get(`/api/shares/${id}/download`)).status, 200)
  return id
}

async function furnishRequests(): Promise<string> {
  const json = { name: 'Documents', maxSize: 2_000_000_000, requiredFields: ['name'] }
  const { id } = (await owner.post('/api/reverse', json)).json()
  const sender = { senderName: 'Oma', senderEmail: 'oma@example.org', note: 'Here you are!' }
  await new Guest(service.client(), id).deliver({ 'a/scan.pdf': 'x', [longName]: 'y' }, sender)
  await new Guest(service.client(), id).deliver({ c: 'z' }, { senderName: 'Opa' })
  return id
}

type Role = Parameters<Page['getByRole']>[0]
/** What shows that the view is loaded. */
type View = readonly [path: string, shown: Role | { readonly text: string }]

/** Views of one person, or of anybody. */
async function assertReadable(
  client: Client | null,
  options: BrowserOptions,
  views: readonly View[],
  more = async (_page: Page) => {},
): Promise<void> {
  const browser = await startBrowser(service.url, options)
  if (client) await browser.logInAs(client)
  const page = await browser.context.newPage()
  for (const [path, shown] of views) {
    await page.goto(browser.address(path))
    const there = typeof shown === 'string' ? page.getByRole(shown) : page.getByText(shown.text)
    await there.first().waitFor()
    await lookAt(page, path.slice(1).replaceAll(/\W/g, '-') || 'send')
  }
  await more(page)
  assert.equal(await browser.closePages(), [])
  await browser.close()
}

looks('should be readable everywhere in administration', async () => {
  const views: View[] = [
    ['/admin/overview', 'heading'],
    ['/admin/shares', { text: 'Holiday' }],
    ['/admin/audit', { text: 'admin@example.org changed settings' }],
    ['/admin/settings/branding', { text: 'On light pages' }],
    ['/admin/settings/limits', { text: 'Largest share' }],
    ['/admin/settings/files', { text: 'scr' }],
    ['/admin/settings/mail', { text: 'Send test email' }],
    ['/admin/settings/about', { text: 'Licences' }],
    ['/admin/users', { text: 'gone@example.org' }],
  ]
  await assertReadable(admin, {}, views, async (page) => {
    await page.getByRole('button', { name: 'Manage gone@' }).click()
    await page.getByRole('button', { name: 'Delete account…' }).click()
    await page.getByLabel('To confirm').waitFor()
    await lookAt(page, 'delete-account')
    await page.keyboard.press('Escape')
    await page.getByLabel('Select all accounts shown').check()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('skipped:').waitFor()
    await lookAt(page, 'delete-accounts')
  })
})

looks('should be readable everywhere for accounts', async () => {
  await assertReadable(owner, {}, [
    ['/', { text: 'Send files' }],
    ['/account', 'textbox'],
    ['/shares', 'row'],
    [`/shares/${shareId}`, 'listitem'],
    [`/shares/${shareId}/settings`, 'combobox'],
    [`/shares/${shareId}/activity`, 'row'],
    [`/shares/${shareId}/recipients`, 'textbox'],
    ['/requests', 'row'],
    ['/requests/new', 'group'],
    [`/requests/${requestId}`, 'article'],
    [`/requests/${requestId}/settings`, 'group'],
    ['/shares/AAAAAAAAAAAAAAAAAAAAAA', { text: 'Page not found' }],
  ])
})

looks('should be readable everywhere without an account, in German', async () => {
  await assertReadable(null, { language: 'de-DE' }, [
    ['/login', 'textbox'],
    ['/login?forgot', 'heading'],
    [`/s/${shareId}`, 'listitem'],
  ])
})
