import * as assert from 'uvu/assert'
import { browserSuite, dropOn, stopClock } from '../helpers/browser.ts'
import type { Client } from '../helpers/client.ts'
import { untilCount, untilIs, untilOk, untilValue } from '../helpers/until.ts'
import { choose, file, more, openOptions, row, startScene } from './sender.ts'

const shell = browserSuite('web: around every view')

let owner: Client

const { service, browser, newOwner } = await startScene(shell, { mail: false })
shell.before.each(async () => {
  owner = await newOwner()
})

shell('should delete before it signs out, and stay signed in when that fails', async () => {
  const shareId = await owner.share({ a: 'a' }, { name: 'Last' })
  const page = await browser.openWithClock('/shares')
  await row(page, 'Last').waitFor()
  await stopClock(page)
  const leave = async () => {
    await more(page, 'Last')
    await page.getByRole('button', { name: 'Delete share' }).click()
    await row(page, 'Last').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
  }
  await page.route('**/api/shares/*', (route) => route.abort())
  await leave()
  await row(page, 'Last').waitFor()
  await page.getByRole('banner').getByRole('alert').getByText('could not be reached').waitFor()
  await page.unrouteAll()
  await leave()
  await page.waitForURL('**/login')
  const recipient = service.client()
  assert.is((await recipient.get(`/api/public/shares/${shareId}`)).status, 404)
})

shell('should keep the focus in the view when the focused element goes', async () => {
  const shareId = await owner.share({ 'a.txt': 'a', 'b.txt': 'b' }, { name: 'Holiday' })
  const page = await browser.open(`/shares/${shareId}/files`)
  await page.getByRole('button', { name: 'Remove a.txt' }).focus()
  await page.keyboard.press('Enter')
  await page.locator(':focus[aria-label="Remove b.txt"]').waitFor()
  await page.keyboard.press('Enter')
  await page.locator('h1:focus').waitFor()
  // The undone element goes, too.
  await page.getByRole('button', { name: 'Undo' }).first().focus()
  await page.keyboard.press('Enter')
  await page.locator('h1:focus').waitFor()
})

shell('should keep a toast for as long as the pointer or focus is on it', async () => {
  await owner.share({ a: 'a' }, { name: 'Slow' })
  const page = await browser.openWithClock('/shares')
  await row(page, 'Slow').waitFor()
  await stopClock(page)
  await more(page, 'Slow')
  await page.getByRole('button', { name: 'Delete share' }).click()
  const undo = page.getByRole('button', { name: 'Undo' })
  const stays = async () => {
    await page.clock.runFor(60_000)
    await untilOk(() => undo.isVisible())
  }
  await undo.focus()
  await stays()
  // The pointer leaves, the keyboard focus is still there.
  await undo.hover()
  await page.mouse.move(0, 0)
  await stays()
  await page.getByRole('heading', { name: 'Shares' }).focus()
  await page.clock.runFor(9000)
  await undo.hover()
  await stays()
  await page.mouse.move(0, 0)
  await page.clock.runFor(9000)
  await untilOk(() => undo.isVisible())
  await page.clock.runFor(2000)
  await undo.waitFor({ state: 'detached' })
})

shell('should stay where it is when it could not start or sign out, and say so', async () => {
  const page = await browser.open('/shares')
  const fail = { status: 500, json: { error: 'Broken', code: 'internal' } }
  await page.route('**/api/auth/oidc/sign-out', (route) => route.fulfill(fail))
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByText(/^owner-\d+@example.org$/).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('alert').getByText('Broken').waitFor()
  await page.route('**/api/account', (route) => route.fulfill(fail))
  await page.reload()
  await page.getByRole('alert').getByText('Broken').waitFor()
  await page.getByRole('heading', { level: 1, name: 'This page could not be opened' }).waitFor()
  assert.ok(page.url().endsWith('/shares'))
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Nothing shared yet.').waitFor()
  await page.getByRole('button', { name: 'Account' }).press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
  await page.getByRole('button', { name: 'Account' }).press('Enter')
  await page.getByRole('button', { name: 'Sign out' }).press('Enter')
  await page.waitForURL('**/login')
})

shell('should say that it waits when it cannot start yet, and start by itself', async () => {
  const page = await browser.open('/shares')
  await page.route('**/api/account', (route) => route.fulfill({ status: 502, body: 'no JSON' }))
  await page.reload()
  await page.getByRole('status').getByText('No connection.').waitFor()
  await page.unrouteAll()
  await page.getByText('Nothing shared yet.').waitFor()
  await page.getByText('Connected again.').waitFor()
})

shell('should reload a view that failed to load, without leaving the page', async () => {
  const chief = await service.user('chief@example.org', { isAdmin: true })
  await browser.logInAs(chief)
  const page = await browser.open('/')
  await page.getByRole('heading', { name: 'Send files' }).waitFor()
  await page.evaluate('globalThis.isSame = true')
  await page.route('**/part-*', (route) => route.abort())
  await page.getByRole('link', { name: 'Admin', exact: true }).first().click()
  const again = page.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  await page.unrouteAll()
  await again.click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await untilOk(() => page.evaluate('globalThis.isSame'))
})

shell('should stay in the app when a file is dropped outside of a drop zone', async () => {
  const page = await browser.open('/shares')
  await page.getByText('Nothing shared yet.').waitFor()
  await dropOn(page, import.meta.filename)
  await page.getByRole('link', { name: 'Send files' }).click()
  await page.getByRole('heading', { name: 'Send files' }).waitFor()
})

shell('should list the shortcuts by ?, but not while typing or over a dialog', async () => {
  const page = await browser.open('/')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await page.getByRole('link', { name: 'Shares', exact: true }).first().focus()
  await page.keyboard.press('?')
  await list.waitFor()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  await untilIs(() => page.evaluate('document.activeElement.pathname'), '/shares')
  await choose(page, [file('a.txt', 'first')])
  await openOptions(page)
  await page.getByLabel('Message').pressSequentially('Really?')
  await page.getByText('Uploaded. Private').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('?')
  await page.keyboard.press('Escape')
  await untilValue(page.getByLabel('Message'), 'Really?')
  await untilCount(list, 0)
})
