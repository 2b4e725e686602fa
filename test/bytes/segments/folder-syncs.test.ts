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

/** The names of promises, in the order in which they settle. */
function watch(): { settled: string[]; add: (name: string, promise: Promise<void>) => void } {
  const settled: string[] = []
  const add = (name: string, promise: Promise<void>) => {
    const note = () => void settled.push(name)
    promise.then(note, (error) => void settled.push(`${name} ${error.code}`))
  }
  return { settled, add }
}

folderSyncs('should share a sync that has not begun, and never one that has', async () => {
  const { settled, add } = watch()
  add('first', all.sync('a'))
  add('beside', all.sync('a'))
  await settle()
  assert.is(begun.length, 1)
  add('late', all.sync('a'))
  add('later', all.sync('a'))
  await settle()
  assert.is(begun.length, 1, 'the next one begins after the running one')
  begun[0]!.end()
  await settle()
  assert.equal([settled, begun.length], [['first', 'beside'], 2])
  begun[1]!.end()
  await settle()
  assert.equal(settled, ['first', 'beside', 'late', 'later'])
  add('again', all.sync('a'))
  await settle()
  assert.is(begun.length, 3, 'nothing is remembered')
  begun[2]!.end()
})

folderSyncs('should share a sync for as long as it waits for a permit', async () => {
  const releases = await Promise.all(Array.from({ length: 12 }, () => permits.take()))
  const { settled, add } = watch()
  add('first', all.sync('a'))
  await settle()
  add('second', all.sync('a'))
  assert.is(begun.length, 0)
  releases[0]!()
  await settle()
  assert.is(begun.length, 1)
  begun[0]!.end()
  await settle()
  assert.equal(settled, ['first', 'second'])
  for (const release of releases) release()
})

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

folderSyncs.run()
