import * as assert from 'uvu/assert'
import type { Page } from 'playwright-core'
import { operator } from '../../src/lib/actor.ts'
import { axeViolations, browserSuite, signInAt } from '../helpers/browser.ts'
import { until, untilCount, untilValue } from '../helpers/until.ts'
import { startScene } from './sender.ts'

const signUp = browserSuite('web: sign-up')
const password = 'a password of my own'

const scene = await startScene(signUp, { as: 'nobody', env: { RATE_LIMIT_RESET: 'off' } })
const { service, browser, mailServer: server } = scene
const admin = await service.admin()

const choose = (kind: string) => service.app.services.settings.update(operator, { signUp: kind })
const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()

/** From the sign-in page to the form behind the link, in the same tab. */
async function openLink(email: string): Promise<Page> {
  const page = await browser.open('/login')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByLabel('Email').fill(email)
  await page.keyboard.press('Enter')
  await page.getByText('Check your email.').waitFor()
  await until(() => server.received.some(({ to }) => to[0] === email))
  const { text } = server.received.findLast(({ to }) => to[0] === email)!
  await page.goto(browser.address(/\/sign-up#token=\S+/.exec(text)![0]))
  await page.getByLabel('Name').fill('Ann Other')
  await untilValue(page.getByLabel('Email'), email)
  await page.getByLabel('New password').fill(password)
  return page
}

signUp('should show no way to sign up while it is off', async () => {
  const page = await browser.open('/login')
  await page.getByLabel('Email').waitFor()
  const link = page.getByRole('link', { name: 'Create an account' })
  await untilCount(link, 0)
  await page.goto(browser.address('/sign-up'))
  await page.getByText('You cannot create an account here yourself.').waitFor()
})

signUp('should create an account from an emailed link, and say when it was used', async () => {
  await choose('open')
  const page = await openLink('ann@example.org')
  assert.equal(await axeViolations(page), [])
  const link = page.url()
  await page.getByRole('button', { name: 'Create account' }).click()
  await heading(page, 'Send')
  await page.goto(link)
  await page.getByText('You are already signed in.').waitFor()
  await browser.context.clearCookies()
  await page.reload()
  await page.getByText('An account with this address already exists.').waitFor()
})

signUp('should wait for an administrator, who approves with one click', async () => {
  await choose('approval')
  for (const email of ['bob@example.org', 'carol@example.org']) {
    const page = await openLink(email)
    await page.getByText('An administrator approves new accounts.').waitFor()
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('An administrator has to approve your account.').waitFor()
  }
  const signIn = await browser.open('/login')
  await signInAt(signIn, 'bob@example.org', password)
  await signIn.getByText('An administrator has to approve your account first.').waitFor()

  await browser.logInAs(admin)
  const overview = await browser.open('/admin/overview')
  await heading(overview, '2 people wait for approval')
  await overview.getByRole('button', { name: 'Approve Ann Other' }).first().click()
  await heading(overview, '1 person waits for approval')
  const users = await browser.open('/admin/users')
  await users.getByText('Waiting for approval').waitFor()
  assert.equal(await axeViolations(users), [])
  await users.getByRole('button', { name: 'Decline Ann Other' }).click()
  await users.getByText('Request declined: Ann Other').waitFor()
  await untilCount(users.getByText('carol@example.org'), 0)

  await browser.context.clearCookies()
  await signIn.reload()
  await signInAt(signIn, 'bob@example.org', password)
  await heading(signIn, 'Send')
})

signUp('should not delete an account that was approved before it was declined', async () => {
  await browser.context.clearCookies()
  const page = await openLink('dora@example.org')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('An administrator has to approve your account.').waitFor()
  await browser.logInAs(admin)
  const users = await browser.open('/admin/users')
  const decline = users.getByRole('button', { name: 'Decline Ann Other' })
  await decline.waitFor()
  const listed = async () => (await admin.get('/api/users')).json<{ id: number; email: string }[]>()
  const known = await listed()
  const { id } = known.find(({ email }) => email === 'dora@example.org')!
  await admin.put(`/api/users/${id}`, { disabled: false })
  await decline.click()
  await untilCount(decline, 0)
  assert.is((await listed()).length, known.length)
})
