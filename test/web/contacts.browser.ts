import * as assert from 'uvu/assert'
import type { Page } from 'playwright-core'
import { browserSuite, holdRoute } from '../helpers/browser.ts'
import { pluck } from '../helpers/client.ts'
import { until, untilCount, untilEqual, untilIs, untilValue } from '../helpers/until.ts'
import { choose, file, heading, openOptions, startScene } from './sender.ts'

const contacts = browserSuite('web: contacts and recipients')
const path = '/api/account/contacts'

const scene = await startScene(contacts)
contacts.after.each(async () => {
  for (const { id } of await listed()) await scene.owner.delete(`${path}/${id}`)
})

const listed = async () => (await scene.owner.get(path)).json<{ id: string; email: string }[]>()
const field = (page: Page) => page.getByLabel('To', { exact: true })
const chips = (page: Page) =>
  page.getByRole('list', { name: 'Recipients' }).getByRole('listitem').allInnerTexts()
const focused = (page: Page) =>
  page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.type')

async function openSend(): Promise<Page> {
  const page = await scene.browser.open('/')
  await choose(page, [file('a.txt', 'first')])
  await page.getByText('Uploaded. Private').waitFor()
  await openOptions(page)
  return page
}

contacts('should turn addresses with any separator into chips, and remove them', async () => {
  const page = await openSend()
  await field(page).pressSequentially('ann@example.org,ben@example.org;cleo@example.org ')
  await field(page).pressSequentially('Dora Day <dora@example.org>')
  await page.keyboard.press('Enter')
  const four = ['ann@example.org', 'ben@example.org', 'cleo@example.org']
  await untilEqual(() => chips(page), [...four, 'Dora Day <dora@example.org>'])
  await page.getByRole('button', { name: 'Send to 4 people' }).waitFor()
  // Already a recipient, and with text still being typed.
  await field(page).pressSequentially('ANN@example.org ')
  await field(page).pressSequentially('eve@example.org')
  await page.getByRole('button', { name: 'Send to 5 people' }).waitFor()
  await field(page).fill('')
  // By its button; the focus moves to the next one, then to the field.
  await page.getByRole('button', { name: 'Remove ben@example.org' }).click()
  await untilIs(() => focused(page), 'Remove cleo@example.org')
  for (const name of ['cleo', 'dora', 'ann']) {
    await untilIs(() => focused(page), `Remove ${name}@example.org`)
    await page.keyboard.press('Enter')
  }
  await untilIs(() => focused(page), 'text')
  await untilEqual(() => chips(page), [])
  // By the key, to edit it.
  await field(page).pressSequentially('fay@example.org ')
  await page.keyboard.press('Backspace')
  await untilValue(field(page), 'fay@example.org')
  await page.getByRole('button', { name: 'Send to 1 person' }).waitFor()
  // What is no address is not announced as one.
  await field(page).fill('nonsense')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove nonsense' }).waitFor()
  await untilCount(page.getByText('Added: nonsense'), 0)
})

contacts('should offer to keep new recipients, and suggest them the next time', async () => {
  await scene.owner.post(path, { email: 'ann@example.org', name: 'Ann' })
  const recipients = 'ANN@example.org, Bob <bob@example.org>'
  const shareId = await scene.owner.share({ 'a.txt': 'first' }, { recipients })
  const page = await scene.browser.open(`/shares/${shareId}?new`)
  await page.getByRole('button', { name: 'Add Bob <bob@example.org> to contacts' }).click()
  await page.getByText('Added to your contacts.').waitFor()
  const kept = ['ann@example.org', 'bob@example.org']
  await untilEqual(async () => pluck(await listed(), 'email'), kept)
  // New recipients are offered too.
  await page.getByText('Add person').click()
  await field(page).pressSequentially('cleo@example.org dora@example.org ')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('button', { name: 'Add 2 people to contacts' }).waitFor()
  await page.getByRole('link', { name: 'Send another' }).click()
  await choose(page, [file('a.txt', 'first')])
  await openOptions(page)
  await field(page).focus()
  const options = page.locator('datalist option')
  await options.first().waitFor({ state: 'attached' })
  const suggested = await options.evaluateAll((all) => all.map((one: any) => one.value))
  assert.equal(suggested, ['Ann <ann@example.org>', 'Bob <bob@example.org>'])
  // A chosen contact is a chip at once, and not suggested again.
  await field(page).evaluate((input: any) => {
    input.value = 'Bob <bob@example.org>'
    const inputType = 'insertReplacementText'
    input.dispatchEvent(new (globalThis as any).InputEvent('input', { inputType, bubbles: true }))
  })
  await untilEqual(() => chips(page), ['Bob <bob@example.org>'])
  await untilCount(options, 1)
})

contacts('should add, change and remove contacts, and restore removed ones', async () => {
  const page = await scene.browser.open('/account/contacts')
  await heading(page, 'Contacts').waitFor()
  await page.getByText('No contacts yet.').waitFor()
  const add = page.getByRole('button', { name: 'Add contact' })
  await add.click()
  await page.getByLabel('Email').fill('eve@example.org')
  await page.getByLabel('Name').fill('Eve')
  await page.keyboard.press('Enter')
  await page.getByText('Added Eve.').waitFor()
  await add.click()
  await page.getByLabel('Email').fill('EVE@example.org')
  await page.keyboard.press('Enter')
  await page.getByText('This address is already in your contacts.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Edit Eve' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit “Eve”' })
  await dialog.getByLabel('Name').fill('Eva')
  await page.keyboard.press('Enter')
  await page.getByText('Eva', { exact: true }).waitFor()
  await untilCount(dialog, 0)
  await page.getByRole('button', { name: 'Remove Eva' }).click()
  await page.getByText('No contacts yet.').waitFor()
  await untilEqual(() => listed(), [])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Eva', { exact: true }).waitFor()
  await until('it is back', async () => (await listed())[0]?.email === 'eve@example.org')
  await untilCount(page.getByLabel('Search contacts'), 0)
})

contacts('should restore a contact while another one is being removed', async () => {
  for (const name of ['Ann', 'Bob']) {
    await scene.owner.post(path, { name, email: `${name}@example.org` })
  }
  const page = await scene.browser.open('/account/contacts')
  await page.getByRole('button', { name: 'Remove Ann' }).click()
  await page.getByText('Removed Ann.').waitFor()
  const gate = await holdRoute(page, `**${path}/*`)
  const asked = page.waitForRequest((sent) => sent.method() === 'DELETE')
  await page.getByRole('button', { name: 'Remove Bob' }).click()
  await asked
  await page.getByRole('button', { name: 'Undo' }).click()
  gate.open()
  await page.getByRole('button', { name: 'Remove Ann' }).waitFor()
  await untilCount(page.getByRole('button', { name: 'Remove Bob' }), 0)
  await untilEqual(async () => pluck(await listed(), 'email'), ['Ann@example.org'])
})
