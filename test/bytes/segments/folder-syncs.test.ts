import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FolderSyncs } from '../../../src/bytes/segments/folder-syncs.ts'
import { inOrder, Permits } from '../../../src/lib/permits.ts'
import { replacePromised } from '../../helpers/replaced.ts'

interface RunningSync {
  readonly folder: string
  readonly end: (error?: Error) => void
}

const folderSyncs = suite('FolderSyncs')
let all: FolderSyncs
let permits: Permits
let begun: RunningSync[]
let undo: () => void

/** Lets everything that can go on go on. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate)
}

folderSyncs.before.each(() => {
  permits = new Permits(inOrder(12))
  all = new FolderSyncs(permits)
  begun = []
  undo = replacePromised('open', () => async (folder: string) => ({
    sync: () =>
      new Promise<void>((resolve, reject) => {
        begun.push({ folder, end: (error) => (error ? reject(error) : resolve()) })
      }),
    close: async () => {},
  }))
})
folderSyncs.after.each(() => undo())

folderSyncs('should run at most six at once, and leave the other permits', async () => {
  const syncs = Array.from({ length: 20 }, (_, place) => all.sync(`folder ${place}`))
  await settle()
  assert.is(begun.length, 6)
  const releases = await Promise.all(Array.from({ length: 6 }, () => permits.take()))
  for (let ended = 0; ended < 20; ended += 1) {
    begun[ended]!.end()
    await settle()
  }
  await Promise.all(syncs)
  for (const release of releases) release()
})
