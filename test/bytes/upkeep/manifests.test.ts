// Manifests are written in the background; one that cannot be written delays no other.
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { containerFolder } from '../../../src/bytes/segments/files-on-disk.ts'
import { manifestName } from '../../../src/bytes/store/store.ts'
import { startUnlimited } from '../send/scene.ts'

const manifests = suite('manifests')
const service = await startUnlimited()
const owner = await service.admin()
await owner.share({ a: 'a' })
await owner.share({ b: 'b' })
await service.app.services.manifests.idle()

/** Makes all due and tries them once. Returns whether each was written, in the order of the job. */
async function write(): Promise<boolean[]> {
  const { manifests } = service.app.services
  await service.database.sql`update shares set manifest_revision = null`
  manifests.wake()
  await manifests.idle()
  const rows = await service.database.sql<{ isWritten: boolean }[]>`
    select manifest_revision is not null as is_written from shares order by id`
  return rows.map(({ isWritten }) => isWritten)
}

manifests('should be written although another one cannot be', async () => {
  const [first] = await service.database.sql<{ containerId: string }[]>`
    select container_id from shares order by id limit 1`
  const name = path.join(containerFolder(service.storageDir, first!.containerId), manifestName)
  mkdirSync(`${name}.new`)
  assert.equal(await write(), [false, true])
  rmdirSync(`${name}.new`)
  assert.equal(await write(), [true, true])
  assert.ok(existsSync(name))
})

manifests('should be written although a hundred others keep failing', async () => {
  const { sql } = service.database
  const ids = Array.from({ length: 100 }, () => randomUUID())
  for (const id of ids) {
    const folder = containerFolder(service.storageDir, id)
    mkdirSync(path.join(folder, `${manifestName}.new`), { recursive: true })
  }
  await sql`
    insert into containers (id, created_at)
    select id, now()
    from unnest(${ids}::uuid[]) as id`
  await sql`
    insert into shares
    select copied.*
    from
      (select to_jsonb(shares) as columns from shares limit 1) as model,
      unnest(${ids}::uuid[]) as new,
      jsonb_build_object('id', '0000' || new, 'container_id', new) as ids,
      jsonb_populate_record(null::shares, columns || ids) as copied`
  await write()
  assert.equal((await write()).slice(100), [true, true])
  await sql`delete from shares where id like '0000%'`
})

manifests('should not keep a verification from its end', async () => {
  const [some] = await service.database.sql<{ containerId: string }[]>`
    select container_id from shares limit 1`
  const name = path.join(containerFolder(service.storageDir, some!.containerId), manifestName)
  rmSync(name)
  mkdirSync(path.join(name, 'something'), { recursive: true })
  const options = { bytesPerSecond: null, isRestart: true, onFinding: () => assert.unreachable() }
  const run = await service.app.services.verify.run(options)
  assert.ok(run!.finishedAt)
  rmSync(name, { recursive: true })
})

manifests('should be due until the disk is back', async () => {
  const away = `${service.storageDir}-away`
  renameSync(service.storageDir, away)
  assert.equal(await write(), [false, false])
  renameSync(away, service.storageDir)
  assert.equal(await write(), [true, true])
})
