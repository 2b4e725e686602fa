// The suite of the stub against a real store: `../shared/tools/ceph-rgw-up.sh`, or another one that
// S3_ENDPOINT, S3_KEY and S3_SECRET name.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { StoreClient } from '../../../src/bytes/store/s3/client.ts'
import { listKeys, removeKeys } from '../../../src/bytes/store/s3/objects.ts'
import { openBucketRoot } from '../../../src/bytes/store/s3/open.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { randomRowId } from '../../../src/lib/random-id.ts'
import { openDatabase } from '../../helpers/postgres.ts'
import { patterned } from '../send/scene.ts'
import { addConformance, begin } from './conformance.ts'

const bucket = {
  endpoint: process.env['S3_ENDPOINT'] ?? 'http://127.0.0.1:7480',
  region: 'us-east-1',
  bucket: 'transfer-test',
  prefix: `${randomRowId()}/`,
}
const keys = {
  accessKeyId: process.env['S3_KEY'] ?? 'testkey',
  secretAccessKey: process.env['S3_SECRET'] ?? 'testsecret',
  sessionToken: null,
}
const options = { bucket, ...keys, clock: systemClock }
const ceph = suite('store: Ceph')
const isThere = await fetch(bucket.endpoint).then(
  () => true,
  () => false,
)
if (isThere) await addTests()
else
  process.stdout.write(`\nskipped: no S3 at ${bucket.endpoint} (../shared/tools/ceph-rgw-up.sh)\n`)

async function addTests(): Promise<void> {
  const client = await StoreClient.open(bucket, keys, systemClock)
  await client.attempt({ method: 'PUT', key: null }, [200, 409])
  const { database } = await openDatabase()
  const root = await openBucketRoot(options, database)
  ceph.after(async () => {
    for await (const page of listKeys(client, '', false)) await removeKeys(client, page)
    await root.close()
    await client.close()
  })
  addConformance(ceph, root)

  ceph('should remove more objects than one request takes', async () => {
    const containerId = randomRowId()
    const names = Array.from({ length: 1001 }, () => randomRowId())
    const writer = await begin(root, containerId, 4)
    await writer.append([patterned(4)])
    await writer.sync()
    await root.remove(containerId, [...names, writer.segmentId])
    assert.is(await root.stat(containerId, writer.segmentId), null)
  })
}
