import { api } from './api.ts'
import type { Recipient } from './recipients.ts'
import { signal } from './signals.ts'

export interface Contact extends Recipient {
  readonly id: string
}

export const contactsPath = '/api/account/contacts'

/** The account's contacts; null before they are first loaded. */
export const contacts = signal<readonly Contact[] | null>(null)

let loading: Promise<void> | null = null

/**
 * Loads the contacts once per visit; changes also update the signal.
 * @param isStale they were changed elsewhere: loads them again
 * @throws ApiError
 */
export function loadContacts(isStale = false): Promise<void> {
  if (isStale) loading = null
  loading ??= api<Contact[]>('GET', contactsPath).then(
    (found) => void (contacts.value = found),
    (error: unknown) => {
      loading = null
      throw error
    },
  )
  return loading
}

/** @throws ApiError */
export async function addContact({ email, name }: Recipient): Promise<void> {
  const added = await api<Contact>('POST', contactsPath, { body: { email, name } })
  contacts.value = [...(contacts.value ?? []), added]
}
