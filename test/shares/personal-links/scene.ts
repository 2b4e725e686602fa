// A share for named people, and their links.
import type { Client } from '../../helpers/client.ts'

export interface Person {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly url: string
  readonly revoked_at: string | null
  readonly first_opened_at: string | null
  readonly last_opened_at: string | null
  readonly download_count: number
  readonly device_count: number
  readonly mail_status: string | null
}

export const listPeople = async (owner: Client, shareId: string): Promise<Person[]> =>
  (await owner.get(`/api/shares/${shareId}/people`)).json()

/** The name of a person's link: the last part of its path. */
export async function tokenOf(owner: Client, shareId: string, who: string): Promise<string> {
  const people = await listPeople(owner, shareId)
  const found = people.find(({ email, name, revoked_at: end }) => {
    return end === null && [email, name].includes(who)
  })
  return found!.url.split('/').at(-1)!
}
