import { signal } from '@preact/signals'
import { api } from './api.ts'
import type { Recipient } from './recipients.ts'

export interface Contact extends Recipient {
  readonly id: string
}

export const contactsPath = '/api/account/contacts'

/** The account's address book; null until somebody has asked for it. */
export const contacts = signal<readonly Contact[] | null>(null)

let loading: Promise<void> | null = null

/**
 * Asked for once a visit: who changes it changes the signal too.
 * @param isStale it was changed elsewhere: asks again
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
