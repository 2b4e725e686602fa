// Ownership of shares. See security.md, part 1: the ids are the suites' names.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operations } from '../../src/routes.ts'
import { ending, entry } from '../bytes/archive/tar/blocks.ts'
import { assertError, multipart, sessionCookie, type Client } from '../helpers/client.ts'
import { startService } from '../helpers/service.ts'
import { addThumbnails, jpegOf } from '../shares/thumbnails/scene.ts'

const env = { RATE_LIMIT_LOGIN: 'off', RATE_LIMIT_DOWNLOAD: 'off' }
const service = await startService({ env })
const owner = await service.user('owner@example.org')
const other = await service.user('other@example.org')
const anonymous = service.client()

/** A well-formed request for every operation, for one share. */
function callFor(id: string): Parameters<Client['call']>[2] {
  switch (id) {
    case 'uploadShareChunk': {
      const fields = { chunkIndex: '0', fileName: 'a', fileId: 'f' }
      const { body, contentType } = multipart(fields, Buffer.from('stolen'), true)
      return { body, headers: { 'content-type': contentType } }
    }
    case 'uploadShareTar':
    case 'uploadShareTarByPut': {
      const body = Buffer.concat([entry({ name: 'f' }, 'stolen'), ending])
      return { body, headers: { 'content-type': 'application/x-tar' } }
    }
    case 'putShareThumbnail':
      return { body: jpegOf('stolen'), headers: { 'content-type': 'image/jpeg' } }
    case 'discardShareFiles':
      return { json: { fileIds: ['f'] } }
    case 'finalizeShare':
      return { json: { files: [] } }
    case 'verifySharePassword':
      return { json: { password: '' } }
    default:
      return {}
  }
}

const ofOwner = operations.filter(
  ({ path, auth }) => path.includes('{shareId}') && auth !== 'none' && auth !== 'admin',
)

const matrix = suite('security: CVE-2026-30943')
const admin = await service.admin()
const draft = await owner.init()
await owner.chunk(draft, 'f', 0, 'content')
const complete = await owner.share({ a: 'content' })
const fileId = (await anonymous.get(`/api/public/shares/${complete}`)).json().files[0].id

for (const { id, method, path } of ofOwner) {
  matrix(`should reserve ${id} for the owner: 404 for others`, async () => {
    for (const shareId of [draft, complete]) {
      const target = path
        .replace('{shareId}', shareId)
        .replace('{fileId}', String(fileId))
        .replace('{uploadedFileId}', shareId === draft ? 'f' : 'file-0')
      for (const client of [other, admin]) {
        assertError(await client.call(method, target, callFor(id)), 404, 'not_found')
      }
      assertError(await anonymous.call(method, target, callFor(id)), 401, 'unauthorized')
    }
    // Nothing has changed for the owner.
    const chunks = (await owner.get(`/api/shares/${draft}/chunks`)).json().chunks
    assert.equal(chunks, [{ fileId: 'f', from: 0, to: 0, bytes: 7 }])
    assert.is((await anonymous.get(`/api/public/shares/${complete}`)).json().files.length, 1)
    // Neither a prefix nor another case of an id is the id.
    const swapped = draft.replaceAll(/[a-z]/gi, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    )
    for (const near of [draft.slice(0, -1), `${draft}A`, swapped]) {
      const answer = await owner.call(method, path.replace('{shareId}', near), callFor(id))
      assertError(answer, 404, 'not_found')
    }
  })
}

matrix('should reserve the operations of administrators', async () => {
  for (const { method, path } of operations.filter(({ auth }) => auth === 'admin')) {
    const target = path.replaceAll(/\{\w+\}/g, '1')
    assertError(await other.call(method, target), 403, 'forbidden')
    assertError(await anonymous.call(method, target), 401, 'unauthorized')
  }
})

matrix('should not list shares of others', async () => {
  assert.equal((await other.get('/api/shares')).json(), [])
})

const before = suite('security: CVE-2024-11680')

before('should admit no client before the setup is finished', async () => {
  const client = (await startService({ empty: true })).client()
  const session = { authorization: 'Bearer x', cookie: sessionCookie(client, 'x') }
  for (const { id, method, path, auth } of operations) {
    if (auth === 'none') continue
    const target = path.replaceAll(/\{\w+\}/g, '1')
    for (const headers of [{}, session]) {
      const call = { ...callFor(id), headers: { ...callFor(id)?.headers, ...headers } }
      assertError(await client.call(method, target, call), 401, 'unauthorized')
    }
  }
})

const told = suite('security: CVE-2025-52996')

told('should open no way to a byte of a protected share', async () => {
  const shareId = await owner.share(
    { 'a.txt': 'the content' },
    { password: 'pw', message: 'secret' },
  )
  await addThumbnails(owner, shareId, { 0: jpegOf('a picture') })
  const shares: { id: string; files: { id: number }[] }[] = (await owner.get('/api/shares')).json()
  const fileId = shares.find(({ id }) => id === shareId)?.files[0]?.id
  for (const path of [
    `/api/shares/${shareId}/download`,
    `/api/shares/${shareId}/files/${fileId}`,
    `/api/shares/${shareId}/files/${fileId}/thumbnail`,
  ]) {
    for (const headers of [
      {},
      { range: 'bytes=0-3' },
      { range: 'bytes=3-' },
      { 'if-none-match': '*' },
    ]) {
      for (const method of ['GET', 'HEAD']) {
        for (const query of ['', '?inline=1', '?files=1', `?files=${fileId}`]) {
          const answer = await anonymous.call(method, `${path}${query}`, { headers })
          assert.is(answer.status, 401, `${method} ${path}${query} ${JSON.stringify(headers)}`)
          assert.is(answer.headers['etag'], undefined)
        }
      }
    }
    // Another site's page in a browser of the owner has no way either.
    const cookie = { cookie: sessionCookie(owner), 'sec-fetch-site': 'cross-site' }
    assertError(await anonymous.get(path, cookie), 401)
    assertError(await other.get(path), 401)
    assertError(await other.get(`${path}?as=owner`), 404)
    assertError(await anonymous.get(`${path}?as=owner`), 401)
  }
  for (const path of [`/api/public/shares/${shareId}`, `/s/${shareId}`]) {
    assert.not.match((await anonymous.get(path)).body.toString(), /a\.txt|the content|secret/)
  }
})
