import { browserSuite } from '../helpers/browser.ts'
import { untilMatch } from '../helpers/until.ts'
import { tokenOf } from '../shares/personal-links/scene.ts'
import { lookAt } from './looks.ts'
import { choose, copied, file, openOptions, shareIdOf, startScene } from './sender.ts'

const people = browserSuite('web: shares for named people')

const scene = await startScene(people)

people('should send files to named people with a code, and show what became of them', async () => {
  const { browser, owner, service } = scene
  const page = await browser.open('/')
  await choose(page, [file('plans.txt', 'the plans')])
  await openOptions(page)
  await page.getByLabel('Who can open it').selectOption('named')
  await page.getByLabel('They prove who they are by').selectOption('code')
  await lookAt(page, 'send-named')
  await page.getByLabel('To', { exact: true }).fill('ada@example.org, bob@example.org,')
  await page.getByRole('button', { name: /^(Get link|Send to)/ }).click()
  const ada = page.getByRole('listitem').filter({ hasText: 'ada@example.org' })
  await ada.getByText('sent · not opened yet').waitFor()
  await lookAt(page, 'ready-named')
  const shareId = shareIdOf(page)
  const token = await tokenOf(owner, shareId, 'ada@example.org')
  await ada.getByRole('button', { name: 'Copy link of ada@example.org' }).click()
  await untilMatch(() => copied(page), `/s/${token}`)

  const opened = await (await scene.another(null, { javaScript: false })).open(`/s/${token}`)
  await opened.getByText('a•••@example.org').waitFor()
  await opened.getByRole('button', { name: 'Email me a code' }).click()
  await opened.getByText('We sent a code to a•••@example.org').waitFor()
  await opened.getByLabel('Code').fill('000000')
  await opened.getByRole('button', { name: 'Open' }).click()
  await opened.getByRole('alert').waitFor()
  await service.app.services.emails.idle()
  const code = /\d{6}/.exec(scene.mailServer.received.at(-1)!.headers['subject']!)![0]
  await opened.getByLabel('Code').fill(code)
  await opened.getByRole('button', { name: 'Open' }).click()
  await opened.getByText('plans.txt').waitFor()

  await page.goto(browser.address(`/shares/${shareId}/recipients`))
  await ada.getByText(/^Opened/).waitFor()
  await page.getByText('Add person').first().click()
  await page.getByLabel('Email').fill('carl@example.org')
  await page.getByLabel('Name').fill('Carl')
  await page.getByRole('button', { name: 'Add person' }).click()
  await page.getByText('Carl', { exact: true }).waitFor()
  await ada.getByRole('button', { name: 'More for ada@example.org' }).click()
  await ada.getByRole('button', { name: 'Revoke link' }).click()
  await lookAt(page, 'revoke-person')
  await page.getByRole('button', { name: 'Revoke link' }).click()
  await ada.getByText('revoked').waitFor()
  await lookAt(page, 'people')
  await opened.reload()
  await opened.getByText('Link not found').waitFor()
})
