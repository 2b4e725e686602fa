import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Client } from '../helpers/client.ts'
import { startService, type Service } from '../helpers/service.ts'
import { Guest, makeLink } from './guest.ts'

const inputs = suite('reverse shares: bad input')
let service: Service
let owner: Client

inputs.before(async () => {
  service = await startService()
  owner = await service.user('owner@example.org')
})
inputs.after(() => service.stop())

for (const [why, body] of [
  ['a negative maxSize', { maxSize: -1 }],
  ['a maxSize with a fraction', { maxSize: 1.5 }],
  ['a maxSize as a string', { maxSize: '5' }],
  ['a maxSize beyond whole numbers', { maxSize: 2 ** 53 }],
  ['an unknown unit', { expirationVal: 1, expirationUnit: 'Years' }],
  ['a negative lifetime', { expirationVal: -1 }],
  ['an invalid email', { sendEmailTo: 'nobody' }],
  ['notify as a string', { notify: 'yes' }],
  ['an unknown field', { requiredFields: ['name', 'phone'] }],
  ['a field that is no list', { requiredFields: 'name' }],
  ['more requiredFields than exist', { requiredFields: ['name', 'name', 'name', 'name'] }],
  ['a name with NUL', { name: 'a\0b' }],
  ['a password that is too long', { password: 'x'.repeat(257) }],
] as const) {
  inputs(`should refuse ${why}`, async () => {
    const answer = await owner.post('/api/reverse', body)
    assert.equal([answer.status, answer.json().code], [400, 'invalid_input'])
    if ('sendEmailTo' in body) return
    const id = await makeLink(owner)
    const change = await owner.call('PATCH', `/api/reverse/${id}`, { json: body })
    assert.equal([change.status, change.json().code], [400, 'invalid_input'])
  })
}

for (const id of ['0', '-1', 'x', '1.5', '2147483648', '99999999999']) {
  inputs(`should answer 404 for the file id ${id}`, async () => {
    assert.is((await owner.get(`/api/reverse/files/${id}/download`)).status, 404)
  })
}

for (const [why, body] of [
  ['an invalid email', { senderEmail: 'nobody' }],
  ['a name that is too long', { senderName: 'x'.repeat(201) }],
  ['a note that is no string', { note: 7 }],
] as const) {
  inputs(`should refuse ${why} from a guest`, async () => {
    const answer = await new Guest(service.client(), await makeLink(owner)).init(body)
    assert.equal([answer.status, answer.json().code], [400, 'invalid_input'])
  })
}

inputs.run()
