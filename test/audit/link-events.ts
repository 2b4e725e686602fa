// Password links made by administrators: invitations and resets.
import { adminEmail } from '../helpers/service.ts'
import { left, row, type EventRow } from './event-row.ts'
import type { World } from './world.ts'

let count = 0

/** An invited account whose holder has not signed in yet. */
async function invited({ admin }: World) {
  const email = `invited${(count += 1)}@example.org`
  const { id, url } = (await admin.post('/api/users/invite', { email, name: 'Invited' })).json()
  return { id: id as number, email, token: /token=(.+)/.exec(url)![1]! }
}

export const linkEvents: readonly EventRow[] = [
  row({
    id: 'inviteUser',
    when: 'an administrator invites',
    prepare: async () => null,
    act: ({ admin }) => {
      const user = { email: 'asked@example.org', name: 'Queued', is_admin: true, quota: 5 }
      return admin.post('/api/users/invite', user)
    },
    leaves: () => [
      {
        event: 'user.invited',
        by: adminEmail,
        name: 'asked@example.org',
        details: { is_admin: true, mailed: true },
      },
    ],
  }),
  row({
    id: 'inviteUserAgain',
    when: 'it was not accepted yet',
    prepare: invited,
    act: ({ admin }, { id }) => admin.post(`/api/users/${id}/invite`),
    leaves: ({ id, email }) => [
      left('user.invited_again', adminEmail, id, email, { mailed: true }),
    ],
  }),
  row({
    id: 'acceptInvitation',
    when: 'the link is valid',
    prepare: invited,
    act: (world, { token }) =>
      world.anonymous().post('/api/auth/invitation/accept', { token, password: 'long enough' }),
    leaves: ({ id, email }) => [
      left('user.invitation_accepted', 'anonymous', id, email),
      left('login.succeeded', email, id, email, { second_factor: 'none' }),
    ],
  }),
  row({
    id: 'createResetLink',
    when: 'the account has a password',
    prepare: (world) => world.person(),
    act: ({ admin }, { id }) => admin.post(`/api/users/${id}/password-reset`),
    leaves: ({ id, email }) => [
      left('password.link_made', adminEmail, id, email, { mailed: true }),
    ],
  }),
]
