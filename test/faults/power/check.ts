// Compares the service with the ledger after a fault. A request without an answer may have taken
// effect or not, and the ledger learns which; everything else must be as acknowledged.
import * as assert from 'uvu/assert'
import { okay } from '../../helpers/client.ts'
import type { Seeded } from '../../helpers/seeded.ts'
import {
  download,
  finalize,
  listChunks,
  lookAround,
  remove,
  sendChunk,
  type Caller,
  type Seen,
} from './calls.ts'
import { bytesOf, sizeOf, type Holder, type Ledger, type SentFile } from './ledger.ts'
import { noteFinalized } from './traffic.ts'

export interface CheckOptions {
  readonly caller: Caller
  readonly ledger: Ledger
  readonly chance: Seeded
}

export async function checkAll(options: CheckOptions): Promise<void> {
  const { caller, ledger, chance } = options
  ledger.freeAll()
  const seen = new Map((await lookAround(caller)).map((entry) => [entry.name, entry]))
  await settleUnknown(options, seen)
  for (const holder of ledger.holders) {
    const entry = seen.get(holder.name) ?? hiddenOf(holder)
    settleQuestions(holder, entry)
    if (holder.state === 'gone') {
      assert.is(entry, undefined, `${holder.name} was deleted`)
      continue
    }
    assert.ok(entry, `${holder.name} is there`)
    assert.is(entry.isComplete, holder.state !== 'draft', `${holder.name} is ${holder.state}`)
    await checkFiles(options, holder, entry)
    if (holder.state === 'complete') continue
    await checkChunks(options, holder)
    if (isWhole(holder) && chance.chance(0.5)) await finish(options, holder)
  }
  ledger.forgetGone()
}

/** Completes everything: sends missing chunks, finalizes, and compares every byte. */
export async function finishAll(options: CheckOptions): Promise<void> {
  const { caller, ledger } = options
  for (const holder of ledger.holders) {
    if (holder.state === 'complete' || holder.sending.length === 0) continue
    for (const file of holder.sending) {
      for (const [index, chunk] of file.chunks.entries()) {
        if (chunk.isAcknowledged) continue
        chunk.tried = [{ from: index, length: chunk.length }]
        await okay(sendChunk(caller, holder, file, index, bytesOf(chunk.tried[0]!)))
        chunk.isAcknowledged = true
      }
    }
    await finish(options, holder)
  }
}

async function finish(options: CheckOptions, holder: Holder): Promise<void> {
  const answer = await finalize(options.caller, holder)
  assert.is(answer.status, 200, `${holder.name}: ${answer.body.toString()}`)
  noteFinalized(holder)
  const entry = (await lookAround(options.caller)).find(({ name }) => name === holder.name)
  await checkFiles(options, holder, entry!)
}

/** Holders unknown to the ledger: their creation had no answer. */
async function settleUnknown(options: CheckOptions, seen: Map<string, Seen>): Promise<void> {
  const { caller, ledger } = options
  const known = new Set(ledger.holders.map(({ name }) => name))
  for (const { id, name, isComplete } of seen.values()) {
    if (known.has(name)) continue
    const files = ledger.copies.get(name)
    const kind = name.startsWith('delivery') ? 'delivery' : 'share'
    const holder = ledger.add({ kind, id, name, files: files ?? [], state: 'complete' })
    if (isComplete) {
      assert.ok(files, `${name} was never reported as complete`)
      continue
    }
    await okay(remove(caller, holder))
    holder.state = 'gone'
    seen.delete(name)
  }
}

/**
 * A delivery without a chunk is not listed; its guest can continue it. That holds when finalize
 * was not answered, too: checkFiles still requests every acknowledged chunk.
 */
function hiddenOf({ kind, state, question, id }: Holder): Seen | undefined {
  if (kind === 'share' || state !== 'draft' || question === 'delete') return undefined
  return { id, name: '', isComplete: false, files: [] }
}

function settleQuestions(holder: Holder, entry: Seen | undefined): void {
  const { question, removing, state } = holder
  holder.question = null
  holder.removing = null
  if (question === 'delete' && !entry) holder.state = 'gone'
  if (!entry) return
  if (holder.id === '') holder.id = entry.id
  const has = (name: string) => entry.files.some(({ original_name }) => original_name === name)
  if (question === 'finalize') {
    const isDone = state === 'draft' ? entry.isComplete : has(holder.sending[0]!.name)
    if (isDone) noteFinalized(holder)
  }
  if (removing !== null && !has(removing)) {
    holder.files = holder.files.filter(({ name }) => name !== removing)
  }
}

async function checkFiles(options: CheckOptions, holder: Holder, entry: Seen): Promise<void> {
  const { caller } = options
  const names = (files: readonly { name: string }[]) => files.map(({ name }) => name).toSorted()
  const shown = entry.files.map((file) => ({ ...file, name: file.original_name }))
  assert.equal(names(shown), names(holder.files), `the files of ${holder.name}`)
  for (const file of holder.files) {
    const { id, size } = shown.find(({ name }) => name === file.name)!
    assert.is(size, sizeOf(file), file.name)
    const answer = await download(caller, holder, id)
    assert.is(answer.status, 200, `${file.name} of ${holder.name}: ${answer.body.toString()}`)
    compareBytes(file, answer.body)
  }
}

/** Each chunk is one of those sent for it, whole; from now on it is known which. */
function compareBytes(file: SentFile, found: Buffer): void {
  assert.is(found.length, sizeOf(file), `${file.name} is whole`)
  let at = 0
  for (const [index, chunk] of file.chunks.entries()) {
    const bytes = found.subarray(at, at + chunk.length)
    at += chunk.length
    const version = chunk.tried.find((tried) => bytesOf(tried).equals(bytes))
    assert.ok(version, `chunk ${index} of ${file.name} has the bytes that were sent`)
    chunk.tried = [version]
    chunk.isAcknowledged = true
  }
}

async function checkChunks(options: CheckOptions, holder: Holder): Promise<void> {
  const { caller } = options
  const answer = await listChunks(caller, holder)
  // Additions whose start had no answer may never have started.
  assert.is(answer.status, 200, `${holder.name}: ${answer.body.toString()}`)
  const listed = new Set<string>()
  for (const { fileId, from, to } of answer.json().chunks) {
    for (let index = from; index <= to; index += 1) listed.add(`${fileId} ${index}`)
  }
  for (const file of holder.sending) {
    for (const [index, chunk] of file.chunks.entries()) {
      const isListed = listed.delete(`${file.fileId} ${index}`)
      const what = `chunk ${index} of ${file.name} of ${holder.name}`
      if (isListed) {
        assert.ok(chunk.tried.length > 0, `${what} was sent`)
        chunk.isAcknowledged = true
        continue
      }
      assert.not(chunk.isAcknowledged, `${what} was acknowledged, and is there`)
      chunk.tried = []
    }
  }
  assert.equal([...listed], [], `chunks of ${holder.name} that were never sent`)
}

function isWhole({ sending }: Holder): boolean {
  const chunks = sending.flatMap((file) => file.chunks)
  return chunks.length > 0 && chunks.every(({ isAcknowledged }) => isAcknowledged)
}
