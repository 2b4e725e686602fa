import * as v from 'valibot'
import { json, type ByteAnswer } from '../http/answer.ts'
import { contentDisposition } from '../http/headers.ts'
import { administration, ok, operation, type Call, type Operation } from '../http/operation.ts'
import { nextPageLink, pageLimit, pageRowsDefault } from '../http/paging.ts'
import {
  accountName,
  day,
  moment,
  named,
  nonNegative,
  noted,
  optional,
  present,
  readAccountName,
  text,
  timestamp,
} from '../http/schema.ts'
import type { UserActor } from '../lib/actor.ts'
import type { Audit, Filter } from './audit.ts'
import { csvLines } from './csv.ts'
import type { AuditRow } from './sql.ts'

const eventName = v.pipe(
  v.string(),
  v.regex(
    /^[a-z0-9_]+\.([a-z0-9_]+)?$/,
    'must be an event such as share.created, or a prefix such as share.',
  ),
  v.maxLength(100, 'must have at most 100 characters'),
)

const filterFields = {
  actor: noted(optional(accountName), 'Id or email address of an account', 'ada@example.org'),
  event: noted(optional(eventName), 'An event, or a prefix of events', 'share.'),
  result: noted(
    optional(v.picklist(['done', 'refused'])),
    'Only successful events, or only refused ones',
  ),
  target: noted(optional(text(1, 254)), 'Id or email address of the target'),
  ip: noted(
    optional(text(1, 100)),
    'Client address; its network if `shownAddresses` is `network`',
    '192.0.2.7',
  ),
  since: noted(
    optional(v.union([moment, day], 'must be a timestamp such as 2030-12-31T23:59:59Z')),
    'From this timestamp, or from the start of this day in UTC',
  ),
  until: noted(
    optional(v.union([moment, day], 'must be a timestamp such as 2030-12-31T23:59:59Z')),
    'Before this timestamp or day',
  ),
}
const filterSchema = v.object(filterFields)

/** What a page of the log is asked for with; `filterOf` reads it. */
export const pageFilterSchema = v.object({ ...filterFields, limit: optional(pageLimit) })

/** The id of the last row on the previous page. */
const cursor = v.pipe(
  v.string(),
  v.metadata({
    json: {
      type: 'integer',
      format: 'int64',
      minimum: 1,
      maximum: 10 ** 15 - 1,
      description: 'Start of the page, from `Link`',
    },
  }),
  v.regex(/^[1-9][0-9]{0,14}$/, 'must be a cursor from a previous answer'),
  v.transform(Number),
)

const rowFields = {
  id: nonNegative,
  at: timestamp,
  actor_kind: v.picklist(['user', 'guest', 'anonymous', 'operator', 'system']),
  actor_user_id: v.nullable(v.number()),
  actor_email: v.string(),
  event: noted(v.string(), 'The event', 'share.created'),
  target_kind: v.string(),
  target_id: v.string(),
  target_name: v.string(),
  ip: noted(v.string(), 'Address as allowed by `shownAddresses`', '192.0.2.7'),
  details: noted(v.record(v.string(), v.unknown()), 'Details, which depend on the event'),
}
const rowSchema = named('AuditRow', v.object(rowFields))
const columns = Object.keys(rowFields) as (keyof typeof rowFields)[]

const listAudit = (audit: Audit) =>
  operation({
    id: 'listAudit',
    method: 'GET',
    path: '/api/audit',
    summary: 'List audit events, newest first',
    ...administration,
    query: v.object({ ...pageFilterSchema.entries, cursor: optional(cursor) }),
    answers: ok(
      'A page of rows; `Link` with rel="next" leads to the next one (RFC 8288)',
      v.array(rowSchema),
      ['Link'],
    ),
    async handle({ context, query, search }) {
      const limit = query.limit ?? pageRowsDefault
      const rows = await audit.list(filterOf(query), query.cursor ?? null, limit + 1)
      const page = rows.slice(0, limit)
      const cursorOf = () => String(page.at(-1)!.id)
      const next = () => nextPageLink(context, '/api/audit', search, cursorOf())
      const headers = rows.length > limit ? { Link: next() } : {}
      return json(page.map(presentRow), { headers })
    },
  })

export const exportAudit = (audit: Audit) =>
  operation({
    id: 'exportAudit',
    method: 'GET',
    path: '/api/audit.csv',
    summary: 'Export all audit events as CSV',
    ...administration,
    query: filterSchema,
    answers: {
      200: {
        description: 'One line per row',
        contentType: 'text/csv',
        headers: ['Content-Disposition'],
      },
    },
    handle: async (call) => exportAnswer(audit, call, csvExport),
  })

const exportAuditAsJson = (audit: Audit) =>
  operation({
    id: 'exportAuditAsJson',
    method: 'GET',
    path: '/api/audit.json',
    summary: 'Export all audit events as one JSON document',
    ...administration,
    query: filterSchema,
    answers: ok('All rows; interrupted exports are truncated', v.array(rowSchema), [
      'Content-Disposition',
    ]),
    handle: async (call) => exportAnswer(audit, call, jsonExport),
  })

type ShownRow = v.InferOutput<typeof rowSchema>

/** Format of an export: pages between a beginning and an end. */
interface ExportForm {
  readonly format: 'csv' | 'json'
  readonly contentType: string
  readonly fileName: string
  readonly begin: string
  readonly page: (rows: readonly ShownRow[], isFirst: boolean) => string
  readonly end: string
}

const csvExport: ExportForm = {
  format: 'csv',
  contentType: 'text/csv; charset=utf-8; header=present',
  fileName: 'audit.csv',
  begin: csvLines([columns]),
  page: (rows) => csvLines(rows.map((row) => columns.map((column) => row[column]))),
  end: '',
}

const jsonExport: ExportForm = {
  format: 'json',
  contentType: 'application/json',
  fileName: 'audit.json',
  begin: '[',
  page: (rows, isFirst) =>
    (isFirst ? '\n' : ',\n') + rows.map((row) => JSON.stringify(row)).join(',\n'),
  end: '\n]\n',
}

/** Sends pages at the client's pace, with one page in memory at a time. */
async function exportAnswer(
  audit: Audit,
  {
    actor,
    context,
    query,
  }: Pick<Call, 'context'> & {
    readonly actor: UserActor
    readonly query: v.InferOutput<typeof filterSchema>
  },
  form: ExportForm,
): Promise<ByteAnswer> {
  const answer: ByteAnswer = {
    kind: 'bytes',
    status: 200,
    headers: {
      'Content-Type': form.contentType,
      'Content-Disposition': contentDisposition('attachment', form.fileName),
      'Cache-Control': 'no-store',
    },
    cookies: [],
  }
  const pages = audit.pages(filterOf(query))
  if (context.request.method === 'HEAD') return answer
  await audit.recordAlone(actor, 'audit.exported', { format: form.format })
  return {
    ...answer,
    async send(writer) {
      await writer.write(Buffer.from(form.begin))
      let isFirst = true
      for await (const page of pages) {
        await writer.write(Buffer.from(form.page(page.map(presentRow), isFirst)))
        isFirst = false
      }
      if (form.end !== '') await writer.write(Buffer.from(form.end))
    },
  }
}

export function filterOf(query: v.InferOutput<typeof filterSchema>): Filter {
  const { actor, event, result, target } = query
  const account = readAccountName(actor)
  const isPrefix = event?.endsWith('.') ?? false
  const isAddress = target?.includes('@') ?? false
  return {
    actorUserId: account.id,
    actorEmail: account.email,
    event: isPrefix ? null : (event ?? null),
    eventPrefix: isPrefix ? (event ?? null) : null,
    isRefused: result ? result === 'refused' : null,
    targetId: isAddress ? null : (target ?? null),
    targetName: isAddress ? (target ?? null) : null,
    ip: query.ip?.toLowerCase() ?? null,
    since: query.since ?? null,
    until: query.until ?? null,
  }
}

export function presentRow(row: AuditRow): v.InferOutput<typeof rowSchema> {
  return present(rowSchema, row)
}

/** All operations on the audit log. */
export function auditOperations(audit: Audit): Operation[] {
  return [listAudit, exportAudit, exportAuditAsJson].map((declare) => declare(audit))
}
