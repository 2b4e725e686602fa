// Changes of an account's own contacts and preferences.
import { left, row, type EventRow } from './event-row.ts'
import type { World } from './world.ts'

async function withContact(world: World) {
  const ann = await world.person()
  const contact = await ann.client.post('/api/account/contacts', { email: 'eve@example.org' })
  return { ...ann, contactId: contact.json().id as string }
}

export const ownEvents: readonly EventRow[] = [
  row({
    id: 'addContact',
    when: 'it is a new address',
    prepare: (world: World) => world.person(),
    act: (_world, { client }) =>
      client.post('/api/account/contacts', { email: 'eve@example.org', name: 'Eve' }),
    leaves: ({ email }) => [{ event: 'contact.added', by: email, name: '' }],
  }),
  row({
    id: 'updateContact',
    when: 'the name changes',
    prepare: withContact,
    act: (_world, { client, contactId }) =>
      client.call('PATCH', `/api/account/contacts/${contactId}`, { json: { name: 'Eva' } }),
    leaves: ({ email, contactId }) => [
      { event: 'contact.changed', by: email, target: contactId, details: { fields: ['name'] } },
    ],
  }),
  row({
    id: 'deleteContact',
    when: 'it belongs to the account',
    prepare: withContact,
    act: (_world, { client, contactId }) => client.delete(`/api/account/contacts/${contactId}`),
    leaves: ({ email, contactId }) => [{ event: 'contact.removed', by: email, target: contactId }],
  }),
  row({
    id: 'putPreferences',
    when: 'another value is chosen',
    prepare: (world: World) => world.person(),
    act: (_world, { client }) =>
      client.call('PUT', '/api/account/preferences', {
        json: { expirationVal: 2, expirationUnit: 'Weeks', message: 'a private note' },
      }),
    leaves: ({ id, email }) => [
      left('account.changed', email, id, email, {
        fields: ['expirationVal', 'expirationUnit', 'message'],
      }),
    ],
  }),
]
