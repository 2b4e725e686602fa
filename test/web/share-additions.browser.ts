import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite, startBrowser, type Browser } from '../helpers/browser.ts'
import type { Client } from '../helpers/client.ts'
import { Gate } from '../helpers/replaced.ts'
import { startService, type Service } from '../helpers/service.ts'
import { untilOk } from '../helpers/reads.ts'
import { until } from '../helpers/until.ts'
import { startMailServer, useMailServer, type MailServer } from '../email/mail-server.ts'
import { details } from '../shares/changes/scene.ts'

const additions = browserSuite('web: files added to a share')

let service: Service
let mailServer: MailServer
let browser: Browser
let owner: Client

additions.before(async () => {
  service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
  mailServer = await startMailServer()
  await useMailServer(await service.admin(), mailServer.port)
  owner = await service.user('owner@example.org')
  browser = await startBrowser(service.url)
  await browser.logInAs(owner)
})
additions.after.each(async () => {
  assert.equal(await browser.closePages(), [])
})
additions.after(async () => {
  await browser.close()
  await service.stop()
  await mailServer.stop()
})

async function tab(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click()
  await page.locator(`.tabs [aria-current=page]:text-is("${name}")`).waitFor()
}

/** A text file whose content is derived from its name. */
const choose = (page: Page, name: string) =>
  page.getByLabel(/^Add( files)?$/).setInputFiles({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from(`content of ${name}`),
  })

additions('should add files to the same link, and drop cancelled ones', async () => {
  const shareId = await owner.share({ 'old.txt': 'old' }, { name: 'Growing' })
  const page = await browser.open(`/shares/${shareId}`)
  await choose(page, 'new.txt')
  await page.getByRole('link', { name: 'Download new.txt' }).waitFor()
  const { files } = await details(owner, shareId)
  assert.equal(
    files.map((file: any) => file.original_name),
    ['old.txt', 'new.txt'],
  )
  const added = await service.client().get(`/api/shares/${shareId}/files/${files[1].id}`)
  assert.is(added.body.toString(), 'content of new.txt')

  await page.route('**/chunk', () => {})
  await choose(page, 'never.txt')
  await page.getByRole('button', { name: 'Cancel upload' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel this upload?' })
  await dialog.getByText('deletes the files being added to “Growing”').waitFor()
  const cancel = dialog.getByRole('button', { name: 'Cancel upload' })
  await page.route('**/additions', (route) => route.fulfill({ status: 500 }))
  await cancel.click()
  await dialog.getByRole('alert').waitFor()
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await page.unroute('**/additions')
  await cancel.click()
  await page.getByLabel(/^Add( files)?$/).waitFor()
  assert.is((await details(owner, shareId)).files.length, 2)
  // Nothing is left that would accept chunks.
  assert.is((await owner.get(`/api/shares/${shareId}/chunks`)).status, 409)
})

additions('should let choices change while files are being added', async () => {
  const shareId = await owner.share({ 'old.txt': 'old' }, { recipients: 'oma@example.org' })
  await service.app.services.emails.idle()
  mailServer.received.length = 0
  const page = await browser.open(`/shares/${shareId}`)
  const gate = new Gate()
  await page.route('**/chunk', async (route) => {
    await gate.passed
    await route.continue()
  })
  await choose(page, 'new.txt')
  const tell = page.getByLabel('Email the recipient')
  await page.getByRole('button', { name: 'Cancel upload' }).waitFor()
  await tell.check()
  // The choice belongs to the upload, not to the view.
  await tab(page, 'Settings')
  await tab(page, 'Files')
  await untilOk(() => tell.isChecked())
  gate.open()
  await page.getByRole('link', { name: 'Download new.txt' }).waitFor()
  await service.app.services.emails.idle()
  assert.equal(mailServer.recipients(), ['oma@example.org'])
})

additions('should accept files chosen while additions are being started', async () => {
  const shareId = await owner.share({ 'old.txt': 'old' }, { name: 'Twice' })
  const page = await browser.open(`/shares/${shareId}`)
  const gate = new Gate()
  let begun = 0
  await page.route('**/additions', async (route) => {
    begun += 1
    await gate.passed
    await route.continue()
  })
  for (const name of ['one.txt', 'two.txt']) {
    await choose(page, name)
    await until('additions have started', async () => begun > 0)
  }
  gate.open()
  await page.getByRole('link', { name: 'Download two.txt' }).waitFor()
  const { files } = await details(owner, shareId)
  assert.equal(files.map((file: any) => file.original_name).toSorted(), [
    'old.txt',
    'one.txt',
    'two.txt',
  ])
  assert.is(begun, 1)
})
