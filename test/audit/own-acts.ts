// Acts on what an account keeps for itself.
import { row, type ActRow } from './act-row.ts'
import type { World } from './world.ts'

async function withContact(world: World) {
  const ann = await world.person()
  const contact = await ann.client.post('/api/account/contacts', { email: 'eve@example.org' })
  return { ...ann, contactId: contact.json().id as string }
}

export const ownActs: readonly ActRow[] = [
  row({
    id: 'addContact',
    when: 'it is a new address',
    prepare: (world: World) => world.person(),
    act: (_world, { client }) =>
      client.post('/api/account/contacts', { email: 'eve@example.org', name: 'Eve' }),
    leaves: ({ email }) => [{ act: 'contact.added', by: email, name: '' }],
  }),
  row({
    id: 'updateContact',
    when: 'the name changes',
    prepare: withContact,
    act: (_world, { client, contactId }) =>
      client.call('PATCH', `/api/account/contacts/${contactId}`, { json: { name: 'Eva' } }),
    leaves: ({ email, contactId }) => [
      { act: 'contact.changed', by: email, target: contactId, details: { fields: ['name'] } },
    ],
  }),
  row({
    id: 'deleteContact',
    when: 'it is one of the account',
    prepare: withContact,
    act: (_world, { client, contactId }) => client.delete(`/api/account/contacts/${contactId}`),
    leaves: ({ email, contactId }) => [{ act: 'contact.removed', by: email, target: contactId }],
  }),
  row({
    id: 'putPreferences',
    when: 'something else is chosen',
    prepare: (world: World) => world.person(),
    act: (_world, { client }) =>
      client.call('PUT', '/api/account/preferences', {
        json: { expirationVal: 2, expirationUnit: 'Weeks', message: 'a private note' },
      }),
    leaves: ({ id, email }) => [
      {
        act: 'account.changed',
        by: email,
        target: id,
        name: email,
        details: { fields: ['expirationVal', 'expirationUnit', 'message'] },
      },
    ],
  }),
]
