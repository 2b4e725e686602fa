import type { Client } from '../../helpers/client.ts'

export const listPeople = async (owner: Client, shareId: string): Promise<any[]> =>
  (await owner.get(`/api/shares/${shareId}/people`)).json()

/** The name of a person's link: the last part of its path. */
export async function tokenOf(owner: Client, shareId: string, who: string): Promise<string> {
  const found = (await listPeople(owner, shareId)).find(({ email, name, revoked_at: end }) => {
    return end === null && [email, name].includes(who)
  })
  return found!.url.split('/').at(-1)!
}
