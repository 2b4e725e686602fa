import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { randomContent, type Client } from '../helpers/client.ts'
import { S3Stub, stubKeys } from '../helpers/s3-stub.ts'
import { Scene } from './scene.ts'

const copy = suite('cli: storage copy')
const content = randomContent(1_500_000, 'moved')
const sharesMax = 4

const send = (client: Client) => client.share({ 'a.bin': content })

async function requireWhole(client: Client, shareId: string): Promise<void> {
  const { status, body } = await client.download(shareId)
  assert.is(status, 200)
  assert.ok(body.equals(content))
}

/** Sends, receives and deletes until told to end; every request must succeed. */
function work(client: Client, shareIds: string[]): () => Promise<number> {
  let isOver = false
  let rounds = 0
  const running = (async () => {
    for (; !isOver; rounds += 1) {
      shareIds.push(await send(client))
      await requireWhole(client, shareIds[0]!)
      if (shareIds.length <= sharesMax) continue
      assert.is((await client.delete(`/api/shares/${shareIds.shift()!}`)).status, 200)
    }
  })()
  // Reported by who waits for it, if the command has not failed before.
  running.catch(() => {})
  return async () => {
    isOver = true
    await running
    return rounds
  }
}

copy('should move everything there and back while the service works', async () => {
  const stub = await S3Stub.start()
  const scene = new Scene()
  const optionsFile = path.join(scene.dataDir, 'transfer.conf')
  const storageDir = path.join(scene.dataDir, 'storage')
  const env: Record<string, string> = scene.env
  writeFileSync(optionsFile, '')
  env['OPTIONS_FILE'] = optionsFile
  try {
    let service = await scene.startService()
    let client = await scene.signIn()
    const { endpoint, bucket, prefix } = stub.bucket
    const blobsUrl = `s3://${bucket}/${prefix}?endpoint=${endpoint}&region=us-east-1`
    assert.match((await scene.failure(['storage', 'copy', '--to', blobsUrl])).error, /BLOBS_URL/)
    const shareIds = [await send(client)]
    writeFileSync(
      optionsFile,
      `BLOBS_URL=${blobsUrl}\nAWS_ACCESS_KEY_ID=${stubKeys.accessKeyId}\n` +
        `AWS_SECRET_ACCESS_KEY=${stubKeys.secretAccessKey}\n`,
      { mode: 0o600 },
    )
    service.child.kill('SIGHUP')
    for (const [to, clear] of [
      [blobsUrl, () => rmSync(storageDir, { recursive: true })],
      [storageDir, () => stub.objects.clear()],
    ] as const) {
      const end = work(client, shareIds)
      const moved = await scene.run(['storage', 'copy', '--to', to])
      assert.is(moved.code, 0, moved.stderr)
      assert.match(moved.stdout, /^moved \d+ segments, .*\n.* is no longer used: you can remove it/)
      clear()
      assert.ok((await end()) > 0)
      for (const shareId of shareIds) await requireWhole(client, shareId)
      assert.match(await scene.text(['verify']), /no problems found/)
      await service.stop()
      service = await scene.startService()
      client = await scene.signIn()
      for (const shareId of shareIds) await requireWhole(client, shareId)
    }
    const again = await scene.json(['storage', 'copy', '--to', storageDir])
    assert.equal(again, { segments: 0, bytes: 0, damaged: 0, unreadable: 0 })
  } finally {
    await scene.clear()
    await stub.stop()
  }
})
