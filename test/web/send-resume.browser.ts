import * as assert from 'uvu/assert'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { browserSuite, dropOn, holdRoute } from '../helpers/browser.ts'
import { until, untilCount, untilEqual, untilIs, untilValue } from '../helpers/until.ts'
import { choose, chooseExpiry, chosenExpiry, contents, file, getLink, heading } from './sender.ts'
import { holdChunks, leave, onDisk, publish, recordCount, shareIdOf, startScene } from './sender.ts'

const resume = browserSuite('web: send, interrupted')

const scene = await startScene(resume)

const unfinished = (page: Page) => page.getByText(/^\d+ unfinished shares?$/)

/** Names of the files whose chunks get through, without those that are held while they are. */
async function recordChunks(page: Page, isHeld: (name: string) => boolean) {
  const sent = { names: [] as string[], isHolding: true }
  await page.route('**/chunk', async (route) => {
    const data = route.request().postData() ?? ''
    const name = /name="fileName"\r\n\r\n([^\r]+)/.exec(data)?.[1] ?? '?'
    // Not blocked: waiting chunks may still get away when the page is closed.
    if (sent.isHolding && isHeld(name)) return route.abort()
    sent.names.push(name)
    await route.continue()
  })
  return sent
}

const chosenAgain = 'This upload was interrupted. Choose the same files'

/** The share of this name, once there is one. */
async function shareCalled(title: string): Promise<Record<string, any>> {
  let found: Record<string, any> | undefined
  await until(`${title} is there`, async () => {
    const shares = (await scene.owner.get('/api/shares')).json<{ name: string }[]>()
    found = shares.find(({ name }) => name === title)
    return found !== undefined
  })
  return found!
}

/** Its received chunks become as many. */
const untilReceived = (shareId: string, count: number) =>
  untilIs(async () => {
    const answer = await scene.owner.get(`/api/shares/${shareId}/chunks`)
    return answer.json().chunks.length
  }, count)

resume('should continue after a reload with the same files, and send nothing twice', async () => {
  const page = await scene.browser.open('/')
  // As of an older service: an archive would bring all of them at once.
  await page.route('**/tar', (route) => route.fulfill({ status: 404 }))
  const sent = await recordChunks(page, (name) => name === 'b.txt')
  let stored = 0
  page.on('response', (answer) => {
    if (answer.url().endsWith('/chunk') && answer.ok()) stored += 1
  })
  const emails = { 'a.txt': 'first', 'b.txt': 'second', 'c.txt': 'third' }
  const files = onDisk(scene.folder, emails)
  await choose(page, files)
  await page.getByLabel('Title').fill('Three letters')
  await chooseExpiry(page, '1 day')
  const { id } = await shareCalled('Three letters')
  const days = async () => (await scene.owner.get(`/api/shares/${id}`)).json().expirationVal
  await untilIs(days, 1)
  // The draft does not take over the settings of the last share.
  await page.evaluate('localStorage.clear()')
  // The progress counts bytes as soon as they were sent.
  await until('two files are there', () => stored === 2)
  await page.getByText('62%').first().waitFor()
  await until('it is stored', async () => (await recordCount(page)) === 1)
  // Browsers ask before bytes are lost.
  const asked: string[] = []
  page.on('dialog', async (dialog) => {
    asked.push(dialog.type())
    await dialog.accept()
  })
  await page.reload()
  assert.equal(asked, ['beforeunload'])
  sent.isHolding = false
  await page.getByText('Three letters').waitFor()
  await page.getByText('62% · 10 bytes of 16 bytes').waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText(chosenAgain).waitFor()
  await untilValue(page.getByLabel('Title'), 'Three letters')
  await untilIs(() => chosenExpiry(page), '1 day')
  await page.getByText('not chosen yet').first().waitFor()
  await choose(page, files)
  await page.getByText('Uploaded. Private').waitFor()
  await publish(page)
  assert.equal(sent.names.toSorted(), ['a.txt', 'b.txt', 'c.txt'])
  await untilEqual(() => contents(scene, shareIdOf(page)), emails)
})

resume('should accept files chosen before the upload to continue is known', async () => {
  const page = await scene.browser.open('/')
  await page.route('**/chunk', (route) => route.abort())
  const files = onDisk(scene.folder, { 'early.txt': 'first' })
  await choose(page, files)
  await until('it is stored', async () => (await recordCount(page)) === 1)
  page.on('dialog', (dialog) => dialog.accept())
  await page.reload()
  await page.unroute('**/chunk')
  const goOn = page.getByRole('button', { name: 'Continue' })
  await goOn.waitFor()
  const gate = await holdRoute(page, /\/api\/shares\/[^/]+$/)
  await goOn.click()
  await choose(page, files)
  gate.open()
  await page.getByText('Uploaded. Private').waitFor()
  const shares = (await scene.owner.get('/api/shares')).json<{ name: string }[]>()
  assert.is(shares.filter(({ name }) => name === 'early').length, 1)
})

async function smallChunks(page: Page): Promise<void> {
  await page.route('**/api/limits', async (route) => {
    const json = await (await route.fetch()).json()
    await route.fulfill({ json: { ...json, maxChunkSize: 65_536 } })
  })
  await page.reload()
}

const size = 160_000
const big = onDisk(scene.folder, { 'big.bin': Buffer.alloc(size, 7) })

/** A large file of which one chunk gets through. */
async function beginLarge(title: string): Promise<[page: Page, shareId: string]> {
  const page = await scene.browser.open('/')
  await smallChunks(page)
  await holdChunks(page, 1)
  await choose(page, big)
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Title').blur()
  const { id } = await shareCalled(title)
  await untilReceived(id, 1)
  return [page, id]
}

resume('should continue an upload once the files of another one are removed', async () => {
  const shareId = await scene.owner.init({ name: 'Waits' })
  await scene.owner.patch(`/api/shares/${shareId}`, { expectedBytes: 9 })
  const page = await scene.browser.open('/')
  await choose(page, [file('other.txt', 'other')])
  await page.getByText('Uploaded. Private').waitFor()
  const { id: other } = await shareCalled('other')
  await page.getByRole('link', { name: 'Shares' }).click()
  await page.getByRole('link', { name: 'Continue Waits' }).click()
  await page.getByText('Another upload is open here').waitFor()
  await page.getByRole('button', { name: 'Remove other.txt' }).click()
  await page.getByText(chosenAgain).waitFor()
  await untilValue(page.getByLabel('Title'), 'Waits')
  await untilCount(page.getByRole('button', { name: 'Undo' }), 0)
  await untilIs(async () => (await scene.owner.get(`/api/shares/${other}`)).status, 404)
  await choose(page, [file('rest.txt', '123456789')])
  await publish(page)
  await untilEqual(() => contents(scene, shareId), { 'rest.txt': '123456789' })
})

resume('should continue at the link after a reload, and ignore other tabs', async () => {
  const page = await scene.browser.open('/')
  // Not blocked: waiting chunks may still get away when the page is closed.
  await page.route('**/chunk', (route) => route.abort())
  const files = onDisk(scene.folder, { 'a.txt': 'first' })
  await choose(page, files)
  await getLink(page).click()
  await page.getByText('Link copied').waitFor()
  const address = new URL(page.url())
  const other = await scene.browser.open(address.pathname + address.search)
  await other.getByText('The upload was interrupted.').waitFor()
  await other.getByRole('button', { name: 'Continue' }).click()
  await other.getByText('Another tab of this browser is uploading these files.').waitFor()
  await leave(page)
  await other.getByRole('button', { name: 'Continue' }).click()
  await other.getByText('Some files need your attention').waitFor()
  await choose(other, files)
  await other.getByText('Your link is ready').waitFor()
  await untilEqual(() => contents(scene, shareIdOf(other)), { 'a.txt': 'first' })
})

resume('should complete a public upload that is continued without a record', async () => {
  const [page, shareId] = await beginLarge('Public already')
  await getLink(page).click()
  await page.getByText('Link copied').waitFor()
  await leave(page)
  const rest = await (await scene.another(scene.owner)).open('/shares')
  await rest.getByRole('link', { name: 'Continue Public already' }).click()
  await rest.getByText('Choose the same files').waitFor()
  await choose(rest, big)
  await rest.getByText('Your link is ready').waitFor()
  await until(async () => assert.is((await contents(scene, shareId))['big.bin']!.length, size))
})

resume('should ask for the password again, which is kept nowhere', async () => {
  const fresh = await scene.another(scene.owner)
  const page = await fresh.open('/')
  const before = await recordCount(page)
  await holdChunks(page)
  const files = onDisk(scene.folder, { 'secret.txt': 'first' })
  await choose(page, files)
  await until('it is stored', async () => (await recordCount(page)) > before)
  const isSaved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await page.getByRole('switch', { name: 'Password' }).check()
  await isSaved
  // Another draft, without one, changes nothing about this.
  const another = await fresh.open('/')
  await choose(another, [file('open.txt', 'second')])
  await another.getByText('Uploaded. Private').waitFor()
  const isNamed = another.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await another.getByLabel('Title').fill('Open')
  await isNamed
  await another.getByRole('button', { name: 'Discard' }).click()
  await another.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await untilCount(another.getByRole('dialog'), 0)
  await leave(another)
  page.on('dialog', (dialog) => dialog.accept())
  await page.unroute(/\/(chunk|tar)$/)
  await page.reload()
  await page.getByRole('button', { name: 'Continue' }).click()
  await choose(page, files)
  await page.getByText('Uploaded. Private').waitFor()
  await page.getByText('it was not kept').waitFor()
  const field = page.getByRole('textbox', { name: 'Password' })
  await untilValue(field, '')
  await getLink(page).click()
  await page.locator('[aria-invalid=true]:focus').waitFor()
  await field.fill('a')
  await field.fill('')
  await untilCount(page.getByText('it was not kept'), 0)
  await field.fill('sesame')
  await getLink(page).click()
  await page.getByText('Link copied').waitFor()
  const answer = await scene.owner.get(`/api/shares/${shareIdOf(page)}`)
  assert.is(answer.json<{ protected: boolean }>().protected, true)
})

resume('should discard an upload, and forget one that was deleted elsewhere', async () => {
  const fresh = await scene.another(scene.owner)
  const begin = async () => {
    const page = await fresh.open('/')
    await holdChunks(page)
    await choose(page, [file('a.txt', 'first')])
    await page.getByText('0% ·').waitFor()
    await until('it is stored', async () => (await recordCount(page)) > 0)
    await page.close()
  }
  await begin()
  const page = await fresh.open('/')
  await page.getByRole('button', { name: 'Discard' }).click()
  const dialog = page.getByRole('dialog', { name: 'Discard this upload?' })
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await unfinished(page).waitFor({ state: 'detached' })
  await begin()
  for (const { id, status } of (await scene.owner.get('/api/shares')).json()) {
    if (status === 'draft') await scene.owner.delete(`/api/shares/${id}`)
  }
  await page.reload()
  await heading(page, 'Send files').waitFor()
  await until('it is deleted', async () => (await recordCount(page)) === 0)
  await untilCount(unfinished(page), 0)
})

resume('should keep the interrupted upload of another account in this browser', async () => {
  const fresh = await scene.another(scene.owner)
  const first = await fresh.open('/')
  await holdChunks(first)
  await choose(first, [file('mine.txt', 'first')])
  await until('it is stored', async () => (await recordCount(first)) > 0)
  await first.close()
  await fresh.context.clearCookies()
  await fresh.logInAs(await scene.service.user('guest@example.org'))
  const other = await fresh.open('/')
  const seen: string[] = []
  other.on('request', (request) => seen.push(request.url()))
  // Its own are found after all others.
  await holdChunks(other)
  await choose(other, [file('theirs.txt', 'first')])
  await until('it is stored', async () => (await recordCount(other)) === 2)
  await other.reload()
  await other.getByText('theirs').waitFor()
  await untilCount(other.getByText('mine'), 0)
  await fresh.context.clearCookies()
  await fresh.logInAs(scene.owner)
  await other.reload()
  await other.getByText('mine').waitFor()
  assert.is(await recordCount(other), 2)
})

resume('should continue adding files where their share is shown', async () => {
  const shareId = await scene.owner.share({ 'old.txt': 'old' }, { name: 'Growing' })
  const first = await scene.browser.open(`/shares/${shareId}`)
  await first.route('**/chunk', (route) => route.abort())
  const before = await recordCount(first)
  const files = onDisk(scene.folder, { 'new.txt': 'new' })
  await choose(first, files)
  await until('it is stored', async () => (await recordCount(first)) > before)
  await leave(first)
  const page = await scene.browser.open('/')
  await page.getByText('Growing').waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await heading(page, 'Growing').waitFor()
  await page.getByText('Some files need your attention').waitFor()
  await choose(page, files)
  await page.getByRole('link', { name: 'Download new.txt' }).waitFor()
  await untilEqual(() => contents(scene, shareId), { 'old.txt': 'old', 'new.txt': 'new' })
})

resume('should continue in a browser without a record, or share what has arrived', async () => {
  const late = onDisk(scene.folder, { 'late.txt': 'late' })
  const begin = async (title: string) => {
    const [page, shareId] = await beginLarge(title)
    await choose(page, late)
    const expected = async () => (await scene.owner.get(`/api/shares/${shareId}`)).json()
    await untilIs(async () => (await expected()).expectedBytes, size + 4)
    await leave(page)
    return shareId
  }
  const other = await scene.another(scene.owner)
  const goOn = async (title: string) => {
    const page = await other.open('/shares')
    await smallChunks(page)
    await page.getByRole('link', { name: `Continue ${title}` }).click()
    await page.getByText(chosenAgain).waitFor()
    await untilValue(page.getByLabel('Title'), title)
    const row = page.getByRole('listitem').filter({ hasText: 'big.bin' })
    await row.getByText('not chosen yet').waitFor()
    return page
  }
  const first = await begin('Begun elsewhere')
  const page = await goOn('Begun elsewhere')
  await page.getByText('Not listed: 4 bytes of files').waitFor()
  let requests = 0
  page.on('request', (request) => (requests += /\/(chunk|tar)$/.test(request.url()) ? 1 : 0))
  await choose(page, [...big, ...late])
  await page.getByText('Uploaded. Private').waitFor()
  assert.is(requests, 3, 'two of three chunks, and the other file')
  await publish(page)
  await until(async () => {
    const found = await contents(scene, first)
    assert.equal(Object.keys(found), ['big.bin', 'late.txt'])
    assert.is(found['big.bin']!.length, size)
  })
  const second = await begin('Partly there')
  await scene.owner.chunk(second, 'whole', 0, 'whole')
  const rest = await goOn('Partly there')
  await rest.getByRole('button', { name: 'Get a link to the uploaded files' }).click()
  await rest.getByText('Your link is ready').waitFor()
  await untilEqual(() => contents(scene, second), { whole: 'whole' })
})

// Chromium finds dropped files again.
resume('should continue after a reload by one click, and send nothing twice', async () => {
  const folder = path.join(scene.folder, 'Holiday')
  mkdirSync(path.join(folder, 'day 2'), { recursive: true })
  writeFileSync(path.join(folder, 'a.txt'), 'first')
  writeFileSync(path.join(folder, 'day 2', 'b.txt'), 'second')
  const page = await scene.browser.open('/')
  await heading(page, 'Send files').waitFor()
  page.on('dialog', (dialog) => dialog.accept())
  const sent = await recordChunks(page, (name) => name.endsWith('b.txt'))
  await dropOn(page, folder)
  await page.getByText('45%').first().waitFor()
  await until('it is stored', async () => (await recordCount(page)) > 0)
  // Files added to the folder later were not chosen.
  writeFileSync(path.join(folder, 'later.txt'), 'third')
  await page.reload()
  // Released after the reload, because the closing page may still send a retry.
  sent.isHolding = false
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Uploaded. Private').waitFor()
  await untilCount(page.getByText('This upload was interrupted'), 0)
  await publish(page)
  assert.equal(sent.names.toSorted(), ['Holiday/a.txt', 'Holiday/day 2/b.txt'])
  const both = { 'Holiday/a.txt': 'first', 'Holiday/day 2/b.txt': 'second' }
  await untilEqual(() => contents(scene, shareIdOf(page)), both)
})
