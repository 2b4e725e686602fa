import type { Audit, AuditActor, EventDetails, Target } from '../audit/audit.ts'
import type { Sql } from '../database/connect.ts'
import type { Storage } from '../bytes/storage.ts'
import { CodedError } from '../lib/errors.ts'
import * as rows from './deliveries-sql.ts'

/** The reference that guest and owner can quote: eight digits of its id, as in `7F3A-92C1`. */
export function referenceOf(deliveryId: string): string {
  return `${deliveryId.slice(0, 4)}-${deliveryId.slice(4, 8)}`.toUpperCase()
}

/** A delivery in the audit log: with its guest's name and its link. */
export function auditedDelivery(delivery: rows.DeliveryRow): {
  target: Target
  details: EventDetails
} {
  const { id, senderName, senderEmail, reverseShareId } = delivery
  return {
    target: { id, name: senderName || senderEmail },
    details: { reverse_share: reverseShareId },
  }
}

/** Removes a delivery; its container is freed after the transaction. */
export async function removeDelivery(
  sql: Sql,
  { storage, audit }: { readonly storage: Storage; readonly audit: Audit },
  actor: AuditActor,
  delivery: rows.DeliveryRow,
  event: 'delivery.draft_removed' | 'delivery.deleted',
): Promise<void> {
  await rows.deleteDeliveryRow(sql, delivery.id)
  await storage.tombstone(sql, [{ containerId: delivery.containerId, shareId: null }])
  // Empty drafts, which anyone with the link can begin, leave no audit event.
  if (event === 'delivery.draft_removed' && delivery.liveBytes === 0) return
  const { target, details } = auditedDelivery(delivery)
  await audit.record(sql, actor, event, target, details)
}

/** @throws CodedError not_found, already_complete */
export function requireDraft(delivery: rows.DeliveryRow | null): rows.DeliveryRow {
  if (!delivery) throw new CodedError('not_found')
  if (delivery.state !== 'draft') throw new CodedError('already_complete')
  return delivery
}
