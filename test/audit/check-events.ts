// Exports of the log and checks by administrators, which change nothing.
import { adminEmail } from '../helpers/service.ts'
import { nothing, row } from './event-row.ts'

const unprepared = async () => null

export const checkEvents = [
  ...(['csv', 'json'] as const).map((format) =>
    row({
      id: format === 'csv' ? 'exportAudit' : 'exportAuditAsJson',
      when: `it is ${format}`,
      prepare: unprepared,
      act: ({ admin }) => admin.get(`/api/audit.${format}?since=2100-01-01`),
      leaves: () => [{ event: 'audit.exported', by: adminEmail, details: { format } }],
    }),
  ),
  row({
    id: 'exportAudit',
    when: 'only its head is asked for',
    prepare: unprepared,
    act: ({ admin }) => admin.call('HEAD', '/api/audit.csv'),
    leaves: nothing,
  }),
  row({
    id: 'testStorage',
    when: 'the disk is fine',
    prepare: unprepared,
    act: ({ admin }) => admin.post('/api/admin/storage/test'),
    leaves: () => [{ event: 'storage.tested', by: adminEmail, details: { success: true } }],
  }),
  row({
    id: 'startVerify',
    when: 'none is running',
    prepare: unprepared,
    act: ({ admin }) => admin.post('/api/admin/verify'),
    leaves: () => [{ event: 'verify.started', by: adminEmail }],
    // It has begun when its row is written.
    leftover: true,
  }),
]
