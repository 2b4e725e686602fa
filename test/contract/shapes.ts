import * as assert from 'uvu/assert'
import type { Answer } from '../helpers/client.ts'

/** Part 7 and design 7: every error is `{ error, code }`, as JSON that is not cached. */
export function assertError(answer: Answer, status: number, code?: string): void {
  const text = answer.body.toString()
  assert.is(answer.status, status, text)
  assert.match(String(answer.headers['content-type']), /^application\/json\b/)
  assert.is(answer.headers['cache-control'], 'no-store')
  const body = answer.json()
  assert.type(body.error, 'string')
  assert.ok(body.error.length > 0)
  assert.match(body.code, /^[a-z][a-z0-9_]*$/)
  if (code !== undefined) assert.is(body.code, code)
  assert.is(answer.headers['www-authenticate'], status === 401 ? 'Bearer' : undefined)
}
