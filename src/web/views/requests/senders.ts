/** Sender and time of a delivery. */
export interface Sent {
  readonly id: string
  /** As typed by the guest; may be empty. */
  readonly sender_name: string
  readonly sender_email: string
  readonly created_at: string
  readonly finalized_at: string | null
}

export const timeOf = ({ finalized_at: end, created_at: begin }: Sent) => end ?? begin

/**
 * Groups deliveries by address, or without one by name; those without either are not grouped. The
 * sender of the latest delivery comes first, and each sender's latest delivery.
 */
export function groupBySender<One extends Sent>(
  deliveries: readonly One[],
): [key: string, deliveries: readonly One[]][] {
  const newestFirst = deliveries.toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)))
  const senders = new Map<string, One[]>()
  for (const delivery of newestFirst) {
    const { id, sender_name: name, sender_email: email } = delivery
    const key = email ? `email ${email.toLowerCase()}` : name ? `name ${name}` : id
    const known = senders.get(key)
    if (known) known.push(delivery)
    else senders.set(key, [delivery])
  }
  return [...senders]
}
