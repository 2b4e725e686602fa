import { facts, list, quote, shortName, text, type EmailParts } from './blocks.ts'
import { button, filesOf, opening, sumOf, type ListedFile } from './common-blocks.ts'
import { nameOf, type Wording } from './wording.ts'

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
  readonly firstFiles: readonly ListedFile[]
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

export function deliveryEmail(data: DeliveryTemplateData, wording: Wording): EmailParts {
  if (data.kind === 'delivery') return oneDelivery(data, wording)
  const [only] = data.first
  return only && data.count === 1
    ? oneDelivery(only, wording)
    : severalDeliveries(data, only?.url ?? '', wording)
}

function oneDelivery(data: DeliveryReceived, wording: Wording): EmailParts {
  const { delivery, footer } = wording.texts
  const { note, fileCount, firstFiles, url } = data
  const guest = guestOf(data, wording)
  const name = shortName(data.name)
  const say = (who: string) => delivery.lead(who, name)
  const { heading, from } = opening(guest, name, say)
  return {
    subject: delivery.subject(nameOf(guest), name, fileCount),
    heading,
    ...(data.guestEmail ? { replyTo: { name: data.guestName, address: data.guestEmail } } : {}),
    blocks: [
      ...(data.guestName || data.guestEmail ? [from] : name ? [text(say(nameOf(guest)))] : []),
      ...(note ? [quote(note)] : []),
      facts(sumOf(data, wording)),
      ...filesOf(firstFiles, fileCount, wording),
      button(delivery.button, url, wording),
    ],
    footer: [footer(wording.appName), delivery.why],
  }
}

function severalDeliveries(data: DeliveriesReceived, url: string, wording: Wording): EmailParts {
  const { deliveries, delivery, more, footer } = wording.texts
  const { count, fileCount, size, first } = data
  const name = shortName(data.name)
  const rest = count - first.length
  return {
    subject: deliveries.subject(name, count),
    heading: deliveries.heading(count),
    blocks: [
      text(deliveries.lead(name, fileCount, wording.size(size))),
      list([
        ...first.map((one) => {
          const [files, bytes] = sumOf(one, wording)
          return `${nameOf(guestOf(one, wording))}: ${files} (${bytes})`
        }),
        ...(rest > 0 ? [more(rest)] : []),
      ]),
      // Removes the parameter that selects one delivery.
      button(delivery.button, url.split('?')[0] ?? '', wording),
    ],
    footer: [footer(wording.appName), delivery.why],
  }
}

function guestOf({ guestName, guestEmail }: DeliveryReceived, { texts }: Wording) {
  return { name: guestName || (guestEmail ? '' : texts.guest), address: guestEmail }
}
