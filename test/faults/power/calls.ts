// The calls common to shares and deliveries, and their clients: an owner or a guest.
import { multipart, type Answer, type Client } from '../../helpers/client.ts'
import { sizeOf, type Holder, type SentFile } from './ledger.ts'

export interface Caller {
  readonly owner: Client
  readonly anonymous: Client
  readonly reverseId: string
}

function baseOf({ reverseId }: Caller, holder: Holder): string {
  if (holder.kind === 'share') return `/api/shares/${holder.id}`
  return `/api/public/reverse/${reverseId}`
}

function call(
  caller: Caller,
  holder: Holder,
  method: string,
  path: string,
  more: { json?: unknown; body?: Buffer; contentType?: string } = {},
): Promise<Answer> {
  const headers: Record<string, string> = {}
  if (more.contentType) headers['content-type'] = more.contentType
  if (holder.kind === 'delivery') headers['authorization'] = `Bearer ${holder.token}`
  const client = holder.kind === 'share' ? caller.owner : caller.anonymous
  const content = more.body ? { body: more.body } : more.json ? { json: more.json } : {}
  return client.call(method, `${baseOf(caller, holder)}${path}`, { headers, ...content })
}

export function sendChunk(
  caller: Caller,
  holder: Holder,
  file: SentFile,
  index: number,
  data: Buffer,
): Promise<Answer> {
  const fields = { chunkIndex: String(index), fileName: file.name, fileId: file.fileId }
  const multiparted = multipart(fields, data, false)
  return call(caller, holder, 'POST', '/chunk', multiparted)
}

export function listChunks(caller: Caller, holder: Holder): Promise<Answer> {
  return call(caller, holder, 'GET', '/chunks')
}

export function finalize(caller: Caller, holder: Holder): Promise<Answer> {
  const files = holder.sending.map((file) => ({
    fileId: file.fileId,
    fileName: file.name,
    originalName: file.name,
    size: sizeOf(file),
  }))
  return call(caller, holder, 'POST', '/finalize', { json: { files } })
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
