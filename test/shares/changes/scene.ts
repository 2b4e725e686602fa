// Helpers of the tests that change a share.
import * as assert from 'uvu/assert'
import type { Answer, Client } from '../../helpers/client.ts'

/** Sends a change of a share, which may be refused. */
export function change(client: Client, shareId: string, json: unknown): Promise<Answer> {
  return client.patch(`/api/shares/${shareId}`, json)
}

/** Changes a share, which must succeed, and returns it afterwards. */
export async function changed(client: Client, shareId: string, json: unknown): Promise<any> {
  const answer = await change(client, shareId, json)
  assert.is(answer.status, 200, answer.body.toString())
  return answer.json()
}

/** The share as its owner sees it. */
export async function details(client: Client, shareId: string): Promise<any> {
  const answer = await client.get(`/api/shares/${shareId}`)
  assert.is(answer.status, 200, answer.body.toString())
  return answer.json()
}
