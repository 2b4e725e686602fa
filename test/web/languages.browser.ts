import * as assert from 'uvu/assert'
import { makeLink } from '../helpers/client.ts'
import type { Page } from 'playwright-core'
import { languages, type Language } from '../../src/lib/language.ts'
import { browserSuite, startBrowser, type Browser } from '../helpers/browser.ts'
import { startService } from '../helpers/service.ts'
import { untilIs, untilNoMatch } from '../helpers/until.ts'
import { assertRoomy, assertWholeWords } from './looks.ts'

const spoken = browserSuite('web: languages')

/** With three forms, without spaces, with long words, and with a region in its name. */
const first: readonly Language[] = ['uk', 'ja', 'nl', 'pt-BR']
const looked = [...new Set([...first, ...languages])].slice(0, 14)
const withoutSpaces: readonly Language[] = ['ja', 'zh-Hans']
const wordWidths = [320, 641]

const service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off', RATE_LIMIT_LOGIN: 'off' } })
const admin = await service.admin()
const id = await admin.share({ 'a.txt': 'a', 'b.jpg': 'b' }, { name: 'Lisbon' })
const share: string = `/s/${id}`
const request: string = `/r/${await makeLink(admin, { name: 'Photos', maxTotalSize: 1_000_000 })}`

async function read<T>(language: Language, table: string): Promise<T> {
  const address = new URL(`../../src/web/i18n/${language}/${table}.js`, import.meta.url)
  return (await import(address.href)).texts as T
}

/** A key in place of its text: `send.title`. */
const keyInPlaceOfText = /\b[a-z]+\.[a-z]+_[a-z_]+\b|\{\w+\}/

async function lookAtPage(page: Page, language: Language, what: string): Promise<void> {
  await untilIs(() => page.evaluate('document.documentElement.lang'), language, what)
  await untilNoMatch(() => page.locator('body').innerText(), keyInPlaceOfText, what)
  await assertRoomy(page, what)
  if (!withoutSpaces.includes(language)) await assertWholeWords(page, what, wordWidths)
}

async function visit(browser: Browser, language: Language): Promise<void> {
  const paths = [share, request, '/nowhere', '/login', '/login?forgot']
  const views = ['/', '/shares', '/requests', '/requests/new', '/account', '/admin', share]
  const open = async (path: string) => {
    const page = await browser.open(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await lookAtPage(page, language, `${language}: ${path}`)
    await page.close()
  }
  for (const path of paths) await open(path)
  await browser.logInAs(admin)
  for (const path of [...views, '/admin/settings/general', '/admin/settings/branding'])
    await open(path)
}

for (const language of looked) {
  spoken(`should speak ${language} on every page, and fit on a phone`, async () => {
    const browser = await startBrowser(service.url, { language })
    await visit(browser, language)
    assert.equal(await browser.closePages(), [])
    await browser.close()
  })
}

spoken('should offer every language by its own name, and keep the choice', async () => {
  const browser = await startBrowser(service.url)
  await browser.logInAs(admin)
  const page = await browser.open('/account')
  const choice = page.getByLabel('Language', { exact: true })
  await choice.waitFor()
  const names = await choice.locator('option').allInnerTexts()
  assert.is(names.length, languages.length)
  for (const name of ['Deutsch', 'français', '日本語', 'Türkçe']) assert.ok(names.includes(name))
  await choice.selectOption('pl')
  const { 'profile.language': label } = await read<Record<string, string>>('pl', 'account')
  await page.getByLabel(label!, { exact: true }).waitFor()
  await page.goto(browser.address('/shares'))
  await untilIs(() => page.evaluate('document.documentElement.lang'), 'pl')
  await admin.put('/api/account/preferences', { language: null })
  assert.equal(await browser.closePages(), [])
  await browser.close()
})
