import {
  assertError,
  Guest,
  setCookie,
  statusesOf,
  type Answer,
  type Client,
} from '../../helpers/client.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ending, entry } from '../../bytes/archive/tar/blocks.ts'
import { downloadCount, fileIds } from '../../bytes/send/scene.ts'
import { startService } from '../../helpers/service.ts'
import { startMailServer, useMailServer } from '../../email/mail-server.ts'
import { change, changed } from './scene.ts'

const slugs = suite('shares: slugs')

let anonymous: Client

const service = await startService({
  env: { RATE_LIMIT_DOWNLOAD: 'off', TRUST_PROXY: '127.0.0.1' },
})
const owner = await service.admin()
const other = await service.user('other@example.org')
slugs.before.each(() => {
  anonymous = service.client()
})

async function named(slug: string, input: Record<string, unknown> = {}): Promise<string> {
  const shareId = await owner.share({ 'a.txt': 'the content' }, input)
  await changed(owner, shareId, { slug })
  return shareId
}

const assertTaken = (answer: Answer) => {
  assertError(answer, 409, 'slug_taken')
  assert.is(answer.json().field, 'slug')
}

slugs('should lead to every public operation, as the id still does', async () => {
  const shareId = await named('Our-Photos', { password: 'pw', name: 'Photos' })
  const fileId = (await fileIds(service, shareId))['a.txt']
  const names = [shareId, 'Our-Photos', 'our-photos', 'OUR-PHOTOS', 'Our%2DPhotos']
  for (const name of names) {
    const recipient = service.client()
    const shown = () => recipient.get(`/api/public/shares/${name}`)
    assert.equal([(await shown()).status, (await shown()).json().files], [200, []], name)
    assert.match((await recipient.get(`/s/${name}`)).body.toString(), 'protected with a password')
    assertError(await recipient.get(`/api/shares/${name}/download`), 401, 'password_required')
    assertError(await recipient.post(`/api/shares/${name}/verify`, { password: 'x' }), 401)
    const verified = await recipient.post(`/api/shares/${name}/verify`, { password: 'pw' })
    assert.is(verified.status, 200, name)
    assert.is((await shown()).json().files[0].id, fileId)
    assert.match((await recipient.get(`/s/${name}`)).body.toString(), 'a.txt')
    const file = await recipient.get(`/api/shares/${name}/files/${fileId}`)
    assert.is(file.body.toString(), 'the content', name)
    for (const path of ['download', `download?files=${fileId}`]) {
      assert.is((await recipient.get(`/api/shares/${name}/${path}`)).status, 200, path)
    }
    const asOwner = `/api/shares/${name}/download?as=owner`
    assert.is((await owner.get(asOwner)).status, 200, name)
    assertError(await other.get(asOwner), 404)
  }
  for (const name of ['our-photo', 'our-photos1', 'our_photos', 'our%20photos']) {
    assertError(await anonymous.get(`/api/public/shares/${name}`), 404, 'not_found')
  }
})

slugs('should share cookies, leases and counts with the id', async () => {
  const shareId = await named('both-names', { password: 'pw', maxDownloads: 1 })
  const fileId = (await fileIds(service, shareId))['a.txt']
  const verified = await anonymous.post('/api/shares/both-names/verify', { password: 'pw' })
  assert.match(setCookie(verified, 'unlocked'), `=${shareId}~`)
  assert.is((await anonymous.get(`/api/public/shares/${shareId}`)).json().files.length, 1)
  const counted = await anonymous.get(`/api/shares/Both-Names/files/${fileId}`)
  assert.ok(setCookie(counted, 'downloader'))
  const resumed = await anonymous.get(`/api/shares/${shareId}/files/${fileId}`, {
    range: 'bytes=4-',
  })
  assert.equal([resumed.status, resumed.body.toString()], [206, 'content'])
  assert.is(await downloadCount(service, shareId), 1)
  for (const name of [shareId, 'both-names']) {
    assertError(await service.client().get(`/api/public/shares/${name}`), 410, 'download_limit')
    assert.is((await anonymous.get(`/api/public/shares/${name}`)).status, 200, 'a lease')
  }
})

slugs('should appear in every address: answers, list, finalize, page, emails', async () => {
  const server = await startMailServer()
  await useMailServer(owner, server.port)
  const url = 'http://transfer.test/s/in-the-mail'
  const shareId = await owner.init({ recipients: 'a@example.org' })
  assert.is((await changed(owner, shareId, { slug: 'in-the-mail' })).url, url)
  assert.is((await owner.finalize(shareId, [])).json().shareUrl, url)
  assert.is((await owner.finalize(shareId, [])).json().shareUrl, url, 'the same list again')
  // Resending replaces what is still waiting.
  await service.app.services.emails.idle()
  await owner.post(`/api/shares/${shareId}/resend`)
  await service.app.services.emails.idle()
  assert.is(server.received.length, 2)
  for (const email of server.received) {
    assert.match(email.text, url)
    assert.match(email.html, `href="${url}"`)
    assert.not.match(email.text + email.html, shareId)
  }
  const list: { id: string; url: string }[] = (await owner.get('/api/shares')).json()
  assert.is(list.find(({ id }) => id === shareId)?.url, url)
  const removed = await changed(owner, shareId, { slug: '' })
  assert.equal([removed.slug, removed.url], ['', `http://transfer.test/s/${shareId}`])
  assertError(await anonymous.get('/api/public/shares/in-the-mail'), 404)
  assert.is((await anonymous.get(`/api/public/shares/${shareId}`)).status, 200)
})

slugs('should be kept, changed in case, freed and used again', async () => {
  const shareId = await named('first-one')
  assert.is((await changed(owner, shareId, { slug: 'first-one', name: 'x' })).slug, 'first-one')
  assert.is((await changed(owner, shareId, { slug: 'First-One' })).slug, 'First-One')
  const nextId = await other.share({ b: 'b' }, { name: 'Next' })
  assertTaken(await change(other, nextId, { slug: 'first-one' }))
  await changed(owner, shareId, { slug: 'second-one' })
  await changed(other, nextId, { slug: 'first-one' })
  assert.is((await anonymous.get('/api/public/shares/first-one')).json().name, 'Next')
  await other.delete(`/api/shares/${nextId}`)
  assertError(await anonymous.get('/api/public/shares/first-one'), 404)
  await changed(owner, shareId, { slug: 'first-one' })
})

slugs('should stay with an expired share, so that its link says so', async () => {
  await named('short-life', { expirationVal: 1, expirationUnit: 'Hours' })
  service.clock.advance(3_600_000)
  const nextId = await owner.share({ b: 'b' })
  for (const swept of [false, true]) {
    if (swept) await service.app.jobs.runAll()
    assertError(await anonymous.get('/api/public/shares/short-life'), 410, 'expired')
    assert.is((await anonymous.get('/s/short-life')).status, 410)
    assertTaken(await change(owner, nextId, { slug: 'short-life' }))
  }
})

slugs('should work even if it is a word of another path', async () => {
  for (const slug of ['init', 'shares', 'download', 'reverse', '___', '-0-', 'constructor']) {
    const shareId = await named(slug)
    assert.is((await anonymous.get(`/api/public/shares/${slug}`)).status, 200, slug)
    assert.is((await anonymous.get(`/api/shares/${slug}/download`)).status, 200, slug)
    assert.is((await anonymous.post(`/api/shares/${slug}/verify`, { password: '' })).status, 200)
    assert.is((await anonymous.get(`/s/${slug}`)).status, 200, slug)
    await owner.delete(`/api/shares/${shareId}`)
  }
  assert.is((await owner.post('/api/shares/init')).status, 200)
})

// From the beginning: of shares and of reverse shares.

const reverseOf = async (id: string) =>
  (await owner.get('/api/reverse')).json().find((link: { id: string }) => link.id === id)

for (const field of ['customSlug', 'slug']) {
  slugs(`should start a share with the custom link in ${field}`, async () => {
    const slug = `Summer-${field}_1`
    const begun = (await owner.post('/api/shares/init', { name: 'A', [field]: slug })).json()
    assert.is(begun.shareUrl, `http://transfer.test/s/${slug}`)
    await owner.chunk(begun.shareId, 'f', 0, 'x')
    const files = [{ fileId: 'f', originalName: 'f.txt', size: 1 }]
    assert.is((await owner.finalize(begun.shareId, files)).json().shareUrl, begun.shareUrl)
    for (const name of [slug, slug.toLowerCase(), begun.shareId]) {
      assert.is((await anonymous.get(`/api/public/shares/${name}`)).json().name, 'A')
    }
    assert.is((await owner.get(`/api/shares/${begun.shareId}`)).json().slug, slug)
    const cleared = await owner.patch(`/api/shares/${begun.shareId}`, { slug: '' })
    assert.is(cleared.json().url, `http://transfer.test/s/${begun.shareId}`)
    assert.is((await anonymous.get(`/api/public/shares/${slug}`)).status, 404)
  })

  slugs(`should create a reverse share with the custom link in ${field}`, async () => {
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

slugs('should change, keep and remove the custom link of a reverse share', async () => {
  const { id } = (await owner.post('/api/reverse', { name: 'C', customSlug: 'first' })).json()
  const patch = (json: object) => owner.patch(`/api/reverse/${id}`, json)
  const status = async (name: string) => (await anonymous.get(`/api/public/reverse/${name}`)).status
  assert.is((await patch({ slug: 'second' })).status, 200)
  assert.equal([await status('first'), await status('second')], [404, 200])
  assert.is((await patch({ name: 'D' })).status, 200)
  assert.is((await reverseOf(id)).slug, 'second')
  assert.is((await patch({ slug: 'SECOND' })).status, 200, 'its own link in other letters')
  assert.is((await patch({ slug: '' })).status, 200)
  assert.equal([await status('second'), await status(id)], [404, 200])
  assert.is((await reverseOf(id)).url, `http://transfer.test/r/${id}`)
})

for (const [path, key] of [
  ['/api/shares/init', 'shareId'],
  ['/api/reverse', 'id'],
] as const) {
  slugs(`should refuse a taken custom link at ${path}, and make nothing`, async () => {
    const id: string = (await other.post(path, { customSlug: 'Taken' })).json()[key]
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

  slugs(`should give the id of a deleted link to nobody at ${path}`, async () => {
    const id: string = (await other.post(path, {})).json()[key]
    const kind = path === '/api/reverse' ? path : '/api/shares'
    await other.delete(`${kind}/${id}`)
    const own: string = (await owner.post(path, {})).json()[key]
    for (const slug of [id, id.toLowerCase()]) {
      assertError(await owner.post(path, { slug }), 409, 'slug_taken')
      assertError(await owner.patch(`${kind}/${own}`, { slug }), 409, 'slug_taken')
    }
  })

  slugs(`should give a custom link to one of many that ask at once at ${path}`, async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => owner.post(path, { customSlug: 'race' })),
    )
    assert.equal(statusesOf(answers), [200, ...Array<number>(7).fill(409)])
  })

  slugs(`should refuse what is no custom link at ${path}`, async () => {
    for (const field of ['customSlug', 'slug']) {
      for (const wrong of ['ab', 'x'.repeat(51), 'a/b', 'a.b', 'a b', 'abc\n', 'größe', 12_345]) {
        const answer = await owner.post(path, { [field]: wrong })
        assertError(answer, 400, 'invalid_input')
        assert.is(answer.json().field, field)
      }
    }
  })

  slugs(`should refuse two custom links, and ignore empty ones, at ${path}`, async () => {
    const two = await owner.post(path, { slug: 'one-link', customSlug: 'another' })
    assert.equal([two.status, two.json().field], [400, 'customSlug'])
    assert.is((await owner.post(path, { customSlug: '' })).status, 200)
    assert.is((await owner.post(path, { customSlug: null, slug: '' })).status, 200)
  })
}

slugs('should not tell guests with a token of another link which slugs exist', async () => {
  const { id } = (await owner.post('/api/reverse', {})).json()
  await owner.post('/api/reverse', { customSlug: 'hidden-name' })
  const guest = await new Guest(service.client(), id).begun()
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

slugs('should share a tar archive at a custom link', async () => {
  const body = Buffer.concat([entry({ name: 'a.txt' }, 'content'), ending])
  const request = { body, headers: { 'content-type': 'application/x-tar' } }
  const sent = await owner.call('POST', '/api/tar?slug=piped', request)
  assert.is(sent.json().shareUrl, 'http://transfer.test/s/piped')
  assertError(await owner.call('POST', '/api/tar?slug=piped', request), 409, 'slug_taken')
})
