import * as v from 'valibot'
import { json, success } from '../../http/answer.ts'
import { jsonBody, ok, operation } from '../../http/operation.ts'
import {
  named,
  noted,
  optional,
  present,
  successSchema,
  text,
  timestamp,
} from '../../http/schema.ts'
import { emailSchema } from '../users/schemas.ts'
import * as contacts from './contacts.ts'
import * as rows from './sql.ts'
import type { AccountDeps } from '../deps.ts'

const own = { tag: 'Account', auth: 'user' } as const

const contactSchema = named(
  'Contact',
  v.object({
    id: v.string(),
    email: noted(v.string(), 'Email address', 'ada@example.org'),
    name: noted(v.string(), 'Empty if none was given', 'Ada'),
    created_at: timestamp,
  }),
)

/** One line, because it precedes the address, as in `Ada <ada@example.org>`. */
const nameSchema = noted(
  v.pipe(text(0, 200), v.trim(), v.regex(/^[^\p{Cc}]*$/u, 'must be one line')),
  'Name of the contact; can be empty',
  'Ada',
)

export const listContacts = (deps: AccountDeps) =>
  operation({
    id: 'listContacts',
    method: 'GET',
    path: '/api/account/contacts',
    summary: 'List the contacts of the caller, by address',
    ...own,
    scope: 'read',
    answers: ok('The contacts', v.array(contactSchema)),
    async handle({ actor }) {
      const found = await rows.listContacts(deps.database.sql, actor.userId)
      return json(found.map((row) => present(contactSchema, row)))
    },
  })

export const addContact = (deps: AccountDeps) =>
  operation({
    id: 'addContact',
    method: 'POST',
    path: '/api/account/contacts',
    summary: 'Add a contact; addresses are unique, regardless of case',
    ...own,
    scope: 'manage',
    body: jsonBody(v.object({ email: emailSchema, name: optional(nameSchema) })),
    answers: ok('The contact', contactSchema),
    errors: ['conflict', 'too_many_contacts'],
    async handle({ actor, body }) {
      const { email, name } = body
      const added = await contacts.add(deps, actor, { email, name: name ?? '' })
      return json(present(contactSchema, added))
    },
  })

export const updateContact = (deps: AccountDeps) =>
  operation({
    id: 'updateContact',
    method: 'PATCH',
    path: '/api/account/contacts/{contactId}',
    summary: 'Change the address or name of a contact',
    ...own,
    scope: 'manage',
    body: jsonBody(v.object({ email: optional(emailSchema), name: optional(nameSchema) })),
    answers: ok('The changed contact', contactSchema),
    errors: ['conflict'],
    async handle({ actor, params, body }) {
      const changed = await contacts.change(deps, actor, params['contactId']!, body)
      return json(present(contactSchema, changed))
    },
  })

export const deleteContact = (deps: AccountDeps) =>
  operation({
    id: 'deleteContact',
    method: 'DELETE',
    path: '/api/account/contacts/{contactId}',
    summary: 'Remove a contact',
    ...own,
    scope: 'manage',
    answers: ok('Removed', successSchema),
    async handle({ actor, params }) {
      await contacts.remove(deps, actor, params['contactId']!)
      return success()
    },
  })
