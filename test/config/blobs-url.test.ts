import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { formatBlobsUrl, parseBlobsUrl } from '../../src/config/blobs-url.ts'
import { loadConfig } from '../../src/config/load.ts'

const blobs = suite('config: BLOBS_URL')

blobs('should name endpoint, region, bucket and prefix', () => {
  const rows: [string, string][] = [
    ['s3://files', 's3://files/?endpoint=https://s3.us-east-1.amazonaws.com&region=us-east-1'],
    [
      's3://files/a/b.c?region=eu-central-1',
      's3://files/a/b.c/?endpoint=https://s3.eu-central-1.amazonaws.com&region=eu-central-1',
    ],
    [
      's3://files/a/?endpoint=http://127.0.0.1:7480/&region=us-east-1',
      's3://files/a/?endpoint=http://127.0.0.1:7480&region=us-east-1',
    ],
  ]
  for (const [text, shown] of rows) {
    assert.is(formatBlobsUrl(parseBlobsUrl(text)), shown)
    assert.equal(parseBlobsUrl(shown), parseBlobsUrl(text))
  }
})

blobs('should refuse what stores would read in another way, and never show it', () => {
  const rows: [string, RegExp][] = [
    ['https://host/bucket', /must look like s3:/],
    ['s3://key:secret@files', /must look like s3:/],
    ['s3://Files_of_me', /no valid bucket/],
    ['s3://files/a b', /the prefix must/],
    ['s3://files/../x//y', /the prefix must/],
    ['s3://files?endpoint=files.example.org', /the endpoint must/],
    ['s3://files?endpoint=https://host/path', /the endpoint must/],
    ['s3://files?region=a/b', /no valid region/],
    ['s3://files?secret=hidden', /no other parameters/],
  ]
  for (const [text, pattern] of rows) assert.throws(() => parseBlobsUrl(text), pattern)
})

blobs('should need both keys', () => {
  const env = { DATA_DIR: '/srv/transfer', BLOBS_URL: 's3://files' }
  const keys = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' }
  assert.is(loadConfig({ ...env, ...keys }).config.blobsUrl?.bucket, 'files')
  assert.throws(() => loadConfig({ ...env, AWS_ACCESS_KEY_ID: 'key' }), /BLOBS_URL needs AWS_/)
})
