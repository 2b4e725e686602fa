import { assert, suite } from '../helpers/suite.ts'
import { Guest, makeLink, startService } from '../helpers/service.ts'
import { unescape } from '../helpers/unescape.ts'

const pages = suite('reverse shares: page')

const service = await startService()
const owner = await service.user('owner@example.org')

const payload = `"><script>alert('x')</script>`

/** The data for the page's script. */
function dataOf(html: string): Record<string, unknown> {
  return JSON.parse(unescape(/name="data" content="([^"]*)"/.exec(html)![1]!))
}

pages('should show the name, without markup of the owner', async () => {
  const input = { name: payload, maxSize: 2_500_000, thankYouMessage: 'Thanks!' }
  const id = await makeLink(owner, input)
  const answer = await service.client().get(`/r/${id}`)
  const text = answer.body.toString()
  assert.is(answer.status, 200)
  assert.match(text, '&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;</bdi></h1>')
  assert.is(dataOf(text).state, 'open')
  assert.equal([dataOf(text).name, dataOf(text).maxSize], [payload, 2_500_000])
  assert.not.match(text, /<script>alert|Thanks!/)
})

pages('should show a name that looks like another under a safe one', async () => {
  const id = await makeLink(owner, { name: 'tax\u202egpj.exe' })
  const rename = (name: string) => owner.patch('/api/account', { name })
  await rename('Ann\u202egpj')
  const text = (await service.client().get(`/r/${id}`)).body.toString()
  await rename('owner@example.org')
  assert.match(text, '<bdi>taxgpj.exe</bdi></h1>')
  assert.match(text, '<p class="faint">Anngpj asks you for</p>')
})

pages('should ask for the password first, and then for the files', async () => {
  const id = await makeLink(owner, { name: payload, password: 'sesame' })
  const guest = new Guest(service.client(), id)
  const locked = (await guest.client.get(`/r/${id}`)).body.toString()
  assert.equal(dataOf(locked), { state: 'locked', id })
  assert.not.match(locked, /<script>alert/)
  await guest.client.post(`${guest.base}/verify`, { password: 'sesame' })
  assert.is(dataOf((await guest.client.get(`/r/${id}`)).body.toString()).state, 'open')
})

pages('should lead on from a link with nothing behind it, in the guest’s language', async () => {
  for (const [language, words] of [
    ['en', 'Go to the start page'],
    ['de', 'Zur Startseite'],
  ]) {
    const answer = await service.client().get('/r/none', { 'accept-language': language! })
    assert.is(answer.status, 404)
    assert.match(answer.body.toString(), `<a class="button wide" href="/">${words}</a>`)
  }
})

pages('should show the owner and when a single-delivery link closed', async () => {
  const wishes = { instructions: payload, allowedExtensions: ['.PDF', 'docx'], once: true }
  const requiredFields = ['name', 'note']
  const id = await makeLink(owner, { name: 'Papers', requiredFields, ...wishes })
  const open = (await service.client().get(`/r/${id}`)).body.toString()
  assert.match(open, '<p class="faint">owner@example.org asks you for</p>')
  assert.match(open, '<p class="text" dir="auto">&quot;&gt;&lt;script&gt;')
  const { ownerName, instructions, allowedExtensions, once, ...rest } = dataOf(open)
  assert.equal([ownerName, instructions], ['owner@example.org', payload])
  assert.equal([allowedExtensions, once], [['pdf', 'docx'], true])
  assert.equal(rest.requiredFields, requiredFields)
  const guest = new Guest(service.client(), id)
  await guest.deliver({ 'one.pdf': 'x' }, { senderName: 'Ada', note: 'Hi' })
  const closed = await guest.client.get(`/r/${id}`)
  assert.is(closed.status, 410)
  assert.match(closed.body.toString(), /Only one delivery was possible, and it was made on/)
  assert.equal(dataOf(closed.body.toString()), { state: 'closed' })
})

pages('should explain a link that is gone', async () => {
  const client = service.client()
  const id = await makeLink(owner, { expirationVal: 1, expirationUnit: 'Hours' })
  service.clock.jump(60 * 60_000)
  const expired = await client.get(`/r/${id}`)
  service.clock.jump(-60 * 60_000)
  assert.is(expired.status, 410)
  assert.match(expired.body.toString(), /closed since [^.]+\. Ask owner@example\.org for a new/)
  const unknown = await client.get('/r/AAAAAAAAAAAAAAAAAAAAAA')
  assert.is(unknown.status, 404)
  assert.match(String(unknown.headers['content-type']), /^text\/html/)
})
