import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../helpers/until.ts'
import { assertError } from '../../helpers/client.ts'
import { startService } from '../../helpers/service.ts'
import { RawConnection } from '../../helpers/raw-connection.ts'
import { change, changed, details } from './scene.ts'

const published = suite('shares: published drafts')

const service = await startService()
const owner = await service.user('owner@example.org')
const anonymous = service.client()

const shown = (name: string) => anonymous.get(`/api/public/shares/${name}`)
const pageOf = async (name: string) => {
  const { status, body } = await anonymous.get(`/s/${name}`)
  return { status, html: body.toString() }
}

/** An incomplete draft whose one file has been received. */
async function draft(input: Record<string, unknown>): Promise<string> {
  const shareId = await owner.init(input)
  await owner.chunk(shareId, 'f', 0, 'the content')
  return shareId
}
const listed = [{ fileId: 'f', originalName: 'concealed.txt', size: 11 }]

async function assertNothingMore(name: string): Promise<void> {
  for (const path of ['download', 'download?files=1', 'files/1']) {
    assertError(await anonymous.get(`/api/shares/${name}/${path}`), 404, 'not_found')
  }
  assertError(await owner.get(`/api/shares/${name}/download?as=owner`), 404, 'not_found')
}

published('should be visible while its files are uploaded, without any of them', async () => {
  const shareId = await draft({ name: 'Coming', message: 'Have patience <3' })
  assertError(await shown(shareId), 404)
  assert.is((await pageOf(shareId)).status, 404)
  assert.is((await details(owner, shareId)).published, false)

  const after = await changed(owner, shareId, { published: true, slug: 'coming-soon' })
  assert.equal([after.published, after.status, after.files], [true, 'draft', []])
  for (const name of [shareId, 'coming-soon', 'COMING-soon']) {
    const { last_received_at: lastAt, ...seen } = (await shown(name)).json()
    assert.ok(Math.abs(Date.parse(lastAt) - Date.now()) < 3_600_000)
    assert.equal(seen, {
      name: 'Coming',
      message: 'Have patience <3',
      ownerName: 'owner@example.org',
      protected: false,
      files: [],
      status: 'uploading',
      progress: null,
      receiving: true,
      downloads_left: null,
    })
    const page = await pageOf(name)
    assert.is(page.status, 200)
    assert.match(page.html, 'Still uploading.')
    assert.match(page.html, 'Have patience &lt;3')
    assert.not.match(page.html, /download|concealed|<form/i)
    await assertNothingMore(name)
  }
  assert.is((await owner.get('/api/shares')).json()[0].status, 'draft')

  assert.is((await owner.finalize(shareId, listed)).status, 200)
  const complete = (await shown('coming-soon')).json()
  assert.equal([complete.status, complete.files.length], ['complete', 1])
  assert.match((await pageOf('coming-soon')).html, 'concealed.txt')
})

published('should show the message of a protected share after unlocking', async () => {
  const shareId = await draft({ name: 'Shown', message: 'concealed words', password: 'pw' })
  await changed(owner, shareId, { published: true, expectedBytes: 22 })
  const words = { name: 'Shown', message: '', ownerName: 'owner@example.org' }
  const unknown = { progress: null, receiving: false, last_received_at: null }
  const more = { files: [], status: 'uploading', downloads_left: null }
  const expected = { ...words, protected: true, ...more, ...unknown }
  assert.equal((await shown(shareId)).json(), expected)
  const page = await pageOf(shareId)
  assert.match(page.html, 'Shown')
  assert.not.match(page.html, /concealed|type="password"|%/)
  await assertNothingMore(shareId)
  const recipient = service.client()
  const verify = (password: string) => recipient.post(`/api/shares/${shareId}/verify`, { password })
  assertError(await verify('other'), 401, 'wrong_password')
  const verified = await verify('pw')
  const { accessToken, ...rest } = verified.json()
  const unlocked = { valid: true, files: [], message: 'concealed words' }
  assert.equal([verified.status, rest], [200, unlocked])
  const seen = (await recipient.get(`/api/public/shares/${shareId}`)).json()
  const { last_received_at: lastAt } = seen
  assert.ok(Date.parse(lastAt) > 0)
  const known = { progress: 50, receiving: true, last_received_at: lastAt }
  assert.equal(seen, { ...expected, message: 'concealed words', ...known })
  assert.match((await recipient.get(`/s/${shareId}`)).body.toString(), /concealed words[^]*50%/)
  await assertNothingMore(shareId)
  assertError(await recipient.get(`/api/shares/${shareId}/download`), 404, 'not_found')

  await owner.finalize(shareId, listed)
  const bearer = { authorization: `Bearer ${accessToken}` }
  const complete = await anonymous.get(`/api/public/shares/${shareId}`, bearer)
  assert.is(complete.json().files.length, 1, 'it stays unlocked')
  assert.equal((await shown(shareId)).json(), { ...expected, status: 'complete' })
  await changed(owner, shareId, { password: '' })
  assert.is((await shown(shareId)).json().message, 'concealed words')
})

published('should show how much of it has been received, as far as that is known', async () => {
  const shareId = await draft({ name: 'Coming' })
  await changed(owner, shareId, { published: true })
  const rows = [
    [0, null, 'Still uploading<span id="progress"></span>.'],
    [22, 50, 'progress" class="visually-hidden"> (50%)</span>.'],
    [22, 50, '<text x="56" y="58">50%</text>'],
    // Less than was received: some of that may belong to a file that was taken out.
    [10, 99, ' (99%)'],
    [11, 99, ' (99%)'],
    [12, 91, ' (91%)'],
    [Number.MAX_SAFE_INTEGER, 0, ' (0%)'],
  ] as const
  for (const [expectedBytes, percent, words] of rows) {
    await changed(owner, shareId, { expectedBytes })
    assert.is((await shown(shareId)).json().progress, percent)
    assert.ok((await pageOf(shareId)).html.includes(words), words)
  }
  // The total is no limit, and other changes leave it.
  await changed(owner, shareId, { expectedBytes: 12, name: 'Soon' })
  await changed(owner, shareId, { name: 'Now' })
  await owner.chunk(shareId, 'g', 0, 'more than that')
  assert.is((await shown(shareId)).json().progress, 99)
  const german = await anonymous.get(`/s/${shareId}`, { 'accept-language': 'de' })
  assert.match(german.body.toString(), 'class="visually-hidden"> (99\u00a0%)</span>.')
  await owner.finalize(shareId, [{ fileId: 'f', originalName: 'a', size: 11 }], {
    discardUnlisted: true,
  })
  assert.is((await shown(shareId)).json().progress, null)
  const expected = async () => {
    const [row] = await service.database.sql`
      select expected_bytes
      from shares
      where id = ${shareId}`
    return row!['expectedBytes'] as number
  }
  assert.is(await expected(), 0)
  await changed(owner, shareId, { expectedBytes: 12 })
  assert.is(await expected(), 0)
})

published('should be received while a chunk comes, and for a short time after it', async () => {
  const shareId = await draft({ name: 'Coming' })
  await changed(owner, shareId, { published: true, expectedBytes: 22 })
  const isReceiving = async () => (await shown(shareId)).json().receiving
  const states = async () => {
    const { receiving, all_received: isAllReceived } = await details(owner, shareId)
    return [receiving, isAllReceived]
  }
  assert.equal(await states(), [true, false])
  service.clock.advance(76_000)
  assert.equal(await states(), [false, false])
  const connection = await RawConnection.open(service.url)
  await connection.send(
    `POST /api/shares/${shareId}/chunk HTTP/1.1\r\nHost: test\r\n` +
      `Authorization: Bearer ${owner.token}\r\n` +
      'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000\r\n\r\n--b\r\n' +
      'Content-Disposition: form-data; name="chunk"; filename="b"\r\n\r\n1234567890',
  )
  await until('the chunk is being received', isReceiving)
  assert.equal(await states(), [true, false])
  // Some of its last bytes may be the beginning of a boundary.
  await until('its bytes are counted', async () => (await shown(shareId)).json().progress > 70)
  connection.destroy()
  await until('it was cut off', async () => !(await isReceiving()))
  assert.equal(await states(), [false, false])
  assert.is((await shown(shareId)).json().progress, 50)
  await owner.chunk(shareId, 'g', 0, 'the content')
  assert.equal(await states(), [true, true])
  await owner.finalize(shareId, listed, { discardUnlisted: true })
  assert.equal(await states(), [false, false])
})

published('should be withdrawable while it is a draft, and not when it is complete', async () => {
  const shareId = await draft({ name: 'Maybe' })
  await changed(owner, shareId, { published: true })
  assert.is((await shown(shareId)).status, 200)
  assert.is((await changed(owner, shareId, { published: false })).published, false)
  assertError(await shown(shareId), 404, 'not_found')
  assert.is((await pageOf(shareId)).status, 404)
  // Other changes leave it as it is.
  await changed(owner, shareId, { published: true })
  await changed(owner, shareId, { name: 'Surely', published: null })
  assert.is((await shown(shareId)).json().name, 'Surely')
  await owner.finalize(shareId, listed)
  assert.is((await changed(owner, shareId, { published: true })).published, true)
  const answer = await change(owner, shareId, { published: false, name: 'New' })
  assertError(answer, 409, 'already_complete')
  assert.is((await details(owner, shareId)).name, 'Surely')
  assert.is((await shown(shareId)).json().status, 'complete')
})

published('should stay visible past the lifetime of the draft, until complete', async () => {
  const shareId = await draft({ expirationVal: 1, expirationUnit: 'Hours' })
  await changed(owner, shareId, { published: true })
  service.clock.advance(2 * 3_600_000)
  assert.is((await shown(shareId)).status, 200)
  await owner.finalize(shareId, listed)
  assert.is((await shown(shareId)).status, 200)
  service.clock.advance(3_600_000)
  assertError(await shown(shareId), 410, 'expired')
})
