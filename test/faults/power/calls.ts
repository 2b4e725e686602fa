// The calls common to shares and deliveries, and their clients: an owner or a guest.
import { Client, Guest, type Answer } from '../../helpers/client.ts'
import { sizeOf, type Holder, type SentFile } from './ledger.ts'

export interface Caller {
  readonly owner: Client
  readonly anonymous: Client
  readonly reverseId: string
}

/** The guest of a delivery; null for a share. */
function guestOf({ anonymous, reverseId }: Caller, { kind, token }: Holder): Guest | null {
  return kind === 'share' ? null : new Guest(new Client(anonymous.url, token), reverseId)
}

export function sendChunk(
  caller: Caller,
  holder: Holder,
  { fileId, name }: SentFile,
  index: number,
  data: Buffer,
): Promise<Answer> {
  const guest = guestOf(caller, holder)
  if (guest) return guest.chunk(fileId, index, data, name)
  return caller.owner.chunk(holder.id, fileId, index, data, { fileName: name })
}

export function listChunks(caller: Caller, holder: Holder): Promise<Answer> {
  const guest = guestOf(caller, holder)
  return guest ? guest.chunks() : caller.owner.get(`/api/shares/${holder.id}/chunks`)
}

export function finalize(caller: Caller, holder: Holder): Promise<Answer> {
  const files = holder.sending.map((file) => {
    return { fileId: file.fileId, originalName: file.name, size: sizeOf(file) }
  })
  const guest = guestOf(caller, holder)
  return guest ? guest.finalize(files) : caller.owner.finalize(holder.id, files)
}

export function remove(caller: Caller, holder: Holder): Promise<Answer> {
  if (holder.kind === 'share') return caller.owner.delete(`/api/shares/${holder.id}`)
  return caller.owner.delete(`/api/reverse/${caller.reverseId}/deliveries/${holder.id}`)
}

export function download(caller: Caller, holder: Holder, fileId: number): Promise<Answer> {
  if (holder.kind === 'share') {
    return caller.owner.get(`/api/shares/${holder.id}/files/${fileId}?as=owner`)
  }
  return caller.owner.get(`/api/reverse/files/${fileId}/download`)
}

export interface Seen {
  readonly id: string
  readonly name: string
  readonly isComplete: boolean
  readonly files: readonly {
    readonly id: number
    readonly original_name: string
    readonly size: number
  }[]
}

/** Everything that the service lists. */
export async function lookAround(caller: Caller): Promise<Seen[]> {
  const shares = await caller.owner.get('/api/shares')
  const deliveries = await caller.owner.get(`/api/reverse/${caller.reverseId}/deliveries`)
  for (const answer of [shares, deliveries]) {
    if (answer.status !== 200) throw new Error(`list: ${answer.status} ${answer.body.toString()}`)
  }
  const list = [...shares.json<any[]>(), ...deliveries.json<any[]>()]
  return list.map((each) => ({
    id: each.id,
    name: each.sender_name ?? each.name,
    isComplete: each.status === 'complete',
    files: each.files,
  }))
}
