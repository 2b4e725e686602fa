import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite, startBrowser } from '../helpers/browser.ts'
import { adminPassword } from '../helpers/service.ts'
import { untilCount, untilEqual, untilIs, untilValue } from '../helpers/reads.ts'
import { until } from '../helpers/until.ts'
import { startScene } from './sender.ts'

const people = browserSuite('web: accounts in administration')

const scene = await startScene(people, {
  as: 'admin',
  mail: false,
  browser: { onLan: true },
})
const { service, owner: client, browser } = scene

const users = async () => (await client.get('/api/users')).json<any[]>()
const userCalled = async (email: string) => (await users()).find((user) => user.email === email)
async function manage(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Manage ${name}`, exact: true }).click()
  await page.getByRole('dialog').waitFor()
}

people('should add an account by keyboard, with a generated password to copy', async () => {
  const page = await browser.open('/admin/users')
  await page.getByRole('button', { name: 'Add account' }).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Name').focus()
  await page.keyboard.type('Ann Other')
  await page.keyboard.press('Tab')
  await page.keyboard.type('ann@example.org')
  await page.getByLabel('Set the password yourself').press('Space')
  await page.getByRole('button', { name: 'Generate a password' }).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Name').press('Enter')
  await page.getByRole('heading', { name: 'Account created for Ann Other.' }).waitFor()
  const password = await page.getByLabel('Password', { exact: true }).inputValue()
  assert.match(password, /^([a-z2-9]{4}-){2}[a-z2-9]{4}$/)
  await page.getByText('No email is sent').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('rowheader', { name: 'Ann Other' }).waitFor()
  await until(async () => assert.is((await userCalled('ann@example.org'))?.is_admin, false))
  const origin = { ip: '127.0.0.1', userAgent: 'test' }
  const { kind } = await service.app.services.auth.signIn('ann@example.org', password, origin)
  assert.is(kind, 'logged_in')
})

people('should change an account, and find it by search', async () => {
  const page = await browser.open('/admin/users?q=ANN@')
  await page.getByRole('rowheader', { name: 'Ann Other' }).waitFor()
  await untilCount(page.getByRole('rowheader'), 1)
  await manage(page, 'Ann Other')
  await page.getByLabel('Name').fill('Ann')
  await page.getByLabel('Can administer').check()
  // Changed by another administrator meanwhile.
  const { id } = await userCalled('ann@example.org')
  await client.put(`/api/users/${id}`, { quota: 5_000_000_000 })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('rowheader', { name: 'Ann Administrator' }).waitFor()
  await until(async () => assert.is((await userCalled('ann@example.org'))?.is_admin, true))
  assert.is((await userCalled('ann@example.org')).quota, 5_000_000_000)

  await page.getByLabel('Search accounts').fill('nobody')
  await page.getByText('No results').waitFor()
})

people('should invite a person, who sets a password and is signed in', async () => {
  const page = await browser.open('/admin/users')
  await page.getByRole('button', { name: 'Add account' }).click()
  await page.getByLabel('Name').fill('Inga')
  await page.getByLabel('Email').fill('inga@example.org')
  await page.getByLabel('Space', { exact: true }).selectOption('Custom limit')
  await page.getByRole('spinbutton', { name: 'Custom limit: number' }).fill('1.5')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('heading', { name: 'Inga is invited.' }).waitFor()
  const first = await page.getByLabel('Link', { exact: true }).inputValue()
  await page.keyboard.press('Escape')
  await page.getByRole('rowheader', { name: 'Inga Invited' }).waitFor()
  await page.getByText('0 bytes of 1.5 GB').waitFor()
  await manage(page, 'Inga')
  await page.getByRole('button', { name: 'Invite again' }).click()
  await page.getByRole('heading', { name: 'Inga is invited.' }).waitFor()
  const link = await page.getByLabel('Link', { exact: true }).inputValue()
  assert.is.not(link, first)

  const guest = await startBrowser(service.url, { onLan: true })
  const at = (address: string) => guest.open(address.replace('http://transfer.test', ''))
  const old = await at(first)
  await old.getByText('no longer valid').waitFor()
  const welcome = await at(link)
  await welcome.getByRole('heading', { name: 'Welcome, Inga' }).waitFor()
  await untilValue(welcome.getByLabel('Email'), 'inga@example.org')
  await welcome.getByLabel('New password').fill('one of my own')
  await welcome.keyboard.press('Enter')
  await welcome.waitForURL(guest.address('/'))
  await welcome.getByRole('heading', { level: 1 }).waitFor()
  assert.equal(guest.problems.splice(0), [])
  await guest.close()
  await until(async () => assert.is((await userCalled('inga@example.org'))?.quota, 1.5e9))
  await page.reload()
  await page.getByRole('rowheader', { name: /^Inga inga/ }).waitFor()
})

people('should hand shares over when an account is deleted by typing its name', async () => {
  const leaver = await service.user('leaver@example.org')
  const shareId = await leaver.share({ 'a.txt': 'content' }, { name: 'Inheritance' })
  const name = String((await userCalled('leaver@example.org'))?.name)
  const page = await browser.open('/admin/users?q=leaver')
  await manage(page, name)
  await page.getByRole('button', { name: 'Delete account…' }).click()
  await page.getByRole('heading', { name: `Delete the account of ${name}?` }).waitFor()
  const button = page.getByRole('button', { name: 'Delete', exact: true })
  await untilIs(() => button.getAttribute('aria-disabled'), 'true')
  await button.click({ force: true })
  const heirs = page.getByLabel('What happens')
  await untilCount(heirs.getByRole('option', { name: 'leaver@example.org' }), 0)
  await heirs.selectOption({ label: 'Transfer them to admin@example.org' })
  await page.getByLabel('To confirm').fill(name)
  await page.keyboard.press('Enter')
  await page.getByText(`Deleted “${name}”.`).waitFor()
  await untilIs(() => userCalled('leaver@example.org'), undefined)
  const kept = (await client.get('/api/shares')).json<{ id: string }[]>()
  assert.ok(kept.some(({ id }) => id === shareId))
})

people('should disable, enable and delete several accounts, and report each result', async () => {
  const names = ['one', 'two', 'three']
  for (const name of names) await service.user(`bulk-${name}@example.org`)
  const left = async () => (await users()).filter(({ email }) => email.startsWith('bulk-'))
  const page = await browser.open('/admin/users?q=bulk-')
  await page.getByRole('rowheader').nth(2).waitFor()
  await page.getByLabel('Select all accounts shown').press('Space')
  await page.getByText('3 accounts selected').waitFor()
  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable 3 accounts' }).click()
  await page.getByText('bulk-one@example.org done').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await until(async () => assert.ok((await left()).every(({ disabled }) => disabled)))

  const [first] = await left()
  await client.put(`/api/users/${first?.id}`, { disabled: false })
  await page.reload()
  await page.getByLabel('Select all accounts shown').check()
  await page.getByRole('button', { name: 'Enable' }).click()
  await page.getByText('already enabled').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Enable 2 accounts' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await until(async () => assert.ok((await left()).every(({ disabled }) => !disabled)))

  await page.getByRole('button', { name: 'Delete' }).click()
  const doIt = page.getByRole('dialog').getByRole('button', { name: 'Delete 3 accounts' })
  await untilIs(() => doIt.getAttribute('aria-disabled'), 'true')
  // Another administrator deletes one of them first.
  await client.delete(`/api/users/${first?.id}`)
  await page.getByLabel('What happens').selectOption('Delete them with the account')
  await page.getByLabel('type the number').fill('3')
  await page.keyboard.press('Enter')
  await page.getByText(`${first?.email} There is nothing here.`).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).waitFor()
  await untilCount(page.getByRole('listitem').filter({ hasText: /done$/ }), 2)
  await untilEqual(() => left(), [])
})

people('should ask an old session for the password before a change, and continue', async () => {
  const page = await browser.open('/admin/users')
  service.clock.advance(60 * 60_000)
  await page.getByRole('button', { name: 'Add account' }).click()
  await page.getByLabel('Name').fill('Chief')
  await page.getByLabel('Email').fill('chief@example.org')
  await page.getByLabel('Can administer').check()
  const invite = page.getByRole('button', { name: 'Invite', exact: true })
  await invite.click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await dialog.getByLabel('Password').fill('wrong')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.getByText('The current password is wrong.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Nothing was changed: this needs proof that it’s you.').waitFor()
  await untilIs(() => userCalled('chief@example.org'), undefined)
  await invite.click()
  await dialog.getByLabel('Password').fill(adminPassword)
  await page.keyboard.press('Enter')
  await until('the account is there', async () => {
    return (await userCalled('chief@example.org'))?.is_admin === true
  })
})
