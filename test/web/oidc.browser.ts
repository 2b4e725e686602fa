import * as assert from 'uvu/assert'
import type { Page } from 'playwright-core'
import { axeViolations, browserSuite, startBrowser } from '../helpers/browser.ts'
import { startFront } from '../helpers/front.ts'
import { startRealProvider } from '../helpers/real-provider.ts'
import { startService } from '../helpers/service.ts'
import { untilCount, untilValue } from '../helpers/until.ts'

const oidc = browserSuite('web: sign-in providers')

const front = await startFront(() => service.url)
const env = { RATE_LIMIT_LOGIN: 'off', BASE_URL: front.url }
const service = await startService({ env, acceptsHttpProviders: true })
const ada = { email: 'ada@example.org', email_verified: true, name: 'Ada' }
const bob = { email: 'bob@example.org', email_verified: false }
const provider = await startRealProvider(front.url, { ada, bob })
const browser = await startBrowser(front.url)
await browser.logInAs(await service.admin())
const page = await browser.open('/admin/providers')

const button = (name: string) => page.getByRole('button', { name, exact: true })
const label = (name: string) => page.getByLabel(name, { exact: true })

async function continueAs(at: Page, who: string): Promise<void> {
  await at.getByLabel('Who').fill(who)
  await at.getByRole('button', { name: 'Continue' }).click()
}

async function openSignedOut(): Promise<void> {
  await browser.context.clearCookies()
  await page.goto(browser.address('/login?next=%2Fshares'))
}

oidc('should add a provider, and test it in another window', async () => {
  await button('Add provider').click()
  await label('Name').fill('Main')
  await page.getByLabel('ID, part of').fill('main')
  await label('Issuer URL').fill(provider.issuer)
  await label('Client ID').fill('transfer')
  await label('Client secret').fill(provider.clientSecret)
  await label('Accounts at the first sign-in').selectOption('all')
  const uri = `${front.url}/api/auth/oidc/main/callback`
  await untilValue(label('Redirect URI'), uri)
  assert.equal(await axeViolations(page), [])
  await button('Save').click()
  await button('Test').click()
  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Sign in to test' }).click()
  const tested = await opened
  await continueAs(tested, 'ada')
  await tested.getByText('"email": "ada@example.org"').waitFor()
  await untilCount(tested.getByText('OK', { exact: true }), 4)
  assert.equal(await axeViolations(tested), [])
  await tested.close()
})

oidc('should sign in at the page of the provider, and continue where one was', async () => {
  await openSignedOut()
  await button('Continue with Main').waitFor()
  assert.equal(await axeViolations(page), [])
  await button('Continue with Main').click()
  await continueAs(page, 'ada')
  await page.waitForURL(browser.address('/shares'))
  await page.goto(browser.address('/account/providers'))
  await page.locator('#main').getByText('ada@example.org').waitFor()
  assert.equal(await axeViolations(page), [])
  await button('Unlink').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click()
  await page.getByText('You could not sign in any more.').waitFor()
})

oidc('should say in words why somebody is not signed in', async () => {
  await openSignedOut()
  await button('Continue with Main').click()
  await continueAs(page, 'bob')
  await page.getByText('The provider knows no verified email address of yours.').waitFor()
  await page.goto(browser.address('/login?problem=<b>nothing</b>'))
  await page.getByText('Something went wrong.').waitFor()
})

oidc('should hide the form where passwords are off', async () => {
  const { settings } = service.app.services
  await settings.update({ kind: 'operator' }, { passwordSignIn: false })
  await openSignedOut()
  await button('Continue with Main').waitFor()
  await untilCount(label('Password'), 0)
  assert.equal(await axeViolations(page), [])
  assert.equal(browser.problems, [])
})
