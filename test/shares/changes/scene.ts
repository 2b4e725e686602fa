import { okay, type Answer, type Client } from '../../helpers/client.ts'

export function change(client: Client, shareId: string, json: unknown): Promise<Answer> {
  return client.patch(`/api/shares/${shareId}`, json)
}

export async function changed(client: Client, shareId: string, json: unknown): Promise<any> {
  return (await okay(change(client, shareId, json))).json()
}

export async function details(client: Client, shareId: string): Promise<any> {
  return (await okay(client.get(`/api/shares/${shareId}`))).json()
}
