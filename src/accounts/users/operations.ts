import * as v from 'valibot'
import { json, success } from '../../http/answer.ts'
import { jsonBody, ok, operation } from '../../http/operation.ts'
import { noted, optional, successSchema } from '../../http/schema.ts'
import type { UserActor } from '../../lib/actor.ts'
import { CodedError } from '../../lib/errors.ts'
import { requireFreshSession, requireRecentProof } from '../../lib/fresh-session.ts'
import * as schemas from './schemas.ts'
import { guardSignIn } from './users.ts'
import { setPassword } from '../own-account/account.ts'
import type { AccountDeps } from '../deps.ts'

const administrator = { tag: 'Users', auth: 'admin', scope: 'administer' } as const

export const listUsers = (deps: AccountDeps) =>
  operation({
    id: 'listUsers',
    method: 'GET',
    path: '/api/users',
    summary: 'List all accounts, newest first',
    ...administrator,
    answers: ok('The accounts', v.array(schemas.listedUserSchema)),
    handle: async () => json((await deps.users.list()).map(schemas.presentListedUser)),
  })

export const createUser = (deps: AccountDeps) =>
  operation({
    id: 'createUser',
    method: 'POST',
    path: '/api/users',
    summary: 'Create an account',
    ...administrator,
    scope: 'session',
    body: jsonBody(
      v.object({
        email: schemas.emailSchema,
        password: schemas.newPasswordSchema,
        name: schemas.userNameSchema,
        is_admin: optional(v.boolean()),
        quota: schemas.quotaSchema,
      }),
    ),
    answers: ok('Created', successSchema),
    errors: ['confirmation_required', 'conflict'],
    async handle({ actor, body }) {
      const { email, password, name, quota } = body
      const isAdmin = body.is_admin ?? false
      if (isAdmin) requireFreshSession(actor)
      await deps.users.create(actor, { email, password, name, isAdmin, quota })
      return success()
    },
  })

export const updateUser = (deps: AccountDeps) =>
  operation({
    id: 'updateUser',
    method: 'PUT',
    path: '/api/users/{userId}',
    summary: 'Change an account; disabling it or setting a password ends its sessions',
    description:
      'Enabling an account that waits for approval approves it; its holder gets an email.',
    ...administrator,
    body: jsonBody(
      v.object({
        email: optional(schemas.emailSchema),
        name: optional(schemas.userNameSchema),
        is_admin: optional(v.boolean()),
        disabled: noted(
          optional(v.boolean()),
          'Whether the account is disabled and cannot sign in',
        ),
        quota: schemas.quotaSchema,
        password: noted(
          optional(schemas.newPasswordSchema),
          'New password, 8 to 256 characters; ends all sessions and API tokens of the ' +
            'account and notifies its holder by email',
        ),
      }),
    ),
    answers: ok('Changed', successSchema),
    errors: ['api_token_not_allowed', 'confirmation_required', 'conflict', 'last_administrator'],
    load: ({ params }) => deps.users.find(Number(params['userId'])),
    async handle({ actor, body }, user) {
      const { is_admin: isAdmin, password, ...rest } = body
      const change = { ...rest, isAdmin }
      if (password === null || password === undefined) {
        await deps.users.update(actor, user.id, change, (_sql, current) =>
          guardSignIn(actor, current, change),
        )
      } else {
        requireFreshSession(actor, 'password')
        refuseOwnPassword(actor, user.id)
        await setPassword(deps, actor, user.id, password, change)
      }
      return success()
    },
  })

export const deleteUser = (deps: AccountDeps) =>
  operation({
    id: 'deleteUser',
    method: 'DELETE',
    path: '/api/users/{userId}',
    summary: 'Delete an account with its shares, or transfer them to another account',
    description:
      'Deleting an account that waits for approval declines it; its holder gets an email.',
    ...administrator,
    query: v.object({
      transferTo: optional(
        v.pipe(
          v.string(),
          v.metadata({
            json: {
              type: 'integer',
              format: 'int64',
              minimum: 1,
              maximum: 2 ** 31 - 1,
              description:
                'Account that receives the shares; without it they are deleted. Not allowed ' +
                'with an API token',
              examples: [7],
            },
          }),
          v.regex(/^[1-9][0-9]{0,9}$/, 'must be an account id'),
          v.transform(Number),
          v.maxValue(2 ** 31 - 1, 'must be an account id'),
        ),
      ),
    }),
    answers: ok('Deleted', successSchema),
    errors: ['api_token_not_allowed', 'confirmation_required', 'last_administrator'],
    load: ({ params }) => deps.users.find(Number(params['userId'])),
    async handle({ actor, query }, user) {
      const transferTo = query.transferTo ?? null
      // The account that receives the shares can read them.
      if (transferTo !== null) requireRecentProof(actor, 'transferTo')
      await deps.users.delete(actor, user.id, transferTo, (_sql, current) => {
        if (current.isAdmin) requireFreshSession(actor)
      })
      return success()
    },
  })

/** One's own password is changed with the current one. */
function refuseOwnPassword(actor: UserActor, userId: number): void {
  if (actor.userId !== userId) return
  throw new CodedError('conflict', {
    message: 'Change your own password at POST /api/account/password.',
  })
}
