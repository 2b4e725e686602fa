import { formatBytes } from '../lib/format-bytes.ts'
import { link, list, quote, text, type Block } from './blocks.ts'

export interface Person {
  readonly name: string
  readonly address: string
}

/** A guest's delivery, in the email to the owner of the link. */
export interface DeliveryReceived {
  readonly kind: 'delivery'
  /** Name of the reverse share. */
  readonly name: string
  /** The guest's name; '' when unknown. */
  readonly guestName: string
  readonly guestEmail: string
  readonly note: string
  readonly fileCount: number
  /** Bytes. */
  readonly size: number
  readonly firstFiles: readonly { readonly name: string; readonly size: number }[]
  readonly url: string
}

/** Several deliveries to one link, gathered. */
export interface DeliveriesReceived {
  readonly kind: 'deliveries'
  readonly name: string
  readonly count: number
  readonly fileCount: number
  readonly size: number
  /** The first ones, oldest first. */
  readonly first: readonly DeliveryReceived[]
}

export type DeliveryTemplateData = DeliveryReceived | DeliveriesReceived

const filesListedMax = 20
const deliveriesListedMax = 20

/** Adds a delivery to an email that gathers them. */
export function gather(
  gathered: DeliveriesReceived | null,
  received: DeliveryReceived,
): DeliveriesReceived {
  const { name, fileCount, size } = received
  const before = gathered ?? { count: 0, fileCount: 0, size: 0, first: [] }
  // Only an email about a single delivery lists its files.
  const short = before.count === 0 ? received : { ...received, firstFiles: [], note: '' }
  return {
    kind: 'deliveries',
    name,
    count: before.count + 1,
    fileCount: before.fileCount + fileCount,
    size: before.size + size,
    first: before.first.length < deliveriesListedMax ? [...before.first, short] : before.first,
  }
}

export function deliveryDraft(data: DeliveryTemplateData): {
  subject: string
  blocks: Block[]
  replyTo?: Person
} {
  if (data.kind === 'delivery') return oneDelivery(data)
  const [only] = data.first
  return only && data.count === 1 ? oneDelivery(only) : severalDeliveries(data, only?.url ?? '')
}

function oneDelivery(data: DeliveryReceived): ReturnType<typeof deliveryDraft> {
  const { name, guestName, guestEmail, note, fileCount, size, firstFiles, url } = data
  const who = guestOf(data)
  const count = countFiles(fileCount)
  const listed = firstFiles.slice(0, filesListedMax)
  const more = fileCount - listed.length
  return {
    subject: name ? `${who} sent ${count} to “${name}”` : `${who} sent you ${count}`,
    ...(guestEmail ? { replyTo: { name: guestName, address: guestEmail } } : {}),
    blocks: [
      text(`${who} sent ${count} (${formatBytes(size)})${name ? ` to “${name}”` : ''}.`),
      ...(note ? [quote(note)] : []),
      list([
        ...listed.map((file) => `${file.name} (${formatBytes(file.size)})`),
        ...(more > 0 ? [`and ${more} more`] : []),
      ]),
      link('Open the files', url),
    ],
  }
}

function severalDeliveries(
  { name, count, fileCount, size, first }: DeliveriesReceived,
  url: string,
): ReturnType<typeof deliveryDraft> {
  const to = name ? ` to “${name}”` : ''
  const more = count - first.length
  return {
    subject: `${count} more deliveries${to}`,
    blocks: [
      text(`Guests sent ${countFiles(fileCount)} (${formatBytes(size)})${to}:`),
      list([
        ...first.map((one) => {
          return `${guestOf(one)}: ${countFiles(one.fileCount)} (${formatBytes(one.size)})`
        }),
        ...(more > 0 ? [`and ${more} more`] : []),
      ]),
      // Removes the parameter that selects one delivery.
      link('Open the files', url.split('?')[0] ?? ''),
    ],
  }
}

function guestOf({ guestName, guestEmail }: DeliveryReceived): string {
  return guestName || guestEmail || 'A guest'
}

export function countFiles(count: number): string {
  return count === 1 ? '1 file' : `${count} files`
}
