// PDF files are shown in a frame, without a sandbox: nothing else may pass for one.
import * as assert from 'uvu/assert'
import { fileIds } from '../blobs/send/scene.ts'
import { browserSuite, startBrowser, type Browser } from '../helpers/browser.ts'
import type { Client } from '../helpers/client.ts'
import { startService, type Service } from '../helpers/service.ts'
import { Guest, makeLink } from '../reverse-shares/guest.ts'
import { pdf, shareTyped } from '../web/previews/scene.ts'

const run = "top.document.title = 'taken over'; document.title = 'taken over'"
const page = `<!doctype html><title>Page</title><script>${run}</script>
<img src="x" onerror="${run}"><iframe srcdoc="<script>${run}</script>"></iframe>`

const files = browserSuite('security: files sent as PDF')
let service: Service
let owner: Client
let browser: Browser
let shareId: string
/** Addresses by name. */
let hrefs: Record<string, string>

files.before(async () => {
  service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
  owner = await service.user('owner@example.org')
  browser = await startBrowser(service.url)
  shareId = await shareTyped(owner, {
    'page.pdf': ['application/pdf', page],
    'upper.pdf': ['Application/PDF', page],
    'more.pdf': ['application/pdf; charset=utf-8', page],
    'page.html': ['text/html', page],
    'real.pdf': ['application/pdf', pdf('Hello')],
    'text.txt': ['text/plain', page],
  })
  const ids = await fileIds(service, shareId)
  hrefs = Object.fromEntries(
    Object.entries(ids).map(([name, id]) => [name, `/api/shares/${shareId}/files/${id}`]),
  )
})
files.after(async () => {
  await browser.close()
  await owner.close()
  await service.stop()
})

const policy =
  "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'self'"
const sandbox = "sandbox; default-src 'none'; frame-ancestors 'none'"

files(
  'should take only the type of PDF files out of the sandbox, and only when shown',
  async () => {
    for (const [name, query, type, wanted] of [
      ['page.pdf', '?inline=1', 'application/pdf', policy],
      ['upper.pdf', '?inline=1', 'application/pdf', policy],
      // Parameters are cut off when the upload ends.
      ['more.pdf', '?inline=1', 'application/pdf', policy],
      ['page.pdf', '', 'application/pdf', sandbox],
      ['page.pdf', '?inline=0', 'application/pdf', sandbox],
      ['page.html', '?inline=1', 'text/html', sandbox],
      ['text.txt', '?inline=1', 'text/plain', sandbox],
    ] as const) {
      const path = hrefs[name] + query
      const { headers } = await owner.get(path)
      const more = [{ 'if-none-match': headers['etag'] as string }, { range: 'bytes=0-5' }]
      const statuses = []
      for (const asked of [{}, ...more]) {
        const answer = await owner.get(path, asked)
        statuses.push(answer.status)
        assert.is(answer.headers['content-security-policy'], wanted, path)
        assert.is(answer.headers['x-content-type-options'], 'nosniff', path)
        if (answer.status !== 304) assert.is(answer.headers['content-type'], type, path)
      }
      assert.equal(statuses, [200, 304, 206], path)
      const head = await owner.call('HEAD', path)
      assert.is(head.headers['content-security-policy'], wanted, path)
    }
  },
)

files('should send files of guests under the same policies', async () => {
  const reverseId = await makeLink(owner, { name: 'Papers' })
  const guest = service.client()
  await new Guest(guest, reverseId).deliver({ 'a.pdf': page })
  await guest.close()
  const [file] = (await owner.get(`/api/reverse/${reverseId}/files`)).json()
  const path = `/api/reverse/files/${file.id}/download`
  for (const query of ['', '?inline=1']) {
    const { headers } = await owner.get(path + query)
    const isPdf = headers['content-type'] === 'application/pdf'
    const wanted = isPdf && query ? policy : sandbox
    assert.is(headers['content-security-policy'], wanted)
  }
})

files('should run no HTML that claims to be a PDF, in a tab and in the preview', async () => {
  for (const name of ['page.pdf', 'upper.pdf']) {
    const tab = await browser.context.newPage()
    await tab.goto(browser.address(`${hrefs[name]}?inline=1`)).catch(() => null)
    assert.is.not(await tab.title(), 'taken over', name)
    await tab.close()
  }
  const shown = await browser.open(`/s/${shareId}`)
  await shown.getByRole('button', { name: 'Preview page.pdf' }).click()
  await shown.locator('iframe[title="page.pdf"]').waitFor()
  await shown.waitForLoadState('networkidle')
  for (const frame of shown.frames()) {
    assert.is(await frame.locator('[srcdoc]').count(), 0, frame.url())
  }
  assert.is.not(await shown.title(), 'taken over')
  await browser.closePages()
})

/** The address that a frame shows in the end; null when it was refused. */
async function framed(from: string, address: string): Promise<string | null> {
  const outer = await browser.context.newPage()
  // The policy of our own pages is not what is tested.
  await outer.route(from, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<iframe src="${address}" onload="document.title = 'loaded'"></iframe>`,
    }),
  )
  await outer.goto(from)
  await outer.waitForFunction(() => document.title === 'loaded')
  const url = outer.frames()[1]!.url()
  await outer.close()
  return url.startsWith('chrome-error:') ? null : url
}

files('should let frames of this origin show PDF files, and nothing else', async () => {
  const here = browser.address('/outer')
  const real = browser.address(`${hrefs['real.pdf']}?inline=1`)
  const text = browser.address(`${hrefs['text.txt']}?inline=1`)
  assert.is(await framed(here, real), real)
  assert.is(await framed('http://elsewhere.example/', real), null)
  for (const from of [here, 'http://elsewhere.example/']) {
    assert.is(await framed(from, text), null, from)
    for (const path of [`/s/${shareId}`, '/login', '/api/public/config']) {
      assert.is(await framed(from, browser.address(path)), null, `${path} from ${from}`)
    }
  }
  await browser.closePages()
})

files.run()
