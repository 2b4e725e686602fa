/** What a delivery says of its sender, and when it came. */
export interface Sent {
  readonly id: string
  /** As the guest gave them, or empty. */
  readonly sender_name: string
  readonly sender_email: string
  readonly created_at: string
  readonly finalized_at: string | null
}

export const timeOf = ({ finalized_at: end, created_at: begin }: Sent) => end ?? begin

/**
 * Whoever gave the same address is one sender, without an address whoever gave the same name; of
 * those who gave neither nobody knows. Who has sent something last comes first, and of each sender
 * what came last.
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
