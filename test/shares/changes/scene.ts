import { okay, type Answer, type Client } from '../../helpers/client.ts'

export function change(client: Client, shareId: string, json: unknown): Promise<Answer> {
  return client.patch(`/api/shares/${shareId}`, json)
}

export async function changed(client: Client, shareId: string, json: unknown): Promise<any> {
  const answer = await okay(change(client, shareId, json))
  return answer.json()
}

export async function details(client: Client, shareId: string): Promise<any> {
  const answer = await okay(client.get(`/api/shares/${shareId}`))
  return answer.json()
}
