// The whole service at https://example.org/files: people and programs beside another application
// at the root of the same host, which must never be asked for anything of ours.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite, saved, signInAt, startBrowser, type Browser } from '../helpers/browser.ts'
import { blocksUnder, replaceAll } from '../helpers/docs.ts'
import { ownPort } from '../helpers/own-port.ts'
import { Proxy } from '../helpers/proxy.ts'
import { adminEmail, adminPassword, startService, type Service } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'
import { choose, file, filesIn, getLink, heading, link } from '../web/sender.ts'

interface SubPathScene {
  /** Address of nginx, without a path. */
  readonly origin: string
  readonly service: Service
  /** What the other application was asked for: `GET /…`. */
  readonly strayed: string[]
  stop(): Promise<void>
}

async function startSubPath(): Promise<SubPathScene> {
  const port = ownPort()
  const origin = `http://127.0.0.1:${port}`
  const env = {
    BASE_URL: `${origin}/files`,
    TRUST_PROXY: '127.0.0.1',
    RATE_LIMIT_LOGIN: 'off',
    RATE_LIMIT_DOWNLOAD: 'off',
  }
  const service = await startService({ env })
  const strayed: string[] = []
  const other = await startOther(strayed)
  const blocks = blocksUnder('proxy', 'Use a path of another site')
  const { text } = blocks.find(({ language }) => language === 'nginx')!
  const inner = replaceAll(text, { 'http://127.0.0.1:8080': service.url })
  const all = `${inner}\nlocation / { proxy_pass ${addressOf(other)}; }`
  const server = `server {\nlisten 127.0.0.1:${port};\nclient_max_body_size 0;\n${all}\n}`
  const nginx = await Proxy.nginxWith(port, server)
  return {
    origin,
    service,
    strayed,
    async stop() {
      await nginx.stop()
      other.close()
      await service.stop()
    },
  }
}

/** An application with a sign-in: its cookie has the same name as ours. */
async function startOther(asked: string[]): Promise<Server> {
  const other = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const headers = { 'Content-Type': 'text/html', 'Set-Cookie': 'session=theirs; Path=/' }
    response.writeHead(200, headers)
    response.end(`<title>Other</title><p>${request.headers.cookie ?? 'no cookie'}</p>`)
  })
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  return other
}

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

let scene: SubPathScene
let owner: Browser
let recipient: Browser

/** Returns the link. */
async function send(page: Page, title: string): Promise<string> {
  await heading(page, 'Send files').waitFor()
  await choose(page, [file('notes.txt', 'the notes'), file('list.txt', 'the list')])
  await page.getByLabel('Title').fill(title)
  await page.getByText('Uploaded. Private until you get the link.').waitFor()
  await getLink(page).click()
  await page.getByText('Your link is ready').waitFor()
  return link(page).inputValue()
}

const pathOf = (address: string) => new URL(address).pathname

async function receive(shareLink: string): Promise<void> {
  const page = await recipient.open(pathOf(shareLink))
  const one = page.getByRole('link', { name: 'Download notes.txt' })
  const [, notes] = await saved(page, () => one.click())
  assert.is(notes.toString(), 'the notes')
  const all = page.getByRole('link', { name: 'Download all' })
  const [, zip] = await saved(page, () => all.click())
  assert.equal(filesIn(zip), { 'notes.txt': 'the notes', 'list.txt': 'the list' })
  await page.getByText('Your browser is downloading.').waitFor()
  await page.getByText('Open on phone').click()
  const widths = `[...document.images].map((one) => one.naturalWidth)`
  await until('every picture is shown', async () =>
    (await page.evaluate<number[]>(widths)).every((width) => width > 0),
  )
}

const pages = browserSuite('journey: below a path', ['nginx'])

pages.before(async () => {
  scene = await startSubPath()
  const permissions = ['clipboard-read', 'clipboard-write']
  owner = await startBrowser(scene.origin, { permissions })
  recipient = await startBrowser(scene.origin)
})
pages.after.each(async () => {
  assert.equal(await owner.closePages(), [])
  assert.equal(await recipient.closePages(), [])
  assert.equal(scene.strayed, [], 'the other application was asked for nothing')
})
pages.after(async () => {
  await owner.close()
  await recipient.close()
  await scene.stop()
})

pages('should lead from the sign-in to the wanted view, and back out', async () => {
  const page = await owner.open('/files/shares?q=x')
  await signInAt(page, adminEmail, adminPassword)
  await page.waitForURL(`${scene.origin}/files/shares?q=x`)
  await heading(page, 'Shares').waitFor()
  await page.getByRole('link', { name: 'Requests', exact: true }).click()
  await page.waitForURL(`${scene.origin}/files/requests`)
  await page.goBack()
  await heading(page, 'Shares').waitFor()
  const cookies = await owner.context.cookies()
  assert.equal([...new Set(cookies.map((cookie) => cookie.path))], ['/files/'])
})

pages('should send files, download one and all, and take a delivery of a guest', async () => {
  const page = await owner.open('/files')
  assert.is(page.url(), `${scene.origin}/files/`)
  const shareLink = await send(page, 'A weekend')
  assert.match(shareLink, new RegExp(`^${scene.origin}/files/s/[^/]+$`))
  await receive(shareLink)
  await page.goto(`${scene.origin}/files/requests/new`)
  await page.getByLabel('What is it for?').fill('Photos')
  await page.getByRole('button', { name: 'Create and copy link' }).click()
  await page.getByText('Link copied').waitFor()
  const guest = await recipient.open(pathOf(await link(page).inputValue()))
  await choose(guest, [file('pier.txt', 'a pier')])
  await guest.getByRole('button', { name: /^Send / }).click()
  await heading(guest, 'Thank you').waitFor()
  await page.getByRole('link', { name: 'Open request' }).click()
  const downloads = page.getByRole('link', { name: /^Download/ })
  const [, bytes] = await saved(page, () => downloads.first().click())
  assert.is(bytes.toString(), 'a pier')
})
