import path from 'node:path'
import { StorageCopy, type StorageCopied } from '../backup/storage-copy.ts'
import { Pace } from '../bytes/upkeep/verify/pace.ts'
import { formatBlobsUrl, parseBlobsUrl } from '../config/blobs-url.ts'
import type { Config } from '../config/load.ts'
import { openBulk } from '../database/bulk.ts'
import { formatBytes } from '../lib/sizes.ts'
import { readRate } from './backup-arguments.ts'
import { ByteProgress } from './byte-progress.ts'
import { type Call, type Report, CommandError, UsageError } from './command.ts'
import { withApp } from './open-app.ts'
import { printable } from './table.ts'

const nothing: StorageCopied = { segments: 0, bytes: 0, damaged: 0, unreadable: 0 }

/** Moves all stored bytes to the other place that the options name, while the service runs. */
export function copyStorage(call: Call): Promise<Report> {
  const text = call.text('to')
  if (text === null) throw new UsageError('--to is missing: the folder or bucket to move to')
  const bytesPerSecond = readRate(call.text('rate'))
  const progress = new ByteProgress('copied', call.wantsJson)
  const needs = { bytes: true, isQuiet: true, whenStopped: ': run it again, it goes on' }
  let waits = ''
  return withApp(needs, async ({ services, storage }, { places, address, signal }) => {
    const { config, database, takeJob, isAlive, clock } = services
    const kind = kindOf(text, config)
    const release = await takeJob('copy storage')
    if (release === null) throw new CommandError('another storage copy is running')
    await storage.recover()
    const to = await places!.openTarget(kind)
    const from = places!.roots.all.find(({ id }) => id !== to.id)
    if (!from) return { json: nothing, text: `all files are in ${to.name}` }
    const copied = await new StorageCopy({
      database,
      openBulk: () => openBulk(address),
      from,
      to,
      isAlive,
      follow: () => places!.follow(),
      space: storage.space,
      pace: new Pace({ bytesPerSecond, clock, signal }),
      signal,
      spoolFolder: config.dataDir,
      onDamage: ({ place: { owner, name } }) => progress.say(`damaged  ${owner}  “${name}”`),
      onProgress: (bytes, total) => progress.show(bytes, total),
      onWait: (what) => {
        if (what !== waits) progress.say(`waiting for ${what}`)
        waits = what
      },
    })
      .run()
      .finally(() => progress.clear())
    await release()
    return report(copied, from.name, to.name)
  })
}

/** @throws UsageError, CommandError unless the options of the service name the place */
function kindOf(text: string, { blobsUrl, storageDir }: Config): 'folder' | 'bucket' {
  if (!text.startsWith('s3://')) {
    if (text !== '' && path.resolve(text) === path.resolve(storageDir)) return 'folder'
    throw new CommandError(
      `--to ${printable(text)} is not STORAGE_DIR (${storageDir}). ` +
        'Set it in the options of the service first.',
    )
  }
  const named = parse(text)
  if (blobsUrl !== null && formatBlobsUrl(named) === formatBlobsUrl(blobsUrl)) return 'bucket'
  throw new CommandError(
    `--to ${printable(text)} is not BLOBS_URL. Set it in the options of the service first.`,
  )
}

function parse(text: string) {
  try {
    return parseBlobsUrl(text)
  } catch (error) {
    throw new UsageError(`--to ${(error as Error).message}`, { cause: error })
  }
}

function report(copied: StorageCopied, from: string, to: string): Report {
  const { segments, bytes, damaged, unreadable } = copied
  const lines = [`moved ${segments} segments, ${formatBytes(bytes)}, to ${to}`]
  if (damaged > 0) lines.push(`${damaged} places were damaged before: run transfer verify`)
  lines.push(
    unreadable > 0
      ? `${unreadable} segments cannot be read and stay in ${from}: run transfer verify`
      : `${from} is no longer used: you can remove it`,
  )
  return {
    json: { segments, bytes, damaged, unreadable },
    text: lines.map(printable).join('\n'),
    isFailure: damaged + unreadable > 0,
  }
}
