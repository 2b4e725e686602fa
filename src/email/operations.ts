import * as v from 'valibot'
import { json, success } from '../http/answer.ts'
import { administration, jsonBody, ok, operation, type Operation } from '../http/operation.ts'
import {
  named,
  nonNegative,
  optional,
  present,
  successSchema,
  text,
  timestamp,
} from '../http/schema.ts'
import { asciiAddress, isEmailAddress } from '../lib/email-address.ts'
import type { Emails } from './emails.ts'
import type { EmailRow } from './sql.ts'

/** The email address of an account. */
type AddressOf = (userId: number) => Promise<string>

const states = ['queued', 'sent', 'dead'] as const

const listedEmailSchema = named(
  'Mail',
  v.object({
    id: v.pipe(v.string(), v.uuid()),
    kind: v.string(),
    to: v.string(),
    status: v.picklist(states),
    attempts: nonNegative,
    last_error: v.string(),
    created_at: timestamp,
    next_attempt_at: v.nullable(timestamp),
    sent_at: v.nullable(timestamp),
    dead_at: v.nullable(timestamp),
  }),
)

const listMails = (emails: Emails) =>
  operation({
    id: 'listMails',
    method: 'GET',
    path: '/api/admin/mail',
    summary: 'Get the email queue, failed emails and emails sent in the last week',
    ...administration,
    query: v.object({ status: optional(v.picklist(states)) }),
    answers: ok(
      'Total counts, and the newest thousand emails without their content',
      v.object({
        mail: v.picklist(['configured', 'not configured']),
        queued: nonNegative,
        dead: nonNegative,
        mails: v.array(listedEmailSchema),
      }),
    ),
    async handle({ query }) {
      const mails = await emails.list(query.status ?? null)
      return json({
        mail: emails.isConfigured ? 'configured' : 'not configured',
        ...(await emails.count()),
        mails: mails.map(presentEmail),
      })
    },
  })

const retryMail = (emails: Emails) =>
  operation({
    id: 'retryMail',
    method: 'POST',
    path: '/api/admin/mail/{mailId}/retry',
    summary: 'Retry a failed or waiting email now',
    ...administration,
    answers: ok('The email is being retried', successSchema),
    errors: ['conflict'],
    load: ({ params }) => emails.find(params['mailId']!),
    async handle({ actor }, found) {
      await emails.retry(actor, found.id)
      return success()
    },
  })

const testMail = (emails: Emails, addressOf: AddressOf) =>
  operation({
    id: 'testMail',
    method: 'POST',
    path: '/api/admin/mail/test',
    summary: 'Send a test email now and return the response of the SMTP server',
    ...administration,
    body: jsonBody(
      v.object({
        to: optional(
          v.pipe(
            text(1, 254),
            v.trim(),
            v.check(isEmailAddress, 'must be an email address'),
            v.transform(asciiAddress),
          ),
        ),
      }),
    ),
    answers: ok(
      'Response of the server, or why it refused the email',
      v.union([
        v.object({ success: v.literal(true), answer: v.string() }),
        v.object({ success: v.literal(false), error: v.string() }),
      ]),
    ),
    errors: ['mail_not_configured'],
    async handle({ actor, body }) {
      const to = body.to ?? (await addressOf(actor.userId))
      const result = await emails.sendTest(actor, to)
      if (result.isSent) return json({ success: true, answer: result.answer })
      return json({ success: false, error: result.error })
    },
  })

function presentEmail(email: EmailRow): v.InferOutput<typeof listedEmailSchema> {
  const { recipient: to, state: status } = email
  const nextAttemptAt = status === 'queued' ? email.nextAttemptAt : null
  return present(listedEmailSchema, { ...email, to, status, nextAttemptAt })
}

export function emailOperations(emails: Emails, addressOf: AddressOf): Operation[] {
  return [listMails(emails), retryMail(emails), testMail(emails, addressOf)]
}
