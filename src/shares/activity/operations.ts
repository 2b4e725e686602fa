import * as v from 'valibot'
import { kindOfTarget, targetKinds } from '../downloads/counting.ts'
import { json } from '../../http/answer.ts'
import { ok, operation } from '../../http/operation.ts'
import { nextPageLink, pageLimit, pageRowsDefault } from '../../http/paging.ts'
import { bytes, named, noted, optional, timestamp } from '../../http/schema.ts'
import { showAddress, type AddressPrivacy } from '../../http/client-ip.ts'
import { listDownloads, type ActivityRow } from './sql.ts'
import type { ShareDeps } from '../deps.ts'
import { cursorOf, pageCursor, reads } from '../schemas.ts'

const downloadSchema = named(
  'Download',
  v.object({
    id: v.string(),
    target: noted(
      v.picklist(targetKinds),
      '`preview` is a file shown in the browser, `selection` an archive of some files',
    ),
    file: noted(
      v.nullable(v.object({ id: v.pipe(v.number(), v.integer()), original_name: v.string() })),
      'Null unless a single file was taken and still exists',
    ),
    ip: noted(v.string(), 'Address as allowed by `shownAddresses`', '192.0.2.7'),
    user_agent: v.string(),
    started_at: timestamp,
    finished_at: noted(v.nullable(timestamp), 'Null until the download has ended'),
    bytes_sent: bytes,
    transfer: noted(
      v.string(),
      'Downloads and previews of one client within 24 hours have the same value, and count once',
    ),
    counted: noted(v.boolean(), 'Whether this one counts against max_downloads, for its transfer'),
    person: noted(
      v.nullable(v.object({ link: v.string(), email: v.string(), name: v.string() })),
      'Whose personal link it came through; null for the link of the share',
    ),
    running: v.boolean(),
  }),
)

const downloadCursor = pageCursor(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/)

export const listShareActivity = (deps: ShareDeps) =>
  operation({
    id: 'listShareActivity',
    method: 'GET',
    path: '/api/shares/{shareId}/activity',
    summary: 'List the downloads of a share, newest first; `Link` leads to the next page',
    ...reads,
    query: v.object({
      limit: optional(pageLimit),
      cursor: optional(downloadCursor),
    }),
    answers: ok(
      'Downloads and previews; resumed requests belong to the download they resume',
      v.array(downloadSchema),
      ['Link'],
    ),
    load: ({ actor, params }) => deps.shares.findOwn(actor, params['shareId']!),
    async handle({ context, query, search }, share) {
      const count = query.limit ?? pageRowsDefault
      const { sql } = deps.database
      // One row more than asked for tells whether there is a next page.
      const found = await listDownloads(sql, share, query.cursor ?? null, count + 1)
      const downloads = found.slice(0, count)
      const path = `/api/shares/${share.id}/activity`
      const next = () => {
        const { id, startedAt } = downloads.at(-1)!
        return nextPageLink(context, path, search, cursorOf({ id, createdAt: startedAt }))
      }
      const headers = found.length > count ? { Link: next() } : {}
      const { shownAddresses } = deps.settings.values
      return json(
        downloads.map((row) => presentDownload(row, shownAddresses)),
        { headers },
      )
    },
  })

function presentDownload(
  row: ActivityRow,
  privacy: AddressPrivacy,
): v.InferOutput<typeof downloadSchema> {
  return {
    id: row.id,
    target: kindOfTarget(row.target),
    file: row.file && { id: row.file.id, original_name: row.file.originalName },
    ip: showAddress(row.ip, privacy),
    user_agent: row.userAgent,
    started_at: row.startedAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
    bytes_sent: row.bytesSent,
    transfer: row.leaseId,
    counted: row.counted,
    person: row.person && {
      link: row.person.linkId,
      email: row.person.email,
      name: row.person.name,
    },
    running: row.running > 0,
  }
}
