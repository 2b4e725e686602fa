import * as v from 'valibot'
import { presentFile, shareFileSchema } from '../files/schemas.ts'
import { nonNegative, optional, text, timestamp, wholeNumber } from '../http/schema.ts'
import { expirationUnits } from '../settings/table.ts'
import { emailSchema } from '../users/schemas.ts'
import type { DeliveryWithFiles } from './reverse-shares.ts'
import type { ReverseShareSummary } from './sql.ts'

const nameMax = 200
const messageMax = 10_000

/** Empty is as good as absent: forms send their empty fields. */
const emailOrEmpty = v.union([v.pipe(v.string(), v.trim(), v.literal('')), emailSchema])

const changeable = {
  name: optional(text(0, nameMax)),
  maxSize: optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
  expirationVal: optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
  expirationUnit: optional(v.picklist(expirationUnits)),
  password: optional(text(0, 256)),
  notify: optional(v.boolean()),
  thankYouMessage: optional(text(0, messageMax)),
}

export const newReverseShareSchema = v.object({
  ...changeable,
  sendEmailTo: optional(emailOrEmpty),
})

export const reverseShareChangeSchema = v.object(changeable)

export const newDeliverySchema = v.object({
  senderName: optional(text(0, nameMax)),
  senderEmail: optional(emailOrEmpty),
  note: optional(text(0, messageMax)),
})

/** ReverseShare of the contract's part 2, with what its owner's list shows beside. */
export const reverseShareSchema = v.object({
  id: v.string(),
  name: v.string(),
  status: v.picklist(['open', 'expired']),
  max_size: nonNegative,
  created_at: timestamp,
  expires_at: v.nullable(timestamp),
  protected: v.boolean(),
  notify_email: v.boolean(),
  thank_you_message: v.string(),
  url: v.pipe(v.string(), v.url()),
  delivery_count: nonNegative,
  file_count: nonNegative,
  total_size: nonNegative,
})

/** PublicReverseShare of the contract's part 2. */
export const publicReverseShareSchema = v.object({
  name: v.string(),
  maxSize: nonNegative,
  protected: v.boolean(),
  thankYouMessage: v.string(),
})

export const deliverySchema = v.object({
  id: v.string(),
  status: v.picklist(['draft', 'complete']),
  sender_name: v.string(),
  sender_email: v.string(),
  note: v.string(),
  created_at: timestamp,
  finalized_at: v.nullable(timestamp),
  files: v.array(shareFileSchema),
  total_size: nonNegative,
})

export function presentReverseShare(
  summary: ReverseShareSummary,
  url: string,
  isExpired: boolean,
): v.InferOutput<typeof reverseShareSchema> {
  const { reverse } = summary
  return {
    id: reverse.id,
    name: reverse.name,
    status: isExpired ? 'expired' : 'open',
    max_size: reverse.maxSize,
    created_at: reverse.createdAt.toISOString(),
    expires_at: reverse.expiresAt?.toISOString() ?? null,
    protected: reverse.passwordHash !== null,
    notify_email: reverse.notify,
    thank_you_message: reverse.thankYouMessage,
    url,
    delivery_count: summary.deliveryCount,
    file_count: summary.fileCount,
    total_size: summary.totalSize,
  }
}

export function presentDelivery({
  delivery,
  files,
}: DeliveryWithFiles): v.InferOutput<typeof deliverySchema> {
  return {
    id: delivery.id,
    status: delivery.state,
    sender_name: delivery.senderName,
    sender_email: delivery.senderEmail,
    note: delivery.note,
    created_at: delivery.createdAt.toISOString(),
    finalized_at: delivery.finalizedAt?.toISOString() ?? null,
    files: files.map(presentFile),
    total_size: delivery.liveBytes,
  }
}
