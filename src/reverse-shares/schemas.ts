import * as v from 'valibot'
import { presentFile, shareFileSchema } from '../blobs/file-schemas.ts'
import { LongList, type WithLists } from '../http/json-stream.ts'
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
import { mapPages } from '../lib/pages.ts'
import { expirationFields } from '../settings/expiry.ts'
import { extensions } from '../settings/schemas.ts'
import { emailSchema } from '../accounts/users/schemas.ts'
import { referenceOf } from './deliveries.ts'
import { requiredFieldNames } from './required-fields.ts'
import type { DeliveryWithFiles } from './received.ts'
import type { ReverseShareSummary } from './sql.ts'

const nameMax = 200
const messageMax = 10_000
const seenMax = 1000
const sharedMax = 5000

export const deliveryId = v.pipe(
  v.string(),
  v.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be a delivery id'),
)

/** Empty counts as absent, because forms send their empty fields. */
const emailOrEmpty = written(v.union([v.pipe(v.string(), v.trim(), v.literal('')), emailSchema]), {
  type: 'string',
  format: 'email',
  maxLength: 254,
  description: 'E-mail address; empty for none',
  examples: ['ada@example.org'],
})

const field = v.picklist(requiredFieldNames)

/** Ordered, without duplicates. */
const requiredFields = v.pipe(
  v.array(field),
  v.maxLength(requiredFieldNames.length, `must be at most ${requiredFieldNames.length}`),
  v.transform((given) => requiredFieldNames.filter((one) => given.includes(one))),
)

const changeable = {
  name: noted(optional(text(0, nameMax)), 'What the link is headed with', 'Photos for the album'),
  maxSize: noted(
    optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
    'Bytes that all deliveries together may have; 0 for no limit',
    1_000_000_000,
  ),
  ...expirationFields,
  password: noted(optional(text(0, 256)), 'Queued for at the link; empty for none'),
  notify: noted(optional(v.boolean()), 'Whether each delivery is mailed to the owner', true),
  thankYouMessage: noted(
    optional(text(0, messageMax)),
    'Shown to whoever has delivered',
    'Thanks!',
  ),
  instructions: noted(
    optional(text(0, messageMax)),
    'Plain text that guests read before they send',
    'Scans as PDF, please',
  ),
  allowedExtensions: noted(optional(extensions), 'Kinds of files that are taken; empty for all', [
    'pdf',
    'docx',
  ]),
  requiredFields: noted(optional(requiredFields), 'Fields that guests must fill in', [
    'name',
    'email',
  ]),
  demands: noted(optional(requiredFields), 'Former name of `requiredFields`', ['name', 'email']),
  once: noted(
    optional(v.boolean()),
    'Whether the first complete delivery closes the link; false opens it again',
    false,
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

export const sharedOnSchema = v.object({
  name: noted(optional(text(0, nameMax)), "The share's; that of the link when absent", 'Photos'),
  files: noted(
    optional(
      v.pipe(
        v.array(wholeNumber(1, 2 ** 31 - 1)),
        v.minLength(1, 'must not be empty'),
        v.maxLength(sharedMax, `must be at most ${sharedMax}`),
      ),
    ),
    'Ids of the files wanted; all when absent',
  ),
})

/** The contract's `ReverseShare` (part 2), with additional fields for its owner. */
export const reverseShareSchema = named(
  'ReverseShare',
  v.object({
    id: noted(v.string(), 'As in its link', 'hT6sW2kD9fJ4aXc8vR3uEq'),
    name: v.string(),
    status: noted(
      v.picklist(['open', 'closed', 'expired']),
      '`closed` by the one delivery that it was for',
    ),
    max_size: noted(nonNegative, 'Bytes; 0 for no limit', 1_000_000_000),
    created_at: timestamp,
    expires_at: noted(v.nullable(timestamp), 'When the link ends; null for never'),
    protected: noted(v.boolean(), 'Whether it has a password'),
    notify_email: noted(v.boolean(), 'Whether each delivery is mailed to the owner'),
    thank_you_message: noted(v.string(), 'Shown to whoever has delivered'),
    instructions: noted(v.string(), 'What guests read before they send'),
    allowed_extensions: noted(v.array(v.string()), 'Kinds of files taken; empty for all'),
    requiredFields: noted(v.array(field), 'Fields that guests must fill in', ['name']),
    once: noted(v.boolean(), 'Whether the first complete delivery closes it'),
    closed_at: noted(v.nullable(timestamp), 'When one did; null while there was none'),
    url: noted(v.pipe(v.string(), v.url()), 'The link'),
    delivery_count: noted(nonNegative, 'Complete deliveries', 2),
    new_delivery_count: noted(nonNegative, 'Those that the owner has not seen yet', 1),
    file_count: noted(nonNegative, 'Files in them', 5),
    total_size: bytes,
  }),
)

/** The contract's `PublicReverseShare` (part 2). */
export const publicReverseShareSchema = named(
  'PublicReverseShare',
  v.object({
    name: v.string(),
    maxSize: noted(nonNegative, 'Bytes; 0 for no limit', 1_000_000_000),
    protected: noted(v.boolean(), 'Whether it has a password'),
    thankYouMessage: noted(v.string(), 'Shown to whoever has delivered'),
    ownerName: noted(v.string(), 'Who asks for files', 'Ada'),
    instructions: noted(v.string(), 'What to send; empty until a protected link is unlocked'),
    allowedExtensions: noted(v.array(v.string()), 'Kinds of files taken; empty for all'),
    requiredFields: noted(v.array(field), 'Fields that guests must fill in', ['name']),
    once: noted(v.boolean(), 'Whether the first complete delivery closes the link'),
  }),
)

export const seenSchema = v.object({
  deliveries: noted(
    v.pipe(v.array(deliveryId), v.maxLength(seenMax, `must be at most ${seenMax}`)),
    'Ids of those that the owner has seen',
    ['0f8fad5b-d9cb-469f-a165-70867728950e'],
  ),
})

export const deliverySchema = named(
  'Delivery',
  v.object({
    id: v.string(),
    reference: noted(v.string(), 'What its guest was told to speak of it by', '7F3A-92C1'),
    status: v.picklist(['draft', 'complete']),
    sender_name: v.string(),
    sender_email: noted(v.string(), 'Empty when none was given'),
    note: v.string(),
    created_at: timestamp,
    finalized_at: noted(v.nullable(timestamp), 'When it was complete; null until then'),
    seen_at: noted(v.nullable(timestamp), 'When its owner saw it first; null until then'),
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
    status: isExpired ? 'expired' : reverse.closedAt ? 'closed' : 'open',
    max_size: reverse.maxSize,
    created_at: reverse.createdAt.toISOString(),
    expires_at: reverse.expiresAt?.toISOString() ?? null,
    protected: reverse.passwordHash !== null,
    notify_email: reverse.notify,
    thank_you_message: reverse.thankYouMessage,
    instructions: reverse.instructions,
    allowed_extensions: [...reverse.allowedExtensions],
    requiredFields: [...reverse.requiredFields],
    once: reverse.once,
    closed_at: reverse.closedAt?.toISOString() ?? null,
    url,
    delivery_count: summary.deliveryCount,
    new_delivery_count: summary.newDeliveryCount,
    file_count: summary.fileCount,
    total_size: summary.totalSize,
  }
}

export function presentDelivery({
  delivery,
  files,
}: DeliveryWithFiles): WithLists<v.InferOutput<typeof deliverySchema>, 'files'> {
  return {
    id: delivery.id,
    reference: referenceOf(delivery.id),
    status: delivery.state,
    sender_name: delivery.senderName,
    sender_email: delivery.senderEmail,
    note: delivery.note,
    created_at: delivery.createdAt.toISOString(),
    finalized_at: delivery.finalizedAt?.toISOString() ?? null,
    seen_at: delivery.seenAt?.toISOString() ?? null,
    files: new LongList(mapPages(files, presentFile)),
    total_size: delivery.liveBytes,
  }
}
