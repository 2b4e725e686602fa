// An ETag names bytes, even if the rows change through which they are found.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { add } from '../../shares/additions/scene.ts'
import { assertNothingLeft, fileIds, patterned, startUnlimited } from './scene.ts'

const tags = suite('downloads: tags')

const service = await startUnlimited()
const owner = await service.admin()
tags.after.each(() => assertNothingLeft(service))
tags.after(() => service.stop())

tags('should differ for other bytes when a restored backup issues an id again', async () => {
  const { sql } = service.database
  const shareId = await owner.share({ a: 'a' })
  const [backup] = await sql<{ revision: string; totalSize: number }[]>`
    select revision, total_size from shares where id = ${shareId}`
  const [photo, other] = [patterned(200_000), patterned(200_004)]
  await add(owner, shareId, { photo })
  const { photo: id } = await fileIds(service, shareId)
  const targets = [
    `/api/shares/${shareId}/files/${id}`,
    `/api/shares/${shareId}/download`,
    `/api/shares/${shareId}/download?files=${id}`,
  ]
  const before = await Promise.all(targets.map((target) => owner.get(target)))

  // Restores the rows, and the counter of the ids too.
  await sql`delete from files where id = ${id!}`
  await sql`
    update shares
    set revision = ${backup!.revision},
        total_size = ${backup!.totalSize}
    where id = ${shareId}`
  await sql.unsafe(`alter table files alter column id restart with ${id}`)
  await add(owner, shareId, { other })
  assert.is((await fileIds(service, shareId))['other'], id, 'the id comes again')

  for (const [place, target] of targets.entries()) {
    const tag = before[place]!.headers['etag'] as string
    const now = await owner.get(target)
    assert.is.not(now.headers['etag'], tag, target)
    const resumed = await owner.get(target, { range: 'bytes=1000-', 'if-range': tag })
    assert.is(resumed.status, 200, target)
    assert.ok(resumed.body.equals(now.body))
    assert.is((await owner.get(target, { 'if-none-match': tag })).status, 200, target)
  }
  const file = await owner.get(targets[0]!)
  assert.ok(file.body.equals(other))
})
