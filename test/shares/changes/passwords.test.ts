import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Gate, until } from '../../helpers/until.ts'
import { assertError, cookieName, cookieValue, okay, randomContent } from '../../helpers/client.ts'
import { assertNothingLeft, downloadCount, fileIds } from '../../bytes/send/scene.ts'
import { Recipient, startUnlimited, untilSettled } from '../../bytes/send/scene.ts'
import { changed } from './scene.ts'

const passwords = suite('shares: changed passwords')
const mib = 1024 * 1024
/** More than the kernel buffers for a connection that is not read. */
const big = randomContent(24 * mib)

const service = await startUnlimited()
const owner = await service.admin()
passwords.after.each(() => assertNothingLeft(service))

async function unlocked(shareId: string, password: string, place = 1): Promise<Recipient> {
  const recipient = new Recipient(service.url, `192.0.2.${place}`)
  await okay(recipient.client.post(`/api/shares/${shareId}/verify`, { password }))
  return recipient
}

for (const [what, before, after] of [
  ['set', '', 'new'],
  ['changed', 'old', 'new'],
  ['set again to the same', 'old', 'old'],
  ['removed', 'old', ''],
] as const) {
  passwords(`should abort running downloads at once when it is ${what}`, async () => {
    const shareId = await owner.share({ big }, { password: before })
    const otherId = await owner.share({ big }, { password: before })
    const fileId = (await fileIds(service, shareId))['big']
    const recipients = await Promise.all([1, 2, 3].map((n) => unlocked(shareId, before, n)))
    const begun = [
      await recipients[0]!.begin(`/api/shares/${shareId}/download`),
      await recipients[1]!.begin(`/api/shares/${shareId}/files/${fileId}`),
      await recipients[2]!.begin(`/api/shares/${shareId}/files/${fileId}`, { range: 'bytes=9-' }),
    ]
    const elsewhere = await unlocked(otherId, before, 4)
    const untouched = await elsewhere.begin(`/api/shares/${otherId}/download`)
    for (const reader of begun) await reader.read(mib)
    await changed(owner, shareId, { password: after })
    for (const reader of begun) {
      const { body, isComplete } = await reader.readRest()
      assert.not.ok(isComplete)
      assert.ok(body.length < big.length - mib)
    }
    assert.ok((await untouched.readRest()).isComplete, 'the download of another share')
    await untilSettled(service, shareId)
  })

  passwords(`should void unlock cookie, access token and lease when it is ${what}`, async () => {
    const input = { password: before, message: 'concealed', maxDownloads: 2 }
    const shareId = await owner.share({ 'a.txt': 'the content' }, input)
    const file = `/api/shares/${shareId}/files/${(await fileIds(service, shareId))['a.txt']}`
    const recipient = await unlocked(shareId, before)
    const verified = await recipient.client.post(`/api/shares/${shareId}/verify`, {
      password: before,
    })
    const token = verified.json().accessToken as string
    assert.is((await recipient.ask(file)).status, 200)
    assert.is((await recipient.ask(file, { range: 'bytes=4-' })).status, 206)
    assert.is(await downloadCount(service, shareId), 1)
    await untilSettled(service, shareId)
    assert.is((await changed(owner, shareId, { password: after })).protected, after !== '')

    const lease = cookieValue(recipient.client, 'downloader')
    const leaseCookie = `${cookieName(recipient.client, 'downloader')}=${lease}`
    const bearer = { authorization: `Bearer ${token}` }
    for (const headers of [{}, { cookie: leaseCookie }, bearer] as object[]) {
      const shown = await recipient.ask(`/api/public/shares/${shareId}`, { ...headers })
      assert.equal([shown.status, shown.json().protected], [200, after !== ''])
      assert.is(shown.json().files.length, after === '' ? 1 : 0)
      if (after === '') continue
      assert.not.match(shown.body.toString(), /concealed|a\.txt/)
      for (const range of ['bytes=0-', 'bytes=4-']) {
        assertError(await recipient.ask(file, { ...headers, range }), 401, 'password_required')
      }
      assertError(await recipient.ask(file, { ...headers }, 'GET'), 401, 'password_required')
      assert.is((await recipient.ask(file, { ...headers }, 'HEAD')).status, 401)
    }
    assert.is(await downloadCount(service, shareId), 1)
    // With the new password a download starts again: neither lease nor address has paid for it.
    const again = await unlocked(shareId, after)
    again.client.cookies.set(cookieName(recipient.client, 'downloader'), lease)
    assert.is((await again.ask(file, { range: 'bytes=4-' })).status, 200, 'counted, so whole')
    assert.is(await downloadCount(service, shareId), 2)
  })
}

passwords('should leave downloads and unlocks alone when anything else changes', async () => {
  const shareId = await owner.share({ big, small: 'small' }, { password: 'pw' })
  const recipient = await unlocked(shareId, 'pw')
  const reader = await recipient.begin(`/api/shares/${shareId}/download`)
  await reader.read(mib)
  for (const json of [
    { name: 'New', message: 'New', recipients: 'x', slug: 'while-it-runs' },
    { expirationVal: 1, maxDownloads: 1, password: null, published: true },
    {},
  ]) {
    await changed(owner, shareId, json)
  }
  const small = `/api/shares/${shareId}/files/${(await fileIds(service, shareId))['small']}`
  assert.is((await recipient.ask(small)).status, 200, 'unlocked, and part of the lease')
  const late = service.client()
  const refused = await late.post(`/api/shares/${shareId}/verify`, { password: 'pw' })
  assertError(refused, 410, 'download_limit')
  assert.ok((await reader.readRest()).isComplete)
  const open = await owner.share({ big })
  const other = new Recipient(service.url, '192.0.2.8')
  const second = await other.begin(`/api/shares/${open}/download`)
  await changed(owner, open, { password: '' })
  assert.ok((await second.readRest()).isComplete, 'there was none to remove')
})

passwords('should refuse a download that was admitted before the change', async () => {
  const shareId = await owner.share({ big }, { password: 'old' })
  const recipient = await unlocked(shareId, 'old')
  const target = `/api/shares/${shareId}/download`
  const { budget } = service.app.services.downloads
  const enter = budget.enter.bind(budget)
  const permit = new Gate()
  let isWaiting = false
  budget.enter = async (...asked) => {
    isWaiting = true
    await permit.passed
    return enter(...asked)
  }
  const waiting = recipient.begin(target)
  try {
    await until('it is admitted and waits for a permit', () => isWaiting)
    await changed(owner, shareId, { password: 'new' })
  } finally {
    budget.enter = enter
    permit.open()
  }
  const late = await waiting
  assert.is(late.status, 401)
  assert.is(late.headers['set-cookie'], undefined)
  assert.match((await late.readRest()).body.toString(), 'password_required')
  await untilSettled(service, shareId)
  assert.is(await downloadCount(service, shareId), 0)
})
