import * as assert from 'uvu/assert'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { browserSuite, dropOn, fileChooser } from '../helpers/browser.ts'
import { holdDrops, holdRoute, scrollsSideways } from '../helpers/browser.ts'
import { randomContent } from '../helpers/client.ts'
import { untilCount, untilEqual, untilIs, untilNoMatch, untilValue } from '../helpers/until.ts'
import { until } from '../helpers/until.ts'
import { choose, contents, copied, counted, file, getLink, heading, holdChunks } from './sender.ts'
import { link, onDisk, openFiles, openOptions, publish, shareIdOf, startScene } from './sender.ts'

const send = browserSuite('web: send')

let page: Page

const scene = await startScene(send)
send.before.each(async () => {
  page = await scene.browser.open('/')
})

send('should do everything by keyboard alone', async () => {
  await heading(page, 'Send files').waitFor()
  // A test cannot choose anything in the browser's own picker of handles.
  await page.evaluate('window.showOpenFilePicker = undefined')
  const { keyboard } = page
  await page.getByLabel(/^Add( files)?$/).focus()
  const chooser = await fileChooser(page, () => keyboard.press('Space'))
  await chooser.setFiles([file('a.txt', 'first'), file('b.txt', 'second')])
  await page.getByText('Uploaded. Private').waitFor()
  // The button has gone, and the title has the focus: the next keys move on through the page.
  await page.locator('h1:focus').waitFor()
  const tabTo = async (name: string) => {
    const focused = page.locator(':focus')
    for (let tabs = 0; tabs < 30; tabs += 1) {
      await keyboard.press('Tab')
      const label = await focused.getAttribute('aria-label')
      if (`${label} ${await focused.innerText()}`.includes(name)) return
    }
    throw new Error(`no way to ${name} by keyboard`)
  }
  await tabTo('Remove a.txt')
  await keyboard.press('Enter')
  // The next row has the focus, not the start of the page.
  await page.locator(':focus[aria-label="Remove b.txt"]').waitFor()
  await tabTo('Get link')
  await keyboard.press('Enter')
  await page.getByText('Your link is ready').waitFor()
  await untilIs(() => page.evaluate<string>('document.activeElement.tagName'), 'H1')
  await untilEqual(() => contents(scene, shareIdOf(page)), { 'b.txt': 'second' })
})

send('should give the link at once, and finish by itself', async () => {
  const release = await holdChunks(page, 1)
  await choose(page, [file('a.bin', randomContent(300_000, 1)), file('b.bin', 'small')])
  await getLink(page).click()
  await page.getByText('Link copied').waitFor()
  await untilCount(page.getByText('Your link is ready'), 0)
  const shareId = shareIdOf(page)
  await until(async () => assert.is(await copied(page), await link(page).inputValue()))
  await page.getByText(/^2\sfiles\s· 300\skB\s· expires\s/).waitFor()
  const recipient = scene.service.client()
  assert.is((await recipient.get(`/api/public/shares/${shareId}`)).json().status, 'uploading')
  await page.getByRole('link', { name: 'Send another' }).click()
  await heading(page, 'Send files').waitFor()
  const dock = page.getByRole('region', { name: 'Uploads' })
  await dock.getByText(/^a\.bin .*1 of 2 files · \d+%/).waitFor()
  await until('the title says how far it is', async () => /^\d+% · Send/.test(await page.title()))
  const icon = page.locator('link[rel=icon]')
  await until(async () => assert.match((await icon.getAttribute('href'))!, /^data:/))
  await dock.getByRole('button', { name: 'Pause' }).click()
  await dock.getByText('paused').waitFor()
  await dock.getByRole('button', { name: 'Resume' }).click()
  // In the view of the share too; its link works already.
  await page.getByRole('link', { name: 'Shares' }).first().click()
  await page.locator(`a[href="/shares/${shareId}"]`).first().click()
  await heading(page, 'a').waitFor()
  await link(page).waitFor()
  await dock.getByRole('button', { name: 'Pause' }).waitFor()
  await untilCount(page.getByText('No files.'), 0)
  await dock.getByRole('link', { name: 'Open' }).click()
  await page.waitForURL(/\?new$/)
  await untilCount(dock, 0)
  await page.getByRole('link', { name: 'Send another' }).click()
  await release()
  await page.getByText('“a.bin” is fully uploaded.').waitFor()
  await dock.waitFor({ state: 'detached' })
  await until(async () => assert.not.match((await icon.getAttribute('href'))!, /^data:/))
  await until('the title says no more', async () => (await page.title()).startsWith('Send files'))
  assert.ok((await scene.owner.get(`/api/shares/${shareId}`)).json().status === 'complete')
  assert.is((await recipient.get(`/api/public/shares/${shareId}`)).json().files.length, 2)
})

send('should not call an upload interrupted whose end it has not loaded yet', async () => {
  const release = await holdChunks(page)
  await choose(page, [file('a.bin', randomContent(300_000, 1))])
  await getLink(page).click()
  await page.getByText(/^1\sfile\s· 300\skB\s· expires\s/).waitFor()
  const gate = await holdRoute(page, `**/api/shares/${shareIdOf(page)}`)
  const completed = page.waitForResponse(/\/finalize$/)
  const asked = page.waitForRequest(/\/api\/shares\/[^/]+$/)
  await release()
  await completed
  await asked
  await untilCount(page.getByText('The upload was interrupted'), 0)
  await page.getByText('100%', { exact: true }).waitFor()
  gate.open()
  await page.getByText('Link copied').waitFor()
  await page.locator('.ring.done').waitFor()
})

send('should keep nothing of one link in the view of another', async () => {
  await holdChunks(page)
  for (const name of ['first.txt', 'second.txt']) {
    await choose(page, [file(name, name)])
    await getLink(page).click()
    await page.getByText('Link copied').waitFor()
    await link(page).waitFor()
    if (name === 'first.txt') await page.getByRole('link', { name: 'Send another' }).click()
  }
  const second = shareIdOf(page)
  await page.getByText('Send by email').click()
  await page.getByLabel('To', { exact: true }).fill('oma@example.org')
  const dock = page.getByRole('region', { name: 'Uploads' })
  await dock.getByRole('link', { name: 'Open' }).click()
  await dock.getByText('second').waitFor()
  await page.locator('h1:focus').waitFor()
  await link(page).waitFor()
  assert.is.not(shareIdOf(page), second)
  await until(async () =>
    assert.ok((await link(page).inputValue()).endsWith(`/s/${shareIdOf(page)}`)),
  )
  await page.getByText('Send by email').click()
  await untilValue(page.getByLabel('To', { exact: true }), '')
  await untilCount(page.getByText('oma@example.org'), 0)
})

send('should show the progress, also when files are added and removed later', async () => {
  const release = await holdChunks(page, 1)
  // As large as each other, because either may be the first.
  await choose(page, [file('tide.bin', 'x'.repeat(500)), file('b.bin', 'y'.repeat(500))])
  await page.getByLabel('Title').fill('tide')
  await page.getByLabel('Title').blur()
  // Other devices see it in the list of shares.
  const ofList = async () => {
    const shares = (await scene.owner.get('/api/shares')).json()
    return shares.find(({ name }: any) => name === 'tide')?.progress
  }
  await until('the total is known', async () => (await ofList()) === 50)
  await choose(page, [file('c.bin', 'z'.repeat(1500))])
  await until('the total is larger', async () => (await ofList()) === 20)
  await getLink(page).click()
  await page.getByText('Link copied').waitFor()
  const recipient = scene.service.client()
  const ofLink = async () =>
    (await recipient.get(`/api/public/shares/${shareIdOf(page)}`)).json().progress
  await untilIs(() => ofLink(), 20)
  await openFiles(page)
  await page.getByRole('button', { name: 'Remove c.bin' }).click()
  await until('the total is smaller', async () => (await ofLink()) === 50)
  await release()
  await page.getByText('Your link is ready').waitFor()
  await untilIs(() => ofLink(), null)
})

send('should give no link while one of its folders is being read', async () => {
  const top = path.join(scene.folder, 'Slow')
  onDisk(top, { 'beach.txt': 'sand' })
  await choose(page, [file('hut.txt', 'wood')])
  await getLink(page).waitFor()
  const goOn = await holdDrops(page)
  await dropOn(page, top)
  await page.getByText('0 files found…').waitFor()
  await page.locator('button[aria-busy=true]', { hasText: 'Get link' }).waitFor()
  await getLink(page).click({ force: true })
  // The same by keyboard, and after visiting another view.
  await page.getByLabel('Title').press('Enter')
  await page.getByRole('link', { name: 'Shares' }).first().click()
  await page.getByRole('link', { name: 'Send', exact: true }).first().click()
  await page.locator('button[aria-busy=true]', { hasText: 'Get link' }).waitFor()
  await goOn()
  await counted(page, '2 files · 8 bytes').waitFor()
  await publish(page)
  const both = { 'hut.txt': 'wood', 'Slow/beach.txt': 'sand' }
  await untilEqual(() => contents(scene, shareIdOf(page)), both)
})

send('should pause, resume, remove one, undo, cancel and send again', async () => {
  const before = new Set((await scene.owner.get('/api/shares')).json<any[]>().map(({ id }) => id))
  const release = await holdChunks(page)
  await choose(page, [file('a.txt', 'first'), file('b.txt', 'second'), file('c.txt', 'third')])
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('· paused').waitFor()
  await page.getByRole('button', { name: 'Remove b.txt' }).click()
  await counted(page, '2 files · 10 bytes').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await counted(page, '3 files · 16 bytes').waitFor()
  await page.getByRole('button', { name: 'Remove a.txt' }).click()
  await page.getByRole('button', { name: 'Resume' }).click()
  const [first] = (await scene.owner.get('/api/shares'))
    .json<any[]>()
    .filter(({ id }) => !before.has(id))
  await page.getByRole('button', { name: 'Cancel upload' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel this upload?' })
  await dialog.getByRole('button', { name: 'Cancel upload' }).click()
  await dialog.waitFor({ state: 'detached' })
  await counted(page, '2 files · 11 bytes').waitFor()
  assert.is((await scene.owner.get(`/api/shares/${first!.id}`)).status, 404)
  await release()
  await publish(page)
  assert.is.not(shareIdOf(page), first!.id)
  await until(async () => assert.is(await copied(page), await link(page).inputValue()))
  await untilEqual(() => contents(scene, shareIdOf(page)), { 'b.txt': 'second', 'c.txt': 'third' })
})

send('should keep all files when it is cancelled while they are being added', async () => {
  await holdChunks(page)
  // The rest follows after a timer without a time.
  await page.evaluate(`{
    const set = setTimeout
    setTimeout = (act, ms, ...rest) => ms === undefined ? 0 : set(act, ms, ...rest)
  }`)
  const many = Array.from({ length: 501 }, (_, n) => file(`${n}.txt`, 'x'))
  await choose(page, many)
  await page.getByRole('button', { name: 'Cancel upload' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel upload' }).click()
  await counted(page, '501 files').waitFor()
})

send('should start a new share when the files of a cancelled upload are removed', async () => {
  await page.clock.install()
  await page.reload()
  await choose(page, [file('a.txt', 'first'), file('b.txt', 'second')])
  await openOptions(page)
  await page.getByLabel('Message').fill('For Ben')
  await page.getByText('Uploaded. Private').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Clear list' }).click()
  await page.getByText('Removed 2 files.').waitFor()
  await page.clock.runFor(10_000)
  await page.getByText('Removed 2 files.').waitFor({ state: 'detached' })
  await choose(page, [file('c.txt', 'third')])
  await openOptions(page)
  await untilValue(page.getByLabel('Message'), '')
  await page.getByText('Uploaded. Private').waitFor()
})

send('should tell which file was renamed because another has its name', async () => {
  const title = page.getByLabel('Title')
  await choose(page, [file('notes.txt', 'first')])
  await untilValue(title, 'notes')
  // Its own name.
  await choose(page, [file('tide (1).txt', 'second')])
  await counted(page, '2 files').waitFor()
  await untilValue(
    title,
    '',
    'the share is named after its only file, and not after one of several',
  )
  await untilCount(page.getByText('Kept both'), 0)
  await choose(page, [file('notes.txt', 'another one')])
  await page.getByText('Kept both: notes (1).txt').waitFor()
})

send('should remove a folder, selected files or the whole list, and restore them', async () => {
  // Nothing is sent, so that the list is not the upload's.
  await page.route('**/api/shares/init', (route) => route.fulfill({ status: 503 }))
  const long = `Trip/day/${'all of us in front of the town hall '.repeat(5)}.txt`
  const paths = { 'Trip/one.txt': '1', 'Trip/two.txt': '2', [long]: '3' }
  onDisk(scene.folder, paths)
  await page.getByLabel(/folder$/).setInputFiles(path.join(scene.folder, 'Trip'))
  await choose(page, [file('a.txt', 'a'), file('b.txt', 'b'), file('c.txt', 'c')])
  const listed = (n: number) => counted(page, new RegExp(`^${n} files? · `))
  await listed(6).waitFor()

  await page.getByRole('button', { name: 'Remove Trip' }).click()
  await listed(3).waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await listed(6).waitFor()
  assert.not(await scrollsSideways(page))

  await page.getByRole('button', { name: 'Remove files…' }).click()
  const remove = page.getByRole('button', { name: /^Remove \d files?$/ })
  await page.getByLabel('Select the folder Trip').check()
  await page.getByLabel('b.txt').check()
  await untilIs(() => remove.innerText(), 'Remove 4 files')
  await remove.click()
  await listed(2).waitFor()
  await page.getByText('Removed 4 files.').waitFor()

  await page.getByRole('button', { name: 'Clear list' }).click()
  await page.getByText('Drop them here, or paste').waitFor()
  await page.getByText('Removed 2 files.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await listed(2).waitFor()
})

send('should take other files in place of all that were removed from a link', async () => {
  const release = await holdChunks(page)
  await choose(page, [file('a.txt', 'first')])
  await getLink(page).click()
  await page.getByText('Link copied').waitFor()
  await openFiles(page)
  await page.getByRole('button', { name: 'Remove a.txt' }).click()
  await release()
  await choose(page, [file('b.txt', 'second')])
  await page.getByText('Your link is ready').waitFor()
  await untilEqual(() => contents(scene, shareIdOf(page)), { 'b.txt': 'second' })
})

send('should not say that all is uploaded while a file is not', async () => {
  let isRefused = true
  await page.route(/\/(chunk|tar)$/, (route) =>
    isRefused && route.request().postData()?.includes('bad.txt')
      ? route.fulfill({ status: 400, json: { error: 'refused', code: 'bad_name' } })
      : route.continue(),
  )
  const small = ['a', 'b', 'c'].map((name) => file(`${name}.txt`, name))
  await choose(page, [...small, file('bad.txt', 'x')])
  const again = page.getByRole('button', { name: 'Try bad.txt again' })
  // Its row is shown although the list of so many files is closed.
  await again.waitFor()
  const said = page.getByText('Uploaded. Private')
  await untilCount(said, 0)
  await page.getByRole('link', { name: 'Shares' }).click()
  const dock = page.getByRole('region', { name: 'Uploads' })
  await dock.getByText(/3 of 4 files · \d+%/).waitFor()
  await dock.getByRole('link', { name: 'Open' }).click()
  isRefused = false
  await again.click()
  await said.waitFor()
  // The list stays open, as the user is in it.
  const remove = page.getByRole('button', { name: 'Remove a.txt' })
  await remove.waitFor()
  for (const name of ['a', 'b', 'c', 'bad']) {
    await page.getByRole('button', { name: `Remove ${name}.txt` }).click()
  }
  await page.getByText('Drop them here, or paste').waitFor()
})

send('should add nothing back to a draft that has become a link', async () => {
  const release = await holdChunks(page)
  await choose(page, [file('a.txt', 'first'), file('b.txt', 'second')])
  await page.getByRole('button', { name: 'Remove b.txt' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await getLink(page).click()
  await page.getByText('Link copied').waitFor()
  await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached', timeout: 5000 })
  await release()
  await page.getByText('Your link is ready').waitFor()
  await untilEqual(() => contents(scene, shareIdOf(page)), { 'a.txt': 'first' })
})

/** Pastes a picture with this name, text, or both. As text: the tests' types know no document. */
const paste = (page: Page, place: 'activeElement' | 'body', name: string, text: string) =>
  page.evaluate<boolean>(`{
    const clipboardData = new DataTransfer()
    const name = '${name}'
    if (name) clipboardData.items.add(new File(['picture'], name, { lastModified: 1 }))
    const text = ${JSON.stringify(text)}
    if (text) clipboardData.setData('text/plain', text)
    const options = { bubbles: true, cancelable: true, clipboardData }
    document.${place}.dispatchEvent(new ClipboardEvent('paste', options))
  }`)

send('should send pasted text as a file, but leave text pasted into a field to it', async () => {
  await page.getByText('Drop them here, or paste').waitFor()
  for (const text of [' \n', 'Grüße\nfrom here', 'and there']) await paste(page, 'body', '', text)
  await counted(page, /^2 files/).waitFor()
  await page.getByLabel('Title').focus()
  // A table copied from a program has its picture.
  assert.ok(await paste(page, 'activeElement', 'table.png', 'a table'))
  assert.not(await paste(page, 'activeElement', 'alone.png', ''))
  assert.not(await paste(page, 'body', 'both.png', 'a table'))
  await counted(page, /^4 files/).waitFor()
  await publish(page)
  const read = await contents(scene, shareIdOf(page))
  const pasted = Object.keys(read).filter((name) => /^Pasted text.*\.txt$/.test(name))
  const texts = pasted.map((name) => Buffer.from(read[name]!, 'latin1').toString())
  assert.equal(texts, ['Grüße\nfrom here', 'and there'])
  assert.equal([read['alone.png'], read['both.png']], ['picture', 'picture'])
})

send('should keep input typed while the draft is being created', async () => {
  const gate = await holdRoute(page, '**/api/shares/init')
  const asked = page.waitForRequest('**/api/shares/init')
  await choose(page, [file('a.txt', 'first')])
  await asked
  await page.getByLabel('Title').fill('Typed early')
  await page.getByLabel('Title').blur()
  gate.open()
  const names = async () =>
    (await scene.owner.get('/api/shares')).json().map(({ name }: any) => name)
  await until('the title is kept', async () => (await names()).includes('Typed early'))
})

send('should sort a dropped folder as recipients see it, also after Undo', async () => {
  const top = path.join(scene.folder, 'Alps')
  mkdirSync(path.join(top, 'Day 3'), { recursive: true })
  onDisk(top, {
    'Day 2/2.txt': 'b',
    'Day 10/1.txt': 'c',
    'Day 1/10.txt': 'd',
    'Day 1/9.txt': 'e',
  })
  await heading(page, 'Send files').waitFor()
  await dropOn(page, top, () => page.locator('.dropping').waitFor())
  await page.locator('.dropping').waitFor({ state: 'detached' })
  await page.getByText('Empty folder, left out:').waitFor()
  await untilValue(page.getByLabel('Title'), 'Alps')
  const sorted = ['Alps', 'Day 1', '9.txt', '10.txt', 'Day 2', '2.txt', 'Day 10', '1.txt']
  const rows = () => page.locator('.rows bdi').allInnerTexts()
  await page.getByText('Uploaded. Private').waitFor()
  await openFiles(page)
  await untilEqual(() => rows(), sorted)
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url()))
  await page.getByRole('button', { name: 'Remove Day 1', exact: true }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('9.txt').waitFor()
  await untilEqual(() => rows(), sorted)
  await publish(page)
  const days = { 'Alps/Day 1/9.txt': 'e', 'Alps/Day 1/10.txt': 'd', 'Alps/Day 2/2.txt': 'b' }
  const all = { ...days, 'Alps/Day 10/1.txt': 'c' }
  await untilEqual(() => contents(scene, shareIdOf(page)), all)
  assert.not(
    sent.some((url) => /\/(chunk|tar)$/.test(url)),
    'nothing is uploaded again',
  )
})

send('should offer the link of a draft that is complete', async () => {
  const shareId = await scene.owner.init({ name: 'Whole' })
  await scene.owner.chunk(shareId, 'f', 0, 'content')
  await scene.owner.patch(`/api/shares/${shareId}`, { expectedBytes: 7 })
  const page = await scene.browser.open('/shares')
  const row = page.getByRole('row').filter({ hasText: 'Whole' })
  await row.getByText('Ready, no link yet').waitFor()
  await untilNoMatch(() => row.innerText(), /Uploading|%|Active/)
  await row.getByRole('link', { name: 'Get link' }).click()
  await page.getByText('Ready: create the link').waitFor()
  await getLink(page).click()
  await page.getByText('Link copied').waitFor()
  assert.equal(await contents(scene, shareId), { f: 'content' })
})

send('should not send what was removed from a draft that another device has deleted', async () => {
  await choose(page, [file('a.txt', 'first'), file('b.txt', 'second')])
  await page.getByText('Uploaded. Private until you get the link.').waitFor()
  await page.getByRole('button', { name: 'Remove b.txt' }).click()
  const drafts = (await scene.owner.get('/api/shares')).json<any[]>()
  for (const { id, status } of drafts) {
    if (status === 'draft') await scene.owner.delete(`/api/shares/${id}`)
  }
  await choose(page, [file('c.txt', 'third')])
  await page.getByRole('button', { name: 'Start over with these files' }).click()
  await counted(page, '2 files').waitFor()
  await publish(page)
  await untilEqual(() => contents(scene, shareIdOf(page)), { 'a.txt': 'first', 'c.txt': 'third' })
})
