// Actions of the command line, through the same rules as the API, as the operator.
import { makeApiToken } from '../helpers/api-token.ts'
import { operator } from '../../src/lib/actor.ts'
import { row, type EventRow } from './event-row.ts'
import type { World } from './world.ts'

const person = (world: World) => world.person()

const withThings = async (world: World) => {
  const { id, email, client } = await world.person()
  const { id: tokenId } = await makeApiToken(client)
  const shareId = await client.init({ name: 'a share' })
  const reverseId: string = (await client.post('/api/reverse', { name: 'a link' })).json().id
  return { id, email, tokenId, shareId, reverseId }
}

/** Rules return no answer, because there is no request. */
async function done(event: Promise<unknown>): Promise<null> {
  await event
  return null
}

const by = 'operator'

export const operatorEvents: readonly EventRow[] = [
  row({
    id: 'command',
    when: 'the operator sets a password',
    prepare: person,
    act: ({ service }, { id }) =>
      done(service.app.services.account.setPassword(operator, id, 'set by the operator')),
    leaves: ({ id, email }) => [{ event: 'password.set', by, target: id, name: email }],
  }),
  row({
    id: 'command',
    when: 'the operator disables an account',
    prepare: person,
    act: ({ service }, { id }) =>
      done(service.app.services.users.update(operator, id, { disabled: true })),
    leaves: ({ id, email }) => [{ event: 'user.disabled', by, target: id, name: email }],
  }),
  row({
    id: 'command',
    when: 'the operator ends the sessions of an account',
    prepare: person,
    act: ({ service }, { id }) => done(service.app.services.auth.endSessionsOf(operator, id)),
    leaves: ({ id, email }) => [
      { event: 'session.all_ended', by, target: id, name: email, details: { sessions: 1 } },
    ],
  }),
  row({
    id: 'command',
    when: 'the operator ends an API token',
    prepare: withThings,
    act: ({ service }, { tokenId }) =>
      done(service.app.services.apiTokens.deleteAny(operator, tokenId)),
    leaves: ({ tokenId }) => [{ event: 'api_token.revoked', by, target: tokenId, name: 'script' }],
  }),
  row({
    id: 'command',
    when: 'the operator deletes a share',
    prepare: withThings,
    act: ({ service }, { shareId }) =>
      done(service.app.services.shares.deleteAny(operator, shareId)),
    leaves: ({ shareId }) => [{ event: 'share.deleted', by, target: shareId, name: 'a share' }],
  }),
  row({
    id: 'command',
    when: 'the operator deletes a reverse share',
    prepare: withThings,
    act: ({ service }, { reverseId }) =>
      done(service.app.services.reverseShares.deleteAny(operator, reverseId)),
    leaves: ({ reverseId }) => [
      { event: 'reverse_share.deleted', by, target: reverseId, name: 'a link' },
    ],
  }),
  row({
    id: 'command',
    when: 'the operator changes a setting',
    prepare: async () => null,
    act: ({ service }) =>
      done(service.app.services.settings.update(operator, { imprintUrl: 'https://x.example' })),
    leaves: () => [{ event: 'settings.changed', by, details: { keys: ['imprintUrl'] } }],
  }),
]
