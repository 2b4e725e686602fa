// Custom links from the beginning: of shares and of reverse shares.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ending, entry } from '../../bytes/archive/tar/blocks.ts'
import { assertError } from '../../contract/shapes.ts'
import { startService } from '../../helpers/service.ts'
import { Guest } from '../../requests/guest.ts'

const links = suite('custom links')

const service = await startService()
const owner = await service.user('owner@example.org')
const other = await service.user('other@example.org')
const anonymous = service.client()
links.after(() => service.stop())

const reverseOf = async (id: string) =>
  (await owner.get('/api/reverse')).json().find((link: { id: string }) => link.id === id)

for (const field of ['customSlug', 'slug']) {
  links(`should start a share with the custom link in ${field}`, async () => {
    const slug = `Summer-${field}_1`
    const begun = (await owner.post('/api/shares/init', { name: 'A', [field]: slug })).json()
    assert.is(begun.shareUrl, `http://transfer.test/s/${slug}`)
    await owner.chunk(begun.shareId, 'f', 0, 'x')
    const files = [{ fileId: 'f', originalName: 'f.txt', size: 1 }]
    const done = (await owner.finalize(begun.shareId, files)).json()
    assert.is(done.shareUrl, begun.shareUrl)
    for (const name of [slug, slug.toLowerCase(), begun.shareId]) {
      assert.is((await anonymous.get(`/api/public/shares/${name}`)).json().name, 'A')
    }
    assert.is((await owner.get(`/api/shares/${begun.shareId}`)).json().slug, slug)
    const cleared = await owner.call('PATCH', `/api/shares/${begun.shareId}`, {
      json: { slug: '' },
    })
    assert.is(cleared.json().url, `http://transfer.test/s/${begun.shareId}`)
    assert.is((await anonymous.get(`/api/public/shares/${slug}`)).status, 404)
  })

  links(`should create a reverse share with the custom link in ${field}`, async () => {
    const slug = `Photos-${field}_1`
    const made = (await owner.post('/api/reverse', { name: 'B', [field]: slug })).json()
    assert.is(made.url, `http://transfer.test/r/${slug}`)
    const listed = await reverseOf(made.id)
    assert.equal([listed.url, listed.slug], [made.url, slug])
    for (const name of [slug, slug.toUpperCase(), made.id]) {
      assert.is((await anonymous.get(`/api/public/reverse/${name}`)).json().name, 'B')
      assert.is((await anonymous.get(`/r/${name}`)).status, 200)
    }
    await new Guest(service.client(), slug).deliver({ 'a.txt': 'content' })
    assert.is((await reverseOf(made.id)).file_count, 1)
  })
}

links('should change, keep and remove the custom link of a reverse share', async () => {
  const { id } = (await owner.post('/api/reverse', { name: 'C', customSlug: 'first' })).json()
  const patch = (json: object) => owner.call('PATCH', `/api/reverse/${id}`, { json })
  const status = async (name: string) => (await anonymous.get(`/api/public/reverse/${name}`)).status
  assert.is((await patch({ slug: 'second' })).status, 200)
  assert.equal([await status('first'), await status('second')], [404, 200])
  assert.is((await patch({ name: 'D' })).status, 200)
  assert.is((await reverseOf(id)).slug, 'second')
  assert.is((await patch({ slug: 'SECOND' })).status, 200, 'its own link in other letters')
  assert.is((await patch({ slug: '' })).status, 200)
  assert.equal([await status('second'), await status(id)], [404, 200])
  assert.is((await reverseOf(id)).url, `http://transfer.test/r/${id}`)
  const details = await service.database.sql<{ details: { fields: string[] } }[]>`
    select details from audit where event = 'reverse_share.changed' order by id`
  assert.equal(details[0]?.details.fields, ['slug'])
})

for (const [path, key] of [
  ['/api/shares/init', 'shareId'],
  ['/api/reverse', 'id'],
] as const) {
  links(`should refuse a taken custom link at ${path}, and make nothing`, async () => {
    const first = await other.post(path, { customSlug: 'Taken' })
    const id: string = first.json()[key]
    const count = async () => {
      const [row] = await service.database.sql<{ count: number }[]>`
        select (select count(*) from shares) + (select count(*) from reverse_shares)
          + (select count(*) from containers) as count`
      return row!.count
    }
    const before = await count()
    for (const [field, slug] of [
      ['customSlug', 'Taken'],
      ['customSlug', 'tAKEN'],
      ['slug', 'Taken'],
      ['customSlug', id],
      ['customSlug', id.toLowerCase()],
    ] as const) {
      const answer = await owner.post(path, { [field]: slug })
      assertError(answer, 409, 'slug_taken')
      assert.is(answer.json().field, field)
    }
    assert.is(await count(), before)
  })

  links(`should give the id of a deleted link to nobody at ${path}`, async () => {
    const id: string = (await other.post(path, {})).json()[key]
    const kind = path === '/api/reverse' ? path : '/api/shares'
    await other.delete(`${kind}/${id}`)
    const own: string = (await owner.post(path, {})).json()[key]
    for (const slug of [id, id.toLowerCase()]) {
      assertError(await owner.post(path, { slug }), 409, 'slug_taken')
      assertError(
        await owner.call('PATCH', `${kind}/${own}`, { json: { slug } }),
        409,
        'slug_taken',
      )
    }
  })

  links(`should give a custom link to one of many that ask at once at ${path}`, async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => owner.post(path, { customSlug: 'race' })),
    )
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other)
    assert.equal(statuses, [200, ...Array.from({ length: 7 }, () => 409)])
  })

  for (const wrong of ['ab', 'x'.repeat(51), 'a/b', 'a.b', 'a b', 'größe', 12_345]) {
    links(`should refuse ${JSON.stringify(wrong)} as a custom link at ${path}`, async () => {
      for (const field of ['customSlug', 'slug']) {
        const answer = await owner.post(path, { [field]: wrong })
        assertError(answer, 400, 'invalid_input')
        assert.is(answer.json().field, field)
      }
    })
  }

  links(`should refuse two custom links, and ignore empty ones, at ${path}`, async () => {
    const two = await owner.post(path, { slug: 'one-link', customSlug: 'another' })
    assert.equal([two.status, two.json().field], [400, 'customSlug'])
    assert.is((await owner.post(path, { customSlug: '' })).status, 200)
    assert.is((await owner.post(path, { customSlug: null, slug: '' })).status, 200)
  })
}

links('should not tell guests with a token of another link which slugs exist', async () => {
  const { id } = (await owner.post('/api/reverse', {})).json()
  await owner.post('/api/reverse', { customSlug: 'hidden-name' })
  const guest = new Guest(service.client(), id)
  await guest.init()
  for (const client of [guest.client, service.client()]) {
    const [real, unknown] = await Promise.all(
      ['hidden-name', 'no-such-name'].map((name) =>
        client.get(`/api/public/reverse/${name}/chunks`),
      ),
    )
    assert.is(real!.status, 404)
    assert.equal([real!.status, real!.json()], [unknown!.status, unknown!.json()])
  }
})

links('should share a tar archive at a custom link', async () => {
  const body = Buffer.concat([entry({ name: 'a.txt' }, 'content'), ending])
  const request = { body, headers: { 'content-type': 'application/x-tar' } }
  const sent = await owner.call('POST', '/api/tar?slug=piped', request)
  assert.is(sent.json().shareUrl, 'http://transfer.test/s/piped')
  const again = await owner.call('POST', '/api/tar?slug=piped', request)
  assertError(again, 409, 'slug_taken')
})

links('should have no operation at PUT /api/shares/{id}', async () => {
  const shareId = await owner.init()
  const answer = await owner.call('PUT', `/api/shares/${shareId}`, { json: { name: 'x' } })
  assert.is(answer.status, 405)
  assert.equal(String(answer.headers['allow']).split(', ').includes('PUT'), false)
})
