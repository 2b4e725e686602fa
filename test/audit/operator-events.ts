// Actions of the command line, through the same rules as the API, as the operator.
import { remove } from '../../src/accounts/api-tokens/api-tokens.ts'
import { setPassword } from '../../src/accounts/own-account/account.ts'
import { operator } from '../../src/lib/actor.ts'
import { makeApiToken } from '../accounts/people.ts'
import { adminEmail } from '../helpers/service.ts'
import { by, type EventRow, left, nothing, person, row, unprepared } from './event-row.ts'
import type { World } from './world.ts'

const withToken = async (world: World) => makeApiToken((await world.person()).client)

/** A rule that returns no answer, because there is no request. */
const rule =
  <T>(run: (services: World['service']['app']['services'], prepared: T) => Promise<unknown>) =>
  async ({ service }: World, prepared: T) => {
    await run(service.app.services, prepared)
    return null
  }

// oxfmt-ignore
export const operatorEvents: readonly EventRow[] = [
  row('command', 'the operator sets a password', person,
    rule((services, { id }) => setPassword(services, operator, id, 'set by the operator')),
    by('operator', 'password.set')),
  row('command', 'the operator ends the sessions of an account', person,
    rule(({ auth }, { id }) => auth.endSessionsOf(operator, id)),
    by('operator', 'session.all_ended', { sessions: 1 })),
  row('command', 'the operator ends an API token', withToken,
    rule((services, { id }) => remove(services, operator, id, null)),
    ({ id }) => [left('api_token.revoked', 'operator', id, 'script')]),
]

/** Exports of the log and checks by administrators, which change nothing. */
// oxfmt-ignore
export const checkEvents: readonly EventRow[] = [
  ...(['csv', 'json'] as const).map((format) =>
    row(format === 'csv' ? 'exportAudit' : 'exportAuditAsJson', `it is ${format}`, unprepared,
      ({ admin }) => admin.get(`/api/audit.${format}?since=2100-01-01`),
      () => [{ event: 'audit.exported', by: adminEmail, details: { format } }])),
  row('exportAudit', 'only its head is asked for', unprepared,
    ({ admin }) => admin.call('HEAD', '/api/audit.csv'), nothing),
  row('testStorage', 'the disk is fine', unprepared,
    ({ admin }) => admin.post('/api/admin/storage/test'),
    () => [{ event: 'storage.tested', by: adminEmail, details: { success: true } }]),
  // It has begun when its row is written.
  row('startVerify', 'none is running', unprepared,
    ({ admin }) => admin.post('/api/admin/verify'),
    () => [{ event: 'verify.started', by: adminEmail }], true),
]
