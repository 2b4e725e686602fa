// PDF files are shown in a frame, without a sandbox: nothing else may pass for one.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fileIds } from '../blobs/send/scene.ts'
import type { Client } from '../helpers/client.ts'
import { startService, type Service } from '../helpers/service.ts'
import { Guest, makeLink } from '../reverse-shares/guest.ts'
import { shareTyped } from '../web/previews/scene.ts'

const run = "top.document.title = 'taken over'; document.title = 'taken over'"
const page = `<!doctype html><title>Page</title><script>${run}</script>
<img src="x" onerror="${run}"><iframe srcdoc="<script>${run}</script>"></iframe>`

const files = suite('security: files sent as PDF')
let service: Service
let owner: Client
/** Addresses by name. */
let hrefs: Record<string, string>

files.before(async () => {
  service = await startService({ env: { RATE_LIMIT_DOWNLOAD: 'off' } })
  owner = await service.user('owner@example.org')
  const shareId = await shareTyped(owner, {
    'page.pdf': ['application/pdf', page],
    'upper.pdf': ['Application/PDF', page],
    'more.pdf': ['application/pdf; charset=utf-8', page],
    'page.html': ['text/html', page],
    'text.txt': ['text/plain', page],
  })
  const ids = await fileIds(service, shareId)
  hrefs = Object.fromEntries(
    Object.entries(ids).map(([name, id]) => [name, `/api/shares/${shareId}/files/${id}`]),
  )
})
files.after(async () => {
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
      ['text.txt', '?inline=1', 'text/plain; charset=utf-8', sandbox],
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

files.run()
