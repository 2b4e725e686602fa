import * as assert from 'uvu/assert'
import { browserSuite, holdRoute } from '../helpers/browser.ts'
import { randomContent } from '../helpers/client.ts'
import { useMailServer } from '../email/mail-server.ts'
import { Gate, until, untilCount, untilEqual, untilIs, untilMatch } from '../helpers/until.ts'
import { untilNoMatch } from '../helpers/until.ts'
import { choose, chooseExpiry, chosenExpiry, contents, copied, counted, expiry } from './sender.ts'
import { file, getLink, holdChunks, publish, link, openOptions, shareIdOf } from './sender.ts'
import { startScene } from './sender.ts'

const settings = browserSuite('web: send, settings and looks')

const scene = await startScene(settings)

settings('should report files that are too large or not allowed before sending them', async () => {
  const admin = await scene.service.admin()
  const limits = { maxShareSize: 1_000_000, maxFileSize: 800_000, blockedExtensions: ['exe'] }
  await admin.put('/api/config', limits)
  const page = await scene.browser.open('/')
  await page.getByText('Up to 1 MB').waitFor()
  await choose(page, [
    file('setup.EXE', 'virus'),
    file('film.bin', randomContent(900_000, 1)),
    file('a.bin', randomContent(700_000, 2)),
    file('b.bin', randomContent(600_000, 3)),
  ])
  await page.getByText('Files such as .exe are not accepted here.').waitFor()
  await page.getByText('This file is larger than the service allows.').waitFor()
  await counted(page, '2 files · 1.3 MB').waitFor()
  await page.getByRole('status').getByText('2 files were skipped. See the list.').waitFor()
  await page.getByText('Too big by 300 kB.').waitFor()
  await untilIs(() => getLink(page).getAttribute('aria-disabled'), 'true')
  await page.getByRole('button', { name: 'Remove', exact: true }).first().click()
  await page.getByText('Too big by').waitFor({ state: 'detached' })
  await page.getByText('Uploaded. Private').waitFor()
  await publish(page)
  await untilEqual(async () => Object.keys(await contents(scene, shareIdOf(page))), ['b.bin'])
  await admin.put('/api/config', { maxShareSize: 0, maxFileSize: 0, blockedExtensions: [] })
})

settings('should keep the newer of two changes, however long the first one takes', async () => {
  const page = await scene.browser.open('/')
  await choose(page, [file('a.txt', 'first')])
  await page.getByText('Uploaded. Private').waitFor()
  const gate = new Gate()
  const changes: string[] = []
  let shareId = ''
  let answered = 0
  await page.route(/\/api\/shares\/[^/]+$/, async (route) => {
    const body = route.request().postData() ?? ''
    if (!body.includes('expirationVal')) return route.continue()
    shareId = route.request().url().split('/').at(-1)!
    changes.push(body)
    if (changes.length === 1) await gate.passed
    await route.fulfill({ response: await route.fetch() })
    answered += 1
  })
  await chooseExpiry(page, '30 days')
  await until('the first is running', () => changes.length === 1)
  await chooseExpiry(page, '1 day')
  // Requests sent at once are seen before this one is answered.
  await page.evaluate('fetch("/api/limits").then((answer) => answer.text())')
  gate.open()
  await until('both were answered', () => answered === 2)
  const share = (await scene.owner.get(`/api/shares/${shareId}`)).json()
  assert.equal([share.expirationVal, share.expirationUnit], [1, 'Days'])
})

settings('should expire at the end of a chosen day, also after a reload', async () => {
  const page = await scene.browser.open('/')
  await choose(page, [file('a.txt', 'first')])
  await chooseExpiry(page, 'Date…')
  const day = page.getByLabel('Expires at the end of')
  // As text: the tests' types know no date fields.
  const inDays = (days: number) =>
    page.evaluate<string>(`{
      const date = new Date(Date.now() + ${days} * 86_400_000)
      const two = (part) => String(part).padStart(2, '0')
      ;[date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
    }`)
  await until(async () => assert.is(await day.inputValue(), await inDays(7)))
  await until(async () => assert.is(await day.getAttribute('min'), await inDays(0)))
  await untilIs(() => chosenExpiry(page), 'Date…')
  const wanted = await inDays(40)
  await day.fill(wanted)
  await day.blur()
  await page.getByText('Uploaded. Private').waitFor()
  await publish(page)
  const share = (await scene.owner.get(`/api/shares/${shareIdOf(page)}`)).json()
  const end = await page.evaluate<string>(`new Date('${wanted}T23:59:59').toISOString()`)
  assert.equal([share.expires_at, share.fixedExpiry], [end, true])
  // A day belongs to one share.
  await page.getByRole('link', { name: 'Send another' }).click()
  await choose(page, [file('b.txt', 'second')])
  await expiry(page).waitFor()
  await untilIs(() => chosenExpiry(page), '7 days')
})

settings(
  'should speak of the email until it has been sent, or get the link at once instead',
  async () => {
    const page = await scene.browser.open('/')
    const release = await holdChunks(page)
    await choose(page, [file('a.txt', 'first')])
    await page.getByLabel('To', { exact: true }).fill('ann@example.org')
    await page.getByRole('button', { name: 'Send to 1 person' }).click()
    await page.getByText('gets the link when the upload is complete').waitFor()
    const gate = await holdRoute(page, '**/emails')
    await release()
    await page.locator('.ring.done').waitFor()
    await untilMatch(() => page.locator('.said').innerText(), 'Sending to 1 person')
    await page.getByText('gets the link when the upload is complete').waitFor()
    gate.open()
    await page.getByText('Sent to 1 person').waitFor()
    await page.getByRole('link', { name: 'Send another' }).click()
    await choose(page, [file('b.txt', 'b')])
    await page.getByLabel('To', { exact: true }).fill('ann@example.org')
    await page.getByRole('button', { name: 'Get a link instead' }).click()
    await page.getByText('Your link is ready').waitFor()
    assert.is((await scene.owner.get(`/api/shares/${shareIdOf(page)}`)).json().recipients, '')
  },
)

settings('should send with all settings, and say when a custom link is taken', async () => {
  await scene.owner.patch(`/api/shares/${await scene.owner.init()}`, { slug: 'taken-1' })
  const page = await scene.browser.open('/')
  await choose(page, [file('a.txt', 'first')])
  await page.getByLabel('Title').fill('Letters')
  await openOptions(page)
  await page.getByLabel('Message').fill('For you')
  await chooseExpiry(page, '30 days')
  await page.getByText(/^Expires on \w{3},? (\w{3} \d|\d+ \w{3})/).waitFor()
  await page.getByRole('switch', { name: 'Password' }).check()
  const field = page.getByRole('textbox', { name: 'Password' })
  const first = await field.inputValue()
  await page.getByRole('button', { name: 'New', exact: true }).click()
  const password = await field.inputValue()
  assert.is.not(password, first)
  assert.match(password, /^([a-z2-9]{4}-){2}[a-z2-9]{4}$/)
  await page.getByLabel('Download limit').fill('3')
  await untilNoMatch(() => page.getByRole('main').innerText(), 'Anyone')
  await page.getByLabel('Custom link').fill('taken-1')
  const to = page.getByLabel('To', { exact: true })
  await to.fill('ann@example.org, nobody')
  await page.getByRole('button', { name: 'Send to 1 person' }).click()
  await page.getByText('Not an email address: nobody').waitFor()
  await page.getByRole('button', { name: 'Remove nobody' }).click()
  await to.fill('ben@example.org')
  const button = page.getByRole('button', { name: 'Send to 2 people' })
  await button.click()
  await page.getByText('This link is already taken. Choose another one.').waitFor()
  await page.locator(':focus[aria-invalid]').waitFor()
  await page.getByLabel('Custom link').fill('letters')
  await button.click()
  await page.getByText('Your link is ready').waitFor()
  await untilMatch(() => link(page).inputValue(), /\/s\/letters$/)
  await page.getByRole('listitem').filter({ hasText: 'ann@example.org' }).waitFor()
  const share = (await scene.owner.get(`/api/shares/${shareIdOf(page)}`)).json()
  const { name, message, max_downloads: most, recipients, protected: isLocked } = share
  const people = 'ann@example.org, ben@example.org'
  assert.equal([name, message, most, recipients, isLocked], ['Letters', 'For you', 3, people, true])
  const days = (Date.parse(share.expires_at) - scene.service.clock.now()) / 86_400_000
  assert.ok(days > 27 && days < 32)
  // The password, until the page is left.
  await page.getByRole('button', { name: 'Copy password' }).click()
  await untilIs(() => copied(page), password)
  const path = `/api/shares/${share.id}/verify`
  assert.is((await scene.service.client().post(path, { password })).json().valid, true)
  await page.reload()
  await page.getByText(/·.password/).waitFor()
  await untilCount(page.getByRole('button', { name: 'Copy password' }), 0)
})

settings('should offer no email without a mail server, and tell administrators why', async () => {
  const admin = await scene.service.admin()
  await admin.put('/api/config', { smtpHost: '' })
  const recipients = 'ann@example.org'
  const shareId = await scene.owner.share({ 'a.txt': 'first' }, { recipients })
  for (const address of ['/', '/requests/new', `/shares/${shareId}/recipients`]) {
    const page = await scene.browser.open(address)
    await page.locator('h1').waitFor()
    if (address === '/') await choose(page, [file('a.txt', 'first')])
    await page.getByRole('button', { name: /^(Get link|Create and copy link|Copy)$/ }).waitFor()
    await untilCount(page.getByLabel(/by email|notify/i), 0, address)
    await untilCount(page.getByRole('button', { name: /^Send/ }), 0, address)
    await untilCount(page.getByText('no mail server is set up'), 0, address)
  }
  await scene.browser.logInAs(admin)
  const page = await scene.browser.open('/requests/new')
  await page.getByText('More options', { exact: true }).click()
  await page.getByText('Email is off: no mail server is set up.').waitFor()
  await page.getByRole('link', { name: 'Set up email' }).click()
  await page.getByLabel('SMTP server').waitFor()
  await useMailServer(admin, scene.mailServer.port)
  await scene.browser.logInAs(scene.owner)
})
