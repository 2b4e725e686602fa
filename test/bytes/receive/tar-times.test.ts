import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pluck } from '../../helpers/lists.ts'
import { startService } from '../../helpers/service.ts'
import { binary, ending, entry, pax } from '../archive/tar/blocks.ts'

const times = suite('uploads: times in tar archives')
const service = await startService()

times('should store files whose time is before the year 1 or after 9999', async () => {
  const owner = await service.admin()
  const shareId = await owner.init()
  const given = ['253402300800', '-62135596801', '8640000000000', '-8640000000000', '1500000000']
  const packed = given.flatMap((mtime, index) => [
    pax({ mtime }),
    entry({ name: `${index} pax.txt` }, mtime),
    entry({ name: `${index} header.txt`, time: binary(BigInt(mtime)) }, mtime),
  ])
  const headers = { 'content-type': 'application/x-tar' }
  const body = Buffer.concat([...packed, ending])
  const answer = await owner.call('POST', `/api/shares/${shareId}/tar`, { body, headers })
  assert.is(answer.status, 200, answer.body.toString())
  const done = await owner.post(`/api/shares/${shareId}/finalize`, { files: 'received' })
  assert.is(done.status, 200, done.body.toString())
  const { files } = (await owner.get(`/api/shares/${shareId}`)).json()
  const known = new Set(pluck(files as { modified_at?: string }[], 'modified_at'))
  assert.equal([files.length, ...known], [10, undefined, '2017-07-14T02:40:00.000Z'])
})
