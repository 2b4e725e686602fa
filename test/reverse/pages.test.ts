import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Client } from '../helpers/client.ts'
import { startService, type Service } from '../helpers/service.ts'
import { Guest, makeLink } from './guest.ts'

const pages = suite('reverse shares: page')
let service: Service
let owner: Client

pages.before(async () => {
  service = await startService()
  owner = await service.user('owner@example.org')
})
pages.after(() => service.stop())

const payload = `"><script>alert('x')</script>`

pages('should show name and limit, no thanks yet, and no markup of the owner', async () => {
  const input = { name: payload, maxSize: 2_500_000, thankYouMessage: 'Thanks!' }
  const id = await makeLink(owner, input)
  const answer = await service.client().get(`/r/${id}`)
  const text = answer.body.toString()
  assert.is(answer.status, 200)
  assert.match(text, /At most 2\.5 MB/)
  assert.match(text, /static\/deliver\.js/)
  assert.not.match(text, /<script>alert|Thanks!/)
})

pages('should ask for the password first, and for the files once it was given', async () => {
  const id = await makeLink(owner, { name: payload, password: 'sesame' })
  const guest = new Guest(service.client(), id)
  const locked = (await guest.client.get(`/r/${id}`)).body.toString()
  assert.match(locked, new RegExp(`data-verify="/api/public/reverse/${id}/verify"`))
  assert.not.match(locked, /deliver\.js|<script>alert/)
  await guest.client.post(`${guest.base}/verify`, { password: 'sesame' })
  assert.match((await guest.client.get(`/r/${id}`)).body.toString(), /deliver\.js/)
})

pages('should say kindly what is not there any more', async () => {
  const client = service.client()
  const id = await makeLink(owner, { expirationVal: 1, expirationUnit: 'Hours' })
  service.clock.jump(60 * 60_000)
  const expired = await client.get(`/r/${id}`)
  service.clock.jump(-60 * 60_000)
  assert.is(expired.status, 410)
  assert.match(expired.body.toString(), /expired/)
  const unknown = await client.get('/r/AAAAAAAAAAAAAAAAAAAAAA')
  assert.is(unknown.status, 404)
  assert.match(String(unknown.headers['content-type']), /^text\/html/)
})

pages.run()
