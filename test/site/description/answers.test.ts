// Proves that the check of answers against the description, made by every test's client, can fail.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { descriptionProblems, type Exchanged } from '../../helpers/description.ts'

const answers = suite('description: answers')

const file = {
  id: 1,
  original_name: 'a',
  size: 1,
  mime_type: 'text/plain',
  created_at: '2026-11-21T15:30:00.000Z',
}
const words = { name: '', message: '', ownerName: '' }
const sent = { receiving: false, last_received_at: null, downloads_left: null }
const state = { protected: false, status: 'complete', progress: null, ...sent }
const share = { ...words, ...state, files: [file] }
const json = { 'content-type': 'application/json; charset=utf-8' }

function exchanged(body: unknown, changes: Partial<Exchanged> = {}): Exchanged {
  return {
    server: 'product',
    method: 'GET',
    path: '/api/public/shares/abc?x=1',
    status: 200,
    headers: json,
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    ...changes,
  }
}

const notFound = { error: 'There is nothing here.', code: 'not_found' }
const wrongCode = { path: '/api/auth/login', method: 'POST', status: 401 }

const bad: readonly [title: string, Exchanged, RegExp][] = [
  ['an undescribed status', exchanged(share, { status: 201 }), /does not describe the status/],
  ['a field too many', exchanged({ ...share, owner: 1 }), /body\.owner is not described/],
  ['a field too few', exchanged({ name: '' }), /body\.message is missing/],
  [
    'a wrong type',
    exchanged({ ...share, protected: 'no' }),
    /body\.protected is "no": it must be boolean/,
  ],
  [
    'a detail that is not described',
    exchanged({ ...notFound, path: '/var' }, { status: 404 }),
    /body\.path is not described/,
  ],
  [
    'a header that is missing',
    exchanged({ error: 'Sign in.', code: 'wrong_credentials' }, wrongCode),
    /WWW-Authenticate is missing/,
  ],
  [
    'a 405 without Allow',
    exchanged({ error: 'No.', code: 'method_not_allowed' }, { method: 'PUT', status: 405 }),
    /Allow is missing/,
  ],
]

for (const [title, answer, problem] of bad) {
  answers(`should report ${title}`, () => {
    assert.match(descriptionProblems(answer).join('\n') || 'nothing found', problem)
  })
}
