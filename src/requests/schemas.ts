import * as v from 'valibot'
import { presentFile, shareFileSchema } from '../bytes/file-schemas.ts'
import { LongList, type WithLists } from '../http/answer.ts'
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
import { newSlugFields, slugField } from '../shares/slug.ts'
import { referenceOf } from './delivery-drafts.ts'
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

/** Operations: what owners of reverse shares read, and what they change. */
export const reads = { tag: 'Reverse shares', auth: 'user', scope: 'read' } as const
export const manages = { ...reads, scope: 'manage' } as const

/** Empty counts as absent, because forms send their empty fields. */
const emailOrEmpty = written(v.union([v.pipe(v.string(), v.trim(), v.literal('')), emailSchema]), {
  type: 'string',
  format: 'email',
  maxLength: 254,
  description: 'Email address; empty for none',
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
  ...slugField,
  name: noted(optional(text(0, nameMax)), 'Title of the link', 'Photos for the album'),
  maxSize: noted(
    optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
    'Size limit for all deliveries together, in bytes; 0 for no limit',
    1_000_000_000,
  ),
  ...expirationFields,
  password: noted(optional(text(0, 256)), 'Password of the link; empty for none'),
  notify: noted(optional(v.boolean()), 'Whether the owner gets an email for each delivery', true),
  thankYouMessage: noted(
    optional(text(0, messageMax)),
    'Shown to guests after they deliver',
    'Thanks!',
  ),
  instructions: noted(
    optional(text(0, messageMax)),
    'Instructions for guests, as plain text',
    'Scans as PDF, please',
  ),
  allowedExtensions: noted(optional(extensions), 'Allowed file extensions; empty for all', [
    'pdf',
    'docx',
  ]),
  requiredFields: noted(optional(requiredFields), 'Fields that guests must fill in', [
    'name',
    'email',
  ]),
  once: noted(
    optional(v.boolean()),
    'Whether the first complete delivery closes the link; false reopens it',
    false,
  ),
  allowSharing: noted(
    optional(v.boolean()),
    'Whether the owner may share deliveries that begin from now on; guests are told',
    false,
  ),
}

export const newReverseShareSchema = v.object({
  ...changeable,
  ...newSlugFields,
  sendEmailTo: optional(emailOrEmpty),
})

export const reverseShareChangeSchema = v.object(changeable)

export const newDeliverySchema = v.object({
  senderName: noted(optional(text(0, nameMax)), 'Name of the sender', 'Bob'),
  senderEmail: optional(emailOrEmpty),
  note: noted(optional(text(0, messageMax)), 'Note for the owner'),
  allowSharing: noted(
    optional(v.boolean()),
    'Whether the guest was told that the owner may share the files; false if absent',
    true,
  ),
})

export const sharedOnSchema = v.object({
  name: noted(
    optional(text(0, nameMax)),
    'Name of the share; that of the link if absent',
    'Photos',
  ),
  files: noted(
    optional(
      v.pipe(
        v.array(wholeNumber(1, 2 ** 31 - 1)),
        v.minLength(1, 'must not be empty'),
        v.maxLength(sharedMax, `must be at most ${sharedMax}`),
      ),
    ),
    'Ids of the requested files; all if absent',
  ),
})

/** The contract's `ReverseShare` (part 2), with additional fields for its owner. */
export const reverseShareSchema = named(
  'ReverseShare',
  v.object({
    id: noted(v.string(), 'Id as in its link', 'hT6sW2kD9fJ4aXc8vR3uEq'),
    slug: noted(v.string(), 'Custom link; empty for none'),
    name: v.string(),
    status: noted(v.picklist(['open', 'closed', 'expired']), '`closed` after its single delivery'),
    max_size: noted(nonNegative, 'Bytes; 0 for no limit', 1_000_000_000),
    created_at: timestamp,
    expires_at: noted(v.nullable(timestamp), 'When the link expires; null for never'),
    protected: noted(v.boolean(), 'Whether the link has a password'),
    notify_email: noted(v.boolean(), 'Whether the owner gets an email for each delivery'),
    thank_you_message: noted(v.string(), 'Shown to guests after they deliver'),
    instructions: noted(v.string(), 'Instructions for guests'),
    allowed_extensions: noted(v.array(v.string()), 'Allowed file extensions; empty for all'),
    requiredFields: noted(v.array(field), 'Fields that guests must fill in', ['name']),
    once: noted(v.boolean(), 'Whether the first complete delivery closes the link'),
    allowSharing: noted(v.boolean(), 'Whether the owner may share deliveries'),
    closed_at: noted(v.nullable(timestamp), 'When a delivery closed the link; null if none has'),
    url: noted(v.pipe(v.string(), v.url()), 'The link'),
    delivery_count: noted(nonNegative, 'Number of complete deliveries', 2),
    new_delivery_count: noted(nonNegative, 'Number of deliveries that the owner has not seen', 1),
    file_count: noted(nonNegative, 'Number of files in complete deliveries', 5),
    total_size: bytes,
  }),
)

/** The contract's `PublicReverseShare` (part 2). */
export const publicReverseShareSchema = named(
  'PublicReverseShare',
  v.object({
    name: v.string(),
    maxSize: noted(nonNegative, 'Bytes; 0 for no limit', 1_000_000_000),
    protected: noted(v.boolean(), 'Whether the link has a password'),
    thankYouMessage: noted(v.string(), 'Shown to guests after they deliver'),
    ownerName: noted(v.string(), 'Name of the owner; can be empty', 'Ada'),
    instructions: noted(
      v.string(),
      'Instructions for guests; empty until a protected link is unlocked',
    ),
    allowedExtensions: noted(v.array(v.string()), 'Allowed file extensions; empty for all'),
    requiredFields: noted(v.array(field), 'Fields that guests must fill in', ['name']),
    once: noted(v.boolean(), 'Whether the first complete delivery closes the link'),
    allowSharing: noted(v.boolean(), 'Whether the owner may share what guests deliver'),
  }),
)

export const seenSchema = v.object({
  deliveries: noted(
    v.pipe(v.array(deliveryId), v.maxLength(seenMax, `must be at most ${seenMax}`)),
    'Ids of the deliveries to mark as seen',
    ['0f8fad5b-d9cb-469f-a165-70867728950e'],
  ),
})

export const deliverySchema = named(
  'Delivery',
  v.object({
    id: v.string(),
    reference: noted(v.string(), 'Reference shown to the guest', '7F3A-92C1'),
    status: v.picklist(['draft', 'complete']),
    sender_name: v.string(),
    sender_email: noted(v.string(), 'Empty if none was given'),
    note: v.string(),
    created_at: timestamp,
    finalized_at: noted(v.nullable(timestamp), 'When the delivery was completed; null until then'),
    seen_at: noted(v.nullable(timestamp), 'When the owner first saw the delivery; null until then'),
    allowSharing: noted(v.boolean(), 'Whether the guest was told that the owner may share it'),
    files: v.array(shareFileSchema),
    total_size: bytes,
  }),
)

export function presentReverseShare(
  reverse: ReverseShareSummary,
  url: string,
  isExpired: boolean,
): v.InferOutput<typeof reverseShareSchema> {
  return {
    id: reverse.id,
    slug: reverse.slug ?? '',
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
    allowSharing: reverse.allowSharing,
    closed_at: reverse.closedAt?.toISOString() ?? null,
    url,
    delivery_count: reverse.deliveryCount,
    new_delivery_count: reverse.newDeliveryCount,
    file_count: reverse.fileCount,
    total_size: reverse.totalSize,
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
    allowSharing: delivery.allowSharing,
    seen_at: delivery.seenAt?.toISOString() ?? null,
    files: new LongList(mapPages(files, presentFile)),
    total_size: delivery.liveBytes,
  }
}
