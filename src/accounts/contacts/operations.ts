import * as v from 'valibot'
import { json, success } from '../../http/answer.ts'
import { jsonBody, operation } from '../../http/operation.ts'
import { named, noted, optional, successSchema, text, timestamp } from '../../http/schema.ts'
import { emailSchema } from '../users/schemas.ts'
import type { Contact } from './sql.ts'
import type { AccountDeps } from '../deps.ts'

const tag = 'Account'

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
    tag,
    auth: 'user',
    scope: 'read',
    answers: { 200: { description: 'The contacts', schema: v.array(contactSchema) } },
    async handle({ actor }) {
      return json((await deps.contacts.list(actor)).map(present))
    },
  })

export const addContact = (deps: AccountDeps) =>
  operation({
    id: 'addContact',
    method: 'POST',
    path: '/api/account/contacts',
    summary: 'Add a contact; addresses are unique, regardless of case',
    tag,
    auth: 'user',
    scope: 'manage',
    body: jsonBody(v.object({ email: emailSchema, name: optional(nameSchema) })),
    answers: { 200: { description: 'The contact', schema: contactSchema } },
    errors: ['conflict', 'too_many_contacts'],
    async handle({ actor, body }) {
      const { email, name } = body
      return json(present(await deps.contacts.add(actor, { email, name: name ?? '' })))
    },
  })

export const updateContact = (deps: AccountDeps) =>
  operation({
    id: 'updateContact',
    method: 'PATCH',
    path: '/api/account/contacts/{contactId}',
    summary: 'Change the address or name of a contact',
    tag,
    auth: 'user',
    scope: 'manage',
    body: jsonBody(v.object({ email: optional(emailSchema), name: optional(nameSchema) })),
    answers: { 200: { description: 'The changed contact', schema: contactSchema } },
    errors: ['conflict'],
    async handle({ actor, params, body }) {
      return json(present(await deps.contacts.change(actor, params['contactId']!, body)))
    },
  })

export const deleteContact = (deps: AccountDeps) =>
  operation({
    id: 'deleteContact',
    method: 'DELETE',
    path: '/api/account/contacts/{contactId}',
    summary: 'Remove a contact',
    tag,
    auth: 'user',
    scope: 'manage',
    answers: { 200: { description: 'Removed', schema: successSchema } },
    async handle({ actor, params }) {
      await deps.contacts.remove(actor, params['contactId']!)
      return success()
    },
  })

function present({ id, email, name, createdAt }: Contact) {
  return { id, email, name, created_at: createdAt.toISOString() }
}
