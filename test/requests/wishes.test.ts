import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Guest, makeLink } from '../helpers/client.ts'
import { startService } from '../helpers/service.ts'
import { unescape } from '../helpers/unescape.ts'

const wishes = suite('reverse shares: wishes')

const service = await startService()
const owner = await service.user('owner@example.org')

const guestOf = (id: string) => new Guest(service.client(), id)
const change = (id: string, json: object) => owner.patch(`/api/reverse/${id}`, json)

async function shown(id: string): Promise<any> {
  return (await owner.get('/api/reverse')).json().find((link: any) => link.id === id)
}

const deliveriesOf = async (id: string): Promise<any[]> =>
  (await owner.get(`/api/reverse/${id}/deliveries`)).json()

const listed = (originalName: string) => [{ fileId: 'f', originalName, size: 1 }]

wishes('should show the requirements to guests, but not on a locked link', async () => {
  const words = { instructions: 'Scans, please', allowedExtensions: ['.PDF', 'Docx'], once: true }
  const id = await makeLink(owner, { name: 'Papers', password: 'sesame', ...words })
  const guest = guestOf(id)
  const { ownerName, instructions, allowedExtensions, once } = (await guest.show()).json()
  assert.equal([ownerName, instructions], ['owner@example.org', ''])
  assert.equal([allowedExtensions, once], [['pdf', 'docx'], true])
  await guest.client.post(`${guest.base}/verify`, { password: 'sesame' })
  assert.is((await guest.show()).json().instructions, 'Scans, please')
  const { instructions: own, allowed_extensions: kinds, once: isOnce } = await shown(id)
  assert.equal([own, kinds, isOnce], ['Scans, please', ['pdf', 'docx'], true])
})

wishes('should refuse a delivery without its required fields', async () => {
  const id = await makeLink(owner, { requiredFields: ['note', 'email', 'name'] })
  const requiredFields = ['name', 'email', 'note']
  const guest = guestOf(id)
  assert.equal((await guest.show()).json().requiredFields, requiredFields)
  assert.equal((await shown(id)).requiredFields, requiredFields)
  const whole = { senderName: 'Ada', senderEmail: 'ada@example.org', note: 'Hi' }
  for (const [field, sender] of [
    ['senderName', {}],
    ['senderName', { ...whole, senderName: ' ' }],
    ['senderName', { ...whole, senderName: null }],
    ['senderEmail', { senderName: 'Ada', note: 'Hi' }],
    ['senderEmail', { ...whole, senderEmail: ' ' }],
    ['note', { ...whole, note: ' \n\t' }],
  ] as const) {
    const refused = await guest.init(sender)
    const { code, field: named, error } = refused.json()
    assert.equal([refused.status, code, named], [400, 'invalid_input', field])
    assert.is(error, `${field}: is required`)
  }
  await guest.deliver({ a: 'x' }, whole)
  const [{ sender_name: name, sender_email: email, note }] = await deliveriesOf(id)
  assert.equal([name, email, note], ['Ada', 'ada@example.org', 'Hi'])
})

wishes('should apply new required fields to deliveries that start afterwards', async () => {
  const id = await makeLink(owner)
  const early = await guestOf(id).begun()
  await early.chunk('f', 0, 'x')
  assert.is((await change(id, { requiredFields: ['email', 'email'] })).status, 200)
  assert.is((await change(id, { name: 'Papers', requiredFields: null })).status, 200)
  assert.equal((await shown(id)).requiredFields, ['email'])
  assert.is((await early.finalize(listed('a'))).status, 200)
  const late = guestOf(id)
  assert.is((await late.init({ senderName: 'Ada' })).json().field, 'senderEmail')
  assert.is((await late.init({ senderEmail: 'ada@example.org' })).status, 200)
  assert.is((await change(id, { requiredFields: [] })).status, 200)
  assert.is((await guestOf(id).init()).status, 200)
})

wishes('should close a link after a single delivery, and reopen it on request', async () => {
  const id = await makeLink(owner, { once: true })
  const hollow = await guestOf(id).begun()
  assert.is((await hollow.finalize([])).status, 200)
  assert.is((await shown(id)).status, 'open', 'after an empty delivery')
  const waiting = await guestOf(id).begun()
  await waiting.chunk('f', 0, 'x')
  const first = guestOf(id)
  const done = await first.deliver({ a: 'x' })
  assert.match(done.json().reference, /^[0-9A-F]{4}-[0-9A-F]{4}$/)
  const { status, closed_at: since } = await shown(id)
  assert.is(status, 'closed')

  const late = guestOf(id)
  const refused = [
    await late.show(),
    await late.init(),
    await waiting.chunk('f', 1, 'x'),
    await waiting.chunks(),
    await waiting.finalize(listed('b')),
  ]
  for (const answer of refused) {
    assert.is(answer.status, 410)
    const { code, since: told, ownerName } = answer.json()
    assert.equal([code, told, ownerName], ['closed', since, 'owner@example.org'])
  }
  const again = await first.finalize([{ fileId: 'file-0', originalName: 'a', size: 1 }])
  assert.equal(again.json(), done.json())

  assert.is((await change(id, { once: false })).status, 200)
  assert.equal([(await shown(id)).status, (await shown(id)).closed_at], ['open', null])
  assert.is((await waiting.finalize(listed('b'))).status, 200)
  assert.is((await deliveriesOf(id)).length, 3)
  // It accepts one more now; earlier ones do not count.
  assert.is((await change(id, { once: true })).status, 200)
  assert.is((await late.init()).status, 200)
})

wishes('should accept one of several deliveries that complete at once', async () => {
  for (const round of [0, 1]) {
    const id = await makeLink(owner, { once: true, maxSize: round % 2 === 0 ? 0 : 1000 })
    const guests = Array.from({ length: 6 }, () => guestOf(id))
    for (const guest of guests) {
      await guest.init()
      await guest.chunk('f', 0, 'x')
    }
    const answers = await Promise.all(guests.map((guest) => guest.finalize(listed('a'))))
    const codes = answers.map((answer) => answer.json().code ?? answer.status)
    assert.is(codes.filter((code) => code === 200).length, 1, codes.join())
    assert.is(codes.filter((code) => code === 'closed').length, 5, codes.join())
    const left = (await deliveriesOf(id)).filter(({ status }) => status === 'draft')
    assert.is(left.length, 5)
  }
})

wishes('should count deliveries until the owner has seen them', async () => {
  const id = await makeLink(owner)
  await guestOf(id).deliver({ a: 'x' })
  await guestOf(id).deliver({ b: 'x' })
  const unfinished = await guestOf(id).begun()
  await unfinished.chunk('f', 0, 'x')
  assert.is((await shown(id)).new_delivery_count, 2)
  const all = await deliveriesOf(id)
  const [newest] = all.filter(({ status }) => status === 'complete')
  const see = (deliveries: string[]) => owner.post(`/api/reverse/${id}/seen`, { deliveries })
  assert.is((await see([newest.id])).status, 200)
  assert.is((await shown(id)).new_delivery_count, 1)
  const first = (await deliveriesOf(id)).find((one) => one.id === newest.id).seen_at
  service.clock.advance(1000)
  // Again, for a draft, and for an unknown one: nothing happens.
  assert.is((await see(all.map((one) => one.id))).status, 200)
  assert.is((await see([crypto.randomUUID()])).status, 200)
  const other = await service.user('other@example.org')
  const others = await makeLink(other)
  const asOther = (link: string) =>
    other.post(`/api/reverse/${link}/seen`, { deliveries: [newest.id] })
  assert.equal([(await asOther(id)).status, (await asOther(others)).status], [404, 200])
  const seen = new Map((await deliveriesOf(id)).map((one) => [one.id, one.seen_at]))
  assert.is(seen.get(newest.id), first)
  assert.is((await shown(id)).new_delivery_count, 0)
  assert.is([...seen.values()].filter((at) => at === null).length, 1)
  await unfinished.finalize(listed('late'))
  assert.is((await shown(id)).new_delivery_count, 1)
})

const pages = suite('reverse shares: page')

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
