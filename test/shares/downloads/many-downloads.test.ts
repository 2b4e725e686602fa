// Statements that must not read all downloads of a popular share.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Sql } from '../../../src/database/connect.ts'
import { hashToken } from '../../../src/lib/random-id.ts'
import { hasOtherVersion } from '../../../src/shares/downloads/counting-sql.ts'
import { lockDueShare } from '../../../src/shares/downloads/notices-sql.ts'
import { fileIds, startUnlimited } from '../../bytes/send/scene.ts'

const many = suite('downloads: many of one share')

const hourMs = 3_600_000
const downloads = 10_000
const service = await startUnlimited()
const owner = await service.admin()
const shareId = await owner.share({ a: 'a' })
const target = `file:${(await fileIds(service, shareId))['a']}`
const now = service.clock.now()

many.before(async () => {
  await service.database.sql`
    with opened as (
      insert into leases (
        id, share_id, password_version, token_hash, opened_at, bytes_used, bytes_max
      )
      select gen_random_uuid(), ${shareId}, 0, sha256(n::text::bytea),
        ${new Date(now - 1000 * hourMs)}::timestamptz - n * interval '1 minute', 1, 2
      from generate_series(1, ${downloads}::integer) as n
      returning id, opened_at
    )
    insert into downloads (
      id, lease_id, share_id, target, ip, user_agent, started_at, finished_at, etag, sent_to
    )
    select id, id, ${shareId}, ${target}, '198.51.100.' || row_number() over (), '', opened_at,
      opened_at, '"v1"', 1
    from opened`
  await service.database.sql`analyze leases, downloads`
})

/** How many rows of downloads a statement reads. */
function countRead(read: (sql: Sql) => Promise<unknown>): Promise<number> {
  return service.database.begin(async (sql) => {
    await read(sql)
    return sql<{ read: number }[]>`
      select seq_tup_read + idx_tup_fetch as read
      from pg_stat_xact_user_tables
      where relname = 'downloads'`.oneValue()
  })
}

many('should read only those of its client when one resumes', async () => {
  const ip = '198.51.100.7'
  for (const tokenHash of [null, hashToken('1'), hashToken('none')]) {
    const rest = { target, etag: '"v2"', start: 1, tokenHash, ip }
    assert.ok((await countRead((sql) => hasOtherVersion(sql, shareId, rest))) < 10)
  }
})

many('should read only late ones for emails about downloads', async () => {
  await owner.patch(`/api/shares/${shareId}`, { notifyDownloads: true })
  const bounds = {
    now: new Date(now + hourMs),
    until: new Date(now + hourMs),
    emailedBefore: new Date(now),
  }
  assert.ok((await countRead((sql) => lockDueShare(sql, bounds))) < 100)
})
