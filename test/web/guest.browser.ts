import * as assert from 'uvu/assert'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { browserSuite, fileChooser } from '../helpers/browser.ts'
import { untilCount, untilEqual, untilIs, untilNot, untilOk, untilValue } from '../helpers/until.ts'
import { until } from '../helpers/until.ts'
import { Guest, makeLink, pluck } from '../helpers/client.ts'
import { lookAt } from './looks.ts'
import { onDisk, startScene } from './sender.ts'

const guest = browserSuite("web: the guest's page")

const scene = await startScene(guest, { as: 'nobody', mail: false })
const { service, owner, browser, folder, another } = scene

const file = (name: string, content: string | Buffer) => onDisk(folder, { [name]: content })[0]!

async function delivered(id: string): Promise<Record<string, any>[]> {
  const deliveries = (await owner.get(`/api/reverse/${id}/deliveries`)).json<any[]>()
  return deliveries.filter(({ status }) => status === 'complete')
}

async function contentOf(fileId: number): Promise<string> {
  return (await owner.get(`/api/reverse/files/${fileId}/download`)).body.toString()
}

const chooser = (page: Page) => page.getByLabel('Add files')

/** Optional fields are folded. */
const unfold = (page: Page) => page.getByText('Add your name or a note').click()

guest('should deliver files and a folder, and say thanks', async () => {
  const input = { name: 'Project X', thankYouMessage: 'See you!', maxSize: 5_000_000 }
  const id = await makeLink(owner, input)
  const page = await browser.open(`/r/${id}`)
  await page.getByRole('heading', { name: 'Project X' }).waitFor()
  await page.getByText('up to 5 MB').waitFor()
  const send = page.getByRole('button', { name: /^Send / })
  await chooser(page).setInputFiles([file('one.txt', 'first'), file('two.bin', 'second')])
  file('trip/day 1/map.txt', 'left, then right')
  file('trip/list.txt', 'bread')
  await page.getByLabel('Add folder').setInputFiles(path.join(folder, 'trip'))
  await page.getByText('Send 4 files (32 bytes)').waitFor()
  await page.getByRole('button', { name: 'Remove two.bin' }).click()
  await unfold(page)
  await page.getByLabel('Your name').fill('Ann')
  await page.getByLabel('Your email').fill('ann@example.org')
  await page.getByLabel('Note').fill('as promised')
  await send.click()
  const heading = page.getByRole('heading', { name: 'Thank you' })
  await heading.waitFor()
  await page.locator('h1:focus').waitFor()
  await page.getByText('owner@example.org has 3 files (26 bytes).').waitFor()
  await page.getByText('See you!').waitFor()

  const [delivery] = await delivered(id)
  const { sender_name, sender_email, note, files, reference } = delivery!
  const quoted = `Your reference is ${reference}. Quote it if you contact owner@example.org.`
  await page.getByText(quoted).waitFor()
  assert.equal([sender_name, sender_email, note], ['Ann', 'ann@example.org', 'as promised'])
  const found: Record<string, string> = {}
  for (const { id: fileId, original_name } of files) found[original_name] = await contentOf(fileId)
  assert.equal(found, {
    'one.txt': 'first',
    'trip/day 1/map.txt': 'left, then right',
    'trip/list.txt': 'bread',
  })

  // A second delivery: the name need not be entered again.
  await page.getByRole('button', { name: 'Send more' }).click()
  await untilValue(page.getByLabel('Your name'), 'Ann')
  await chooser(page).setInputFiles(file('more.txt', 'more'))
  await page.getByRole('button', { name: 'Send 1 file' }).click()
  await heading.waitFor()
  await until(async () => assert.is((await delivered(id)).length, 2))
})

guest('should show the requirements, and accept nothing else', async () => {
  const wishes = { instructions: 'Scans, please:\n<b>300 dpi', allowedExtensions: ['pdf'] }
  const id = await makeLink(owner, { name: 'Papers', once: true, ...wishes })
  const page = await browser.open(`/r/${id}`)
  await page.getByRole('heading', { name: 'Papers' }).waitFor()
  await page.getByText('owner@example.org asks you for').waitFor()
  await page.getByText('Only owner@example.org can see your files').waitFor()
  await untilIs(() => page.getByText('Scans, please').innerText(), 'Scans, please:\n<b>300 dpi')
  await page.getByText('only PDF · for one delivery').waitFor()
  await untilIs(() => chooser(page).getAttribute('accept'), '.pdf')
  await chooser(page).setInputFiles([file('one.pdf', 'first'), file('two.txt', 'second')])
  await page.getByText('Files such as .txt are not accepted here.').waitFor()
  await page.getByRole('button', { name: 'Send 1 file (5 bytes)' }).click()
  await page.getByText('owner@example.org has 1 file (5 bytes).').waitFor()
  await untilCount(page.getByRole('button', { name: 'Send more' }), 0)
  await page.reload()
  await page.getByRole('heading', { name: 'This request is closed' }).waitFor()
  await page.getByText('Only one delivery was possible, and it was made on').waitFor()
})

guest('should send nothing before the required fields are filled in, also later ones', async () => {
  const id = await makeLink(owner, { name: 'Papers', requiredFields: ['name', 'note'] })
  const page = await browser.open(`/r/${id}`)
  await chooser(page).setInputFiles(file('one.txt', 'first'))
  const name = page.getByLabel('Your name', { exact: true })
  const note = page.getByLabel('Note', { exact: true })
  const isAsked = (field: Locator) => field.evaluate((it) => it.matches(':focus:invalid'))
  const send = page.getByRole('button', { name: 'Send 1 file' })
  await send.click()
  await untilOk(() => isAsked(name))
  await name.fill('Ann')
  // Blanks do not count.
  await note.fill('  ')
  await send.click()
  await untilOk(() => isAsked(note))
  await untilEqual(() => delivered(id), [])
  await note.fill('as promised')
  const requiredFields = ['name', 'note', 'email']
  await owner.patch(`/api/reverse/${id}`, { requiredFields })
  await send.click()
  await page.getByRole('alert').getByText('senderEmail: is required').waitFor()
  await page.getByRole('button', { name: 'Back' }).click()
  await untilValue(name, 'Ann')
  await page.getByLabel('Your email').fill('ann@example.org')
  await send.click()
  await page.getByText('owner@example.org has 1 file (5 bytes).').waitFor()
  const [delivery] = await delivered(id)
  assert.equal([delivery!['sender_name'], delivery!['note']], ['Ann', 'as promised'])
})

guest('should inform the second guest at a link for one delivery', async () => {
  const id = await makeLink(owner, { once: true })
  const page = await browser.open(`/r/${id}`)
  await chooser(page).setInputFiles(file('late.txt', 'late'))
  const send = page.getByRole('button', { name: 'Send 1 file' })
  await send.waitFor()
  // Both have started; the other one finishes first.
  await page.route('**/finalize', async (route) => {
    await new Guest(service.client(), id).deliver({ 'first.txt': 'x' })
    await route.continue()
  })
  await send.click()
  const words = 'Only one delivery was possible, and it has been made.'
  await page.getByRole('alert').getByText(words).waitFor()
  const states = (await owner.get(`/api/reverse/${id}/deliveries`)).json<any[]>()
  assert.equal(pluck(states, 'status').map(String).toSorted(), ['complete', 'draft'])
})

guest('should work by keyboard alone, behind a password, on a local network', async () => {
  const id = await makeLink(owner, { password: 'sesame' })
  const page = await (await another(null, { onLan: true })).open(`/r/${id}`)
  await untilNot(() => page.evaluate('isSecureContext'))
  await page.getByLabel('Password').waitFor()
  await page.keyboard.type('wrong')
  await page.keyboard.press('Enter')
  await page.getByText('Wrong password.').waitFor()
  await page.keyboard.type('sesame')
  await page.keyboard.press('Enter')
  await chooser(page).waitFor()
  await chooser(page).focus()
  const picker = await fileChooser(page, () => page.keyboard.press('Space'))
  await picker.setFiles(file('key.txt', 'board'))
  await page.getByText('Send 1 file').waitFor()
  await unfold(page)
  await page.getByLabel('Your name').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  assert.is(await contentOf((await delivered(id))[0]!['files'][0].id), 'board')
})

guest('should accept files dropped on the window and pasted', async () => {
  const id = await makeLink(owner)
  const page = await browser.open(`/r/${id}`)
  await chooser(page).waitFor()
  // As text: the tests' types know no document.
  const bring = (event: string) => `{
    const data = new DataTransfer()
    data.items.add(new File(['dragged'], '${event}.txt', { lastModified: 1 }))
    const options = { bubbles: true, cancelable: true }
    document.body.dispatchEvent(
      '${event}' === 'paste'
        ? new ClipboardEvent('paste', { ...options, clipboardData: data })
        : new DragEvent('${event}', { ...options, dataTransfer: data }),
    )
  }`
  await page.evaluate(bring('dragenter'))
  await page.locator('.dropping').waitFor()
  await page.evaluate(bring('drop'))
  await untilCount(page.locator('.dropping'), 0)
  await page.getByText('drop.txt').waitFor()
  await page.evaluate(bring('paste'))
  await page.getByText('paste.txt').waitFor()
  await page.getByText('Send 2 files').waitFor()
})

guest('should say what cannot be sent before anything is sent', async () => {
  const admin = await service.admin()
  await admin.put('/api/config', { blockedExtensionsGuests: ['exe'] })
  const id = await makeLink(owner, { maxSize: 1000 })
  const page = await browser.open(`/r/${id}`)
  await chooser(page).setInputFiles([file('virus.EXE', 'x')])
  await page.getByText('Files such as .exe are not accepted here.').waitFor()
  await untilCount(page.getByRole('button', { name: /^Send/ }), 0)
  await chooser(page).setInputFiles([file('big.bin', Buffer.alloc(1500))])
  await page.getByRole('status').getByText('1 file was skipped. See the list.').waitFor()
  await page.getByText('Too big by 500 bytes: remove something.').waitFor()
  const send = page.getByRole('button', { name: 'Send 1 file' })
  await untilIs(() => send.getAttribute('aria-disabled'), 'true')
  await page.getByRole('button', { name: 'Remove big.bin' }).click()
  await untilCount(page.getByText('Too big'), 0)
  file('mixed/note.txt', 'note')
  file('mixed/run.exe', 'virus')
  await page.getByLabel('Add folder').setInputFiles(path.join(folder, 'mixed'))
  await page.getByRole('button', { name: 'mixed 1 file · 4 bytes' }).waitFor()
  await page.getByRole('button', { name: 'Send 1 file (4 bytes)' }).waitFor()
  await page.getByRole('status').getByText('2 files were skipped.').waitFor()
  assert.equal((await owner.get(`/api/reverse/${id}/deliveries`)).json(), [])
  await admin.put('/api/config', { blockedExtensionsGuests: [] })
})

/** Chunks get through only while `gate.isOpen`; otherwise the service sends a long Retry-After. */
async function guard(page: Page): Promise<{ isOpen: boolean }> {
  const gate = { isOpen: false }
  const refusal = { status: 503, headers: { 'Retry-After': '600' }, body: '<h1>Busy</h1>' }
  await page.route('**/chunk', (route) => (gate.isOpen ? route.continue() : route.fulfill(refusal)))
  return gate
}

guest('should wait for a lost connection and continue by itself', async () => {
  const id = await makeLink(owner)
  const page = await browser.open(`/r/${id}`)
  let isCut = true
  await page.route('**/chunk', (route) => (isCut ? route.abort() : route.continue()))
  await chooser(page).setInputFiles(file('one.txt', 'first'))
  await page.getByRole('button', { name: 'Send 1 file' }).click()
  await page.getByText(/^.*Connection lost.*trying again in \d+ s$/).waitFor()
  isCut = false
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  await until(async () => assert.is((await delivered(id)).length, 1))
})

guest('should continue what began before the link expired, and take nothing new', async () => {
  const id = await makeLink(owner, { expirationVal: 1, expirationUnit: 'Hours' })
  const page = await browser.open(`/r/${id}`)
  const gate = await guard(page)
  const one = file('one.txt', 'first')
  await chooser(page).setInputFiles(one)
  await page.getByRole('button', { name: 'Send 1 file' }).click()
  await page.getByText('Service busy').first().waitFor()
  service.clock.advance(2 * 3_600_000)
  gate.isOpen = true
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  const again = page.getByRole('button', { name: 'Continue' })
  await again.waitFor()
  await untilCount(chooser(page), 0)
  assert.is((await service.client().get(`/r/${id}`)).status, 410)
  await again.click()
  await chooser(page).setInputFiles(one)
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  await untilCount(page.getByRole('button', { name: 'Send more' }), 0)
  await until(async () => assert.is((await delivered(id)).length, 1))
  await page.reload()
  await page.getByRole('heading', { name: 'This request is closed' }).waitFor()
})

guest('should say that a request was withdrawn, and keep the chosen files', async () => {
  const id = await makeLink(owner)
  const page = await browser.open(`/r/${id}`)
  const gate = await guard(page)
  await chooser(page).setInputFiles(file('one.txt', 'first'))
  await page.getByRole('button', { name: 'Send 1 file' }).click()
  await page.getByText('Service busy').first().waitFor()
  await owner.delete(`/api/reverse/${id}`)
  gate.isOpen = true
  await page.getByRole('button', { name: 'Try now' }).click()
  await page.getByText('This was deleted or has expired').waitFor()
  await page.getByRole('button', { name: 'Start over' }).click()
  await page.getByText('one.txt').waitFor()
  await page.getByRole('button', { name: 'Send 1 file' }).click()
  await page.getByText('There is nothing here.').waitFor()
})

guest('should use German where the browser does, and be readable everywhere', async () => {
  const name = 'Unterlagen für das Projekt mit einem sehr langen Namen'
  const thankYouMessage = 'Bis bald!\nAnna'
  const id = await makeLink(owner, { name, thankYouMessage, maxSize: 5_000_000 })
  const locked = await makeLink(owner, { password: 'sesame' })
  const files = [
    file('Ein-sehr-langer-Dateiname-ohne-jedes-Leerzeichen-und-noch-mehr.txt', 'x'),
    file('zwei.bin', Buffer.alloc(70_000)),
  ]
  const other = await another(null, { language: 'de-DE' })
  const page = await other.open(`/r/${id}`)
  await page.getByRole('heading', { name }).waitFor()
  await lookAt(page, 'guest-empty')
  await page.getByLabel('Dateien hinzufügen').setInputFiles(files)
  await page.getByText('2 Dateien senden').waitFor()
  await lookAt(page, 'guest-chosen')
  const gate = await guard(page)
  await page.getByRole('button', { name: '2 Dateien senden' }).click()
  await page.getByText('Dienst ausgelastet').first().waitFor()
  await lookAt(page, 'guest-waiting')
  gate.isOpen = true
  await page.getByRole('button', { name: 'Jetzt versuchen' }).click()
  await page.getByRole('heading', { name: 'Vielen Dank' }).waitFor()
  await lookAt(page, 'guest-done')
  await page.goto(other.address(`/r/${locked}`))
  await page.getByLabel('Passwort').waitFor()
  await lookAt(page, 'guest-locked')
  await page.goto(other.address('/r/AAAAAAAAAAAAAAAAAAAAAA'))
  await page.getByRole('heading', { name: 'Link nicht gefunden' }).waitFor()
  await lookAt(page, 'guest-refusal')
})
