import type { Database } from '../../../database/connect.ts'
import type { Clock } from '../../../lib/clock.ts'
import { CodedError, reasonOf } from '../../../lib/errors.ts'
import { identify, type RootOptions, type RootPlace } from '../../storage-root.ts'
import { BucketRefused, markerName, markerOf, StorageRootError } from '../store.ts'
import { BucketRoot } from './bucket-root.ts'
import { StoreClient, StoreError, type Bucket } from './client.ts'
import { listKeys, readMarker, removeKeys } from './objects.ts'
import type { Credentials } from './signature.ts'

export interface BucketOptions extends Credentials {
  readonly bucket: Bucket
  readonly clock: Clock
}

/**
 * Opens the bucket that holds the containers: see `identify`.
 * @throws BucketRefused, StorageRootError, also while the store does not answer
 */
export async function openBucketRoot(
  options: BucketOptions,
  database: Database,
  rootOptions: RootOptions = { create: true },
): Promise<BucketRoot> {
  const client = await StoreClient.open(options.bucket, options, options.clock)
  try {
    return new BucketRoot(await identify(placeOf(client), database, rootOptions), client)
  } catch (error) {
    await client.close()
    throw explain(error, client.name)
  }
}

/**
 * Opens a bucket for a restore.
 * @throws BucketRefused, StorageRootError unless it is empty
 */
export async function openEmptyBucket(options: BucketOptions) {
  const client = await StoreClient.open(options.bucket, options, options.clock)
  try {
    const place = placeOf(client)
    if ((await place.readMarker()) !== null || !(await place.isEmpty())) {
      throw new StorageRootError(`${client.name} is not empty. Set BLOBS_URL to an empty prefix.`)
    }
    return {
      root: new BucketRoot('', client),
      mark: (id: string) => place.writeMarker(id),
      unmark: () => removeKeys(client, [markerName]),
    }
  } catch (error) {
    await client.close()
    throw explain(error, client.name)
  }
}

function placeOf(client: StoreClient): RootPlace {
  return {
    name: client.name,
    option: 'BLOBS_URL',
    kind: 'prefix',
    advice: {
      missing: 'Check BLOBS_URL. To move files there, run transfer storage copy.',
      other: 'Check BLOBS_URL.',
    },
    readMarker: () => readMarker(client),
    writeMarker: async (id) => {
      await client.call({ method: 'PUT', key: markerName }, [200], [Buffer.from(markerOf(id))])
    },
    async isEmpty() {
      for await (const keys of listKeys(client, '', false)) {
        if (keys.some((key) => key !== markerName)) return false
      }
      return true
    },
  }
}

function explain(error: unknown, name: string): unknown {
  if (!(error instanceof CodedError)) return error
  const { cause } = error
  if (!(cause instanceof StoreError) || cause.isPassing) {
    return new StorageRootError(`${name} cannot be opened: ${reasonOf(error)}`, { cause })
  }
  const advice =
    cause.storeCode === 'NoSuchBucket'
      ? 'Create the bucket first, or change BLOBS_URL.'
      : 'Check BLOBS_URL, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'
  return new BucketRefused(`${name}: ${cause.message}. ${advice}`, { cause })
}
