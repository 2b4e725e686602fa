// Tables of the administration pages that are maintained beside those of the service.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { events } from '../../src/audit/events.ts'
import { settingKeys } from '../../src/settings/table.ts'
import { texts } from '../../src/web/i18n/en/admin.ts'
import { eventGroups } from '../../src/web/views/admin/event-groups.ts'
import { keysOf, sections } from '../../src/web/views/admin/setting-table.ts'

const tables = suite('web: tables of the administration')

tables('should have a sentence for every event of the audit log', () => {
  const missing = events.filter((event) => !(`event.${event}` in texts))
  assert.equal(missing, [], 'src/web/i18n/*/admin-events.ts')
})

tables('should filter by the kind of every event', () => {
  const kinds = new Set(events.map((event) => event.slice(0, event.indexOf('.') + 1)))
  assert.equal([...kinds].toSorted(), eventGroups.toSorted(), 'event-groups.ts')
})

tables('should have a place for every setting', () => {
  const shown = new Set<string>(Object.values(sections).flat().flatMap(keysOf))
  const missing = settingKeys.filter((key) => !shown.has(key))
  assert.equal(missing, [], 'src/web/views/admin/setting-table.ts')
})
