// What other apps share with the installed app, in a real browser with its service worker. A form
// of a page does what the system does: it posts to the share target.
import * as assert from 'uvu/assert'
import type { Page } from 'playwright-core'
import { browserSuite, signInAt, type Browser } from '../helpers/browser.ts'
import { until, untilCount, untilEqual, untilIs, untilNot } from '../helpers/until.ts'
import { heading, publish, shareIdOf, startScene } from './sender.ts'

const target = browserSuite('web: share target')

const email = 'owner@example.org'
let browser: Browser

const { service, owner, another } = await startScene(target, { mail: false })
target.before.each(async () => {
  browser = await another(owner, { permissions: ['clipboard-write'] })
})

const hasWorker = (page: Page) =>
  page.evaluate(async () => {
    const { serviceWorker } = (globalThis as any).navigator
    const found = await serviceWorker?.getRegistration('/share-target')
    return found?.active?.scriptURL as string | undefined
  })

async function openApp(path = '/'): Promise<Page> {
  const page = await browser.open(path)
  await until('the worker is ready', async () => (await hasWorker(page)) !== undefined)
  return page
}

/** Files with contents, or with so many bytes. */
async function share(page: Page, content: any, path = '/share-target'): Promise<void> {
  const action = browser.address(path)
  await page.evaluate(
    ([shared, address]) => {
      const { document, File, DataTransfer } = globalThis as any
      const form = document.createElement('form')
      Object.assign(form, { method: 'post', enctype: 'multipart/form-data', action: address })
      const files = document.createElement('input')
      Object.assign(files, { type: 'file', name: 'files', multiple: true })
      const chosen = new DataTransfer()
      for (const [name, value] of Object.entries(shared.files ?? {})) {
        const bytes = typeof value === 'number' ? new Uint8Array(value).fill(97) : value
        chosen.items.add(new File([bytes], name))
      }
      files.files = chosen.files
      form.append(files)
      for (const name of ['title', 'text', 'url'] as const) {
        const input = document.createElement('input')
        Object.assign(input, { type: 'hidden', name, value: shared[name] ?? '' })
        form.append(input)
      }
      document.body.append(form)
      form.submit()
    },
    [content, action] as const,
  )
}

const list = (page: Page) => page.getByRole('list').getByRole('listitem')
const row = (page: Page, name: string) => list(page).filter({ hasText: name })

async function send(page: Page): Promise<Record<string, number>> {
  await publish(page)
  const { files } = (await owner.get(`/api/shares/${shareIdOf(page)}`)).json()
  return Object.fromEntries(files.map((file: any) => [file.original_name, file.size]))
}

/** Reads or changes what waits in the browser. As text: the tests' types know no IndexedDB. */
const stored = <T>(page: Page, use: string) =>
  page.evaluate<T>(`new Promise((resolve) => {
    indexedDB.open('shared').onsuccess = ({ target: { result: database } }) => {
      const end = (value) => (database.close(), resolve(value))
      if (!database.objectStoreNames.contains('shared')) return end([])
      const change = database.transaction('shared', 'readwrite')
      const store = change.objectStore('shared')
      store.getAll().onsuccess = ({ target: { result } }) => {
        const value = (${use})(result, store)
        change.oncomplete = () => end(value)
      }
    }
  })`)

const waiting = (page: Page) =>
  stored<string[]>(page, 'all => all.flatMap((one) => one.files.map(({ name }) => name))')

target('should install the worker for signed-in users only, for one address', async () => {
  const visitor = await another()
  for (const path of ['/login', '/']) {
    const page = await visitor.open(path)
    await heading(page, 'Sign in').waitFor()
    await untilIs(() => hasWorker(page), undefined, path)
  }
  const page = await openApp()
  await untilIs(() => hasWorker(page), browser.address('/share-target.js'))
  await page.reload()
  await heading(page, 'Send files').waitFor()
  await untilNot(() => page.evaluate(() => (globalThis as any).navigator.serviceWorker.controller))
})

target('should take shared files in Send, twice, and each only once', async () => {
  const page = await openApp('/')
  await share(page, { files: { 'one.txt': 'first', 'two ü.txt': 'second!' } })
  await row(page, 'two ü.txt').waitFor()
  assert.is(new URL(page.url()).search, '')
  await untilEqual(() => waiting(page), [])
  assert.equal(await send(page), { 'one.txt': 5, 'two ü.txt': 7 })
  await share(page, { files: { 'three.txt': 'third' } })
  await row(page, 'three.txt').waitFor()
  await untilCount(list(page), 1)
  await page.goto(browser.address('/?shared=1'))
  await page.getByText('Nothing arrived. Share the files again').waitFor()
  await untilCount(list(page), 0)
})

target('should make a text file of texts and addresses', async () => {
  const page = await openApp()
  const url = 'https://example.org/a?b=<c>'
  await share(page, { title: 'A page', text: '', url })
  await row(page, 'Shared text.txt').waitFor()
  assert.equal(await send(page), { 'Shared text.txt': `A page\n${url}`.length })
})

target('should upload at once only in the window of the app', async () => {
  const page = await openApp()
  const starts: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/shares/init')) starts.push(page.url())
  })
  // A page of another site.
  await page.goto('about:blank')
  await share(page, { files: { 'planted.txt': 'a' } })
  await row(page, 'planted.txt').waitFor()
  await page.getByText('The upload starts when you get the link').waitFor()
  assert.equal(starts, [])
  await page.addInitScript(() => {
    const { matchMedia } = globalThis as any
    ;(globalThis as any).matchMedia = (query: string) =>
      query === '(display-mode: standalone)' ? { matches: true } : matchMedia(query)
  })
  const begun = page.waitForRequest('**/api/shares/init')
  await share(page, { files: { 'own.txt': 'a' } })
  await begun
})

/** Files that wait for a sign-in. */
async function shareSignedOut(...names: string[]): Promise<Page> {
  const page = await openApp()
  await browser.context.clearCookies()
  for (const name of names) {
    await share(page, { files: { [name]: 'a' } })
    await heading(page, 'Sign in').waitFor()
  }
  return page
}

target('should keep files of a person who is signed out until the sign-in', async () => {
  const page = await shareSignedOut('waiting.txt')
  await untilEqual(() => waiting(page), ['waiting.txt'])
  await signInAt(page, email)
  await row(page, 'waiting.txt').waitFor()
  await untilEqual(() => waiting(page), [])
})

target('should forget waiting files when a person signs out', async () => {
  const page = await shareSignedOut('left.txt')
  await untilEqual(() => waiting(page), ['left.txt'])
  await browser.logInAs(await service.user('other@example.org'))
  await page.goto(browser.address('/shares'))
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await heading(page, 'Sign in').waitFor()
  await untilEqual(() => waiting(page), [])
})

target('should remove files after an hour, and keep the newest ten', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `${index + 1}.txt`)
  const page = await shareSignedOut(...names)
  await untilEqual(() => waiting(page), names.slice(2))
  const anHourAgo = '{ ...one, at: one.at - 3_600_001 }'
  await stored(page, `(all, store) => all.slice(0, 9).forEach((one) => store.put(${anHourAgo}))`)
  await browser.logInAs(owner)
  await page.goto(browser.address('/?shared=1'))
  await row(page, '12.txt').waitFor()
  await untilCount(list(page), 1)
  await untilEqual(() => waiting(page), [])
})
