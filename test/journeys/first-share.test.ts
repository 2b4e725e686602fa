import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { adminEmail, adminPassword, startService, type Service } from '../helpers/service.ts'

const journey = suite('journey: first share')
let service: Service

journey.before(async () => {
  service = await startService()
})
journey.after(() => service.stop())

journey('should lead from sign-in to a download by an anonymous client', async () => {
  const sender = service.client()
  const login = await sender.post('/api/auth/login', { email: adminEmail, password: adminPassword })
  assert.is(login.status, 200)
  sender.token = login.json().token

  const content = Buffer.alloc(700_000, 'a file of several chunks, ')
  const shareId = await sender.init({ name: 'Photos' })
  const parts = [
    content.subarray(0, 300_000),
    content.subarray(300_000, 600_000),
    content.subarray(600_000),
  ]
  for (const index of [2, 0, 1]) {
    const sent = await sender.chunk(shareId, 'f1', index, parts[index]!, {
      fieldsFirst: index === 1,
    })
    assert.equal([sent.status, sent.json()], [200, { success: true }])
  }
  const finalized = await sender.finalize(shareId, [
    { fileId: 'f1', originalName: 'summer/größe.txt', size: content.length },
  ])
  assert.equal(finalized.json(), { success: true, shareUrl: `http://transfer.test/s/${shareId}` })

  const anonymous = service.client()
  const shown = (await anonymous.get(`/api/public/shares/${shareId}`)).json()
  assert.is(shown.name, 'Photos')
  const download = await anonymous.get(`/api/shares/${shareId}/files/${shown.files[0].id}`)
  assert.ok(download.body.equals(content))
  const archive = await anonymous.get(`/api/shares/${shareId}/download`)
  assert.is(archive.status, 200)
  assert.is(Number(archive.headers['content-length']), archive.body.length)

  assert.equal((await sender.delete(`/api/shares/${shareId}`)).json(), { success: true })
  assert.is((await anonymous.get(`/api/public/shares/${shareId}`)).status, 404)
})

journey.run()
