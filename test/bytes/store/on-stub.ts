// A service, or several, on one small S3.
import type { BucketRoot } from '../../../src/bytes/store/s3/bucket-root.ts'
import { openBucketRoot } from '../../../src/bytes/store/s3/open.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { S3Stub, stubKeys } from '../../helpers/s3-stub.ts'
import { startService, type ServiceOptions } from '../../helpers/service.ts'

export async function startOnStub(given: ServiceOptions = {}) {
  const stub = await S3Stub.start()
  const options = { bucket: stub.bucket, ...stubKeys, clock: systemClock }
  const roots: BucketRoot[] = []
  const service = await startService({
    ...given,
    async openRoot(database) {
      roots.push(await openBucketRoot(options, database))
      return roots.at(-1)!
    },
  })
  const stop = async () => {
    await service.stop()
    for (const root of roots) await root.close()
    await stub.stop()
  }
  return { stub, service, stop }
}
