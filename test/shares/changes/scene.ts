import * as assert from 'uvu/assert'
import type { Answer, Client } from '../../helpers/client.ts'

export function change(client: Client, shareId: string, json: unknown): Promise<Answer> {
  return client.patch(`/api/shares/${shareId}`, json)
}

export async function changed(client: Client, shareId: string, json: unknown): Promise<any> {
  const answer = await change(client, shareId, json)
  assert.is(answer.status, 200, answer.body.toString())
  return answer.json()
}

export async function details(client: Client, shareId: string): Promise<any> {
  const answer = await client.get(`/api/shares/${shareId}`)
  assert.is(answer.status, 200, answer.body.toString())
  return answer.json()
}
