// Selections of files, as they are counted.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { addManyFiles } from '../../helpers/many-rows.ts'
import { Recipient } from './recipient.ts'
import { downloadCount, startUnlimited, untilSettled } from './scene.ts'

const selections = suite('downloads: selections')

const service = await startUnlimited()
selections.after(() => service.stop())

selections('should count as many scattered files as an address can name', async () => {
  const owner = await service.admin()
  const shareId = await owner.share({ a: 'a' }, { expirationVal: 0, maxDownloads: 1 })
  await addManyFiles(service.database.sql, shareId, 6000)
  const rows = await service.database.sql<{ id: number }[]>`select id from files order by id`
  // Without order, so that their list hardly compresses.
  const chosen = rows.filter(({ id }) => Math.imul(id, 2_654_435_761) >>> 31 === 1)
  const ids = chosen.slice(0, 2500).map(({ id }) => id)
  assert.ok(ids.join().length > 10_000)
  const path = `/api/shares/${shareId}/download?files=${ids.join()}`
  const ann = new Recipient(service.url, '192.0.2.1')
  const curl = new Recipient(service.url, '192.0.2.1', false)
  const [whole, rest] = [await ann.ask(path), await curl.ask(path, { range: 'bytes=1000-' })]
  assert.equal([whole.status, rest.status], [200, 206])
  assert.ok(rest.body.equals(whole.body.subarray(1000)))
  await untilSettled(service, shareId)
  assert.is(await downloadCount(service, shareId), 1)
})
