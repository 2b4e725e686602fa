import * as v from 'valibot'
import { json, success } from '../http/answer.ts'
import { administration, ok, operation, type Operation } from '../http/operation.ts'
import { nextPageLink, pageLimit, pageRowsDefault } from '../http/paging.ts'
import {
  accountName,
  noted,
  numberInText,
  optional,
  readAccountName,
  successSchema,
  text,
} from '../http/schema.ts'
import { cursorOf, presentOwnedShare, shareCursor } from '../shares/schemas.ts'
import {
  anyShareSchema,
  presentStatus,
  statusSchema,
  overviewSchema,
  presentOverview,
} from './schemas.ts'
import { reportOverview } from './overview.ts'
import { trafficDaysMax } from '../bytes/traffic.ts'
import type { AdminDeps } from './deps.ts'
import { getAbout, getBootOptions, getConnection, testStorage } from './check-operations.ts'
import { runCheckUp } from './doctor/operations.ts'
import * as probe from './doctor/probe-operations.ts'
import { livez, readyz } from './health-operations.ts'
import { getMetrics } from './metrics/operations.ts'

const getAdminStatus = (deps: AdminDeps) =>
  operation({
    id: 'getAdminStatus',
    method: 'GET',
    path: '/api/admin/status',
    summary: 'Get the status of the service: disk, database, jobs, email and totals',
    ...administration,
    answers: ok('The current status', statusSchema),
    handle: async () => json(presentStatus(await deps.status.report())),
  })

const startVerify = (deps: AdminDeps) =>
  operation({
    id: 'startVerify',
    method: 'POST',
    path: '/api/admin/verify',
    summary: 'Check all stored bytes in the background, or resume an interrupted check',
    ...administration,
    answers: ok('Started; `verify` of the status has the progress', successSchema),
    errors: ['conflict'],
    async handle({ actor }) {
      const { audit, verify } = deps
      await verify.start()
      await audit.recordAlone(actor, 'verify.started')
      return success()
    },
  })

const overviewDaysDefault = 30

const getAdminOverview = (deps: AdminDeps) =>
  operation({
    id: 'getAdminOverview',
    method: 'GET',
    path: '/api/admin/overview',
    summary: 'Get traffic and storage by day, the largest accounts and running transfers',
    ...administration,
    query: v.object({
      days: optional(
        numberInText([1, trafficDaysMax], `Days up to today; ${overviewDaysDefault} if absent`),
      ),
    }),
    answers: ok('The current figures', overviewSchema),
    handle: async ({ query }) =>
      json(presentOverview(await reportOverview(deps, query.days ?? overviewDaysDefault))),
  })

const listAllShares = (deps: AdminDeps) =>
  operation({
    id: 'listAllShares',
    method: 'GET',
    path: '/api/admin/shares',
    summary: 'List the shares of all accounts, newest first, without their files',
    ...administration,
    query: v.object({
      limit: optional(pageLimit),
      cursor: optional(shareCursor),
      owner: noted(
        optional(accountName),
        'Only shares of this account, by id or email address',
        'ada@example.org',
      ),
      state: optional(v.picklist(['draft', 'complete', 'expired'])),
      search: noted(optional(text(0, 254)), 'In name, link or owner'),
    }),
    answers: ok(
      'A page of shares; `Link` with rel="next" leads to the next one (RFC 8288)',
      v.array(anyShareSchema),
      ['Link'],
    ),
    async handle({ context, query, search }) {
      const limit = query.limit ?? pageRowsDefault
      const owner = readAccountName(query.owner)
      const rows = await deps.shares.listAll({
        ownerId: owner.id,
        ownerEmail: owner.email,
        state: query.state ?? null,
        search: query.search || null,
        behind: query.cursor ?? null,
        // One row more tells whether there is a next page.
        limit: limit + 1,
      })
      const page = rows.slice(0, limit)
      const path = '/api/admin/shares'
      const next = () => nextPageLink(context, path, search, cursorOf(page.at(-1)!.share))
      const headers = rows.length > limit ? { Link: next() } : {}
      return json(
        page.map((owned) => presentOwnedShare(owned, deps.shareUrl(owned.share))),
        { headers },
      )
    },
  })

const deleteAnyShare = (deps: AdminDeps) =>
  operation({
    id: 'deleteAnyShare',
    method: 'DELETE',
    path: '/api/admin/shares/{shareId}',
    summary: 'Permanently delete a share of any account and its files',
    ...administration,
    answers: ok('Deleted', successSchema),
    async handle({ actor, params }) {
      await deps.shares.deleteAny(actor, params['shareId']!)
      return success()
    },
  })

/** All operations for administrators and monitors. */
export function adminOperations(deps: AdminDeps): Operation[] {
  return [
    getAdminStatus,
    getAdminOverview,
    listAllShares,
    deleteAnyShare,
    testStorage,
    startVerify,
    getConnection,
    getBootOptions,
    getAbout,
    runCheckUp,
    probe.echoProbe,
    probe.endProbe,
    probe.sinkProbe,
    probe.getSinkProbe,
    probe.pauseProbe,
    livez,
    readyz,
    () => getMetrics(deps.metrics),
  ].map((declare) => declare(deps))
}
