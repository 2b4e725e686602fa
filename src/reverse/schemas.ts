import * as v from 'valibot'
import { presentFile, shareFileSchema } from '../files/schemas.ts'
import {
  bytes,
  named,
  nonNegative,
  noted,
  optional,
  text,
  timestamp,
  wholeNumber,
  written,
} from '../http/schema.ts'
import { expirationUnits } from '../settings/table.ts'
import { emailSchema } from '../users/schemas.ts'
import type { DeliveryWithFiles } from './reverse-shares.ts'
import type { ReverseShareSummary } from './sql.ts'

const nameMax = 200
const messageMax = 10_000

/** Empty is as good as absent: forms send their empty fields. */
const emailOrEmpty = written(v.union([v.pipe(v.string(), v.trim(), v.literal('')), emailSchema]), {
  type: 'string',
  format: 'email',
  maxLength: 254,
  description: 'E-mail address; empty for none',
  examples: ['ada@example.org'],
})

const changeable = {
  name: noted(optional(text(0, nameMax)), 'What the link is headed with', 'Photos for the album'),
  maxSize: noted(
    optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
    'Bytes that all deliveries together may have; 0 for no limit',
    1_000_000_000,
  ),
  expirationVal: noted(
    optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
    'How many units the link lives; 0 for ever, absent for the usual time',
    7,
  ),
  expirationUnit: noted(optional(v.picklist(expirationUnits)), 'Unit of expirationVal', 'Days'),
  password: noted(optional(text(0, 256)), 'Asked for at the link; empty for none'),
  notify: noted(optional(v.boolean()), 'Whether each delivery is mailed to the owner', true),
  thankYouMessage: noted(
    optional(text(0, messageMax)),
    'Shown to whoever has delivered',
    'Thanks!',
  ),
}

export const newReverseShareSchema = v.object({
  ...changeable,
  sendEmailTo: optional(emailOrEmpty),
})

export const reverseShareChangeSchema = v.object(changeable)

export const newDeliverySchema = v.object({
  senderName: noted(optional(text(0, nameMax)), 'Who delivers', 'Bob'),
  senderEmail: optional(emailOrEmpty),
  note: noted(optional(text(0, messageMax)), 'Text for the owner'),
})

/** ReverseShare of the contract's part 2, with what its owner's list shows beside. */
export const reverseShareSchema = named(
  'ReverseShare',
  v.object({
    id: noted(v.string(), 'As in its link', 'hT6sW2kD9fJ4aXc8vR3uEq'),
    name: v.string(),
    status: v.picklist(['open', 'expired']),
    max_size: noted(nonNegative, 'Bytes; 0 for no limit', 1_000_000_000),
    created_at: timestamp,
    expires_at: noted(v.nullable(timestamp), 'When the link ends; null for never'),
    protected: noted(v.boolean(), 'Whether it has a password'),
    notify_email: noted(v.boolean(), 'Whether each delivery is mailed to the owner'),
    thank_you_message: noted(v.string(), 'Shown to whoever has delivered'),
    url: noted(v.pipe(v.string(), v.url()), 'The link'),
    delivery_count: noted(nonNegative, 'Complete deliveries', 2),
    file_count: noted(nonNegative, 'Files in them', 5),
    total_size: bytes,
  }),
)

/** PublicReverseShare of the contract's part 2. */
export const publicReverseShareSchema = named(
  'PublicReverseShare',
  v.object({
    name: v.string(),
    maxSize: noted(nonNegative, 'Bytes; 0 for no limit', 1_000_000_000),
    protected: noted(v.boolean(), 'Whether it has a password'),
    thankYouMessage: noted(v.string(), 'Empty until a protected link is unlocked'),
  }),
)

export const deliverySchema = named(
  'Delivery',
  v.object({
    id: v.string(),
    status: v.picklist(['draft', 'complete']),
    sender_name: v.string(),
    sender_email: noted(v.string(), 'Empty when none was given'),
    note: v.string(),
    created_at: timestamp,
    finalized_at: noted(v.nullable(timestamp), 'When it was complete; null until then'),
    files: v.array(shareFileSchema),
    total_size: bytes,
  }),
)

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
