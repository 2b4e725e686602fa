import * as v from 'valibot'
import { emptyFoldersSchema, presentFile, shareFileSchema } from '../bytes/file-schemas.ts'
import type { ListedFileRow } from '../bytes/files-sql.ts'
import { LongList, numberLater, type WithLists } from '../http/answer.ts'
import {
  bytes,
  named,
  nonNegative,
  noted,
  optional,
  text,
  timestamp,
  wholeNumber,
} from '../http/schema.ts'
import { mapPages, OnePage } from '../lib/pages.ts'
import { expirationFields, readExpiration } from '../settings/expiry.ts'
import { isAllReceived, progressOf } from './progress.ts'
import type { NewShare, ShareWithFiles } from './shares.ts'
import type { OwnedShare } from './all-sql.ts'
import { chosenSlug, newSlugFields } from './slug.ts'
import { audiences, recipientProofs, shareStates, type PagePlace } from './sql.ts'

const nameMax = 200
const messageMax = 10_000
const recipientsMax = 16 * 1024
/** Operations: what owners read of shares, send, and change. */
export const reads = { tag: 'Shares', auth: 'user', scope: 'read' } as const
export const sends = { ...reads, scope: 'send' } as const
export const manages = { ...reads, scope: 'manage' } as const
/** By an account, or by a program with the upload token of the draft. */
export const uploads = { ...sends, auth: 'uploader' } as const
/** By people with the link. */
export const opens = { tag: 'Public shares', auth: 'none', linkToken: 'unlock' } as const

/** Email addresses as people type them. */
export const recipientsSchema = text(0, recipientsMax)
export const maxDownloadsMax = 2 ** 31 - 1

export const newShareSchema = v.object({
  name: noted(optional(text(0, nameMax)), 'Title of the link', 'Holiday'),
  password: noted(optional(text(0, 256)), 'Password of the link; empty for none'),
  ...expirationFields,
  recipients: noted(
    optional(recipientsSchema),
    'Email addresses that get the link, as free text',
    'ada@example.org, bob@example.org',
  ),
  audience: noted(
    optional(v.picklist(audiences)),
    '`anyone` with the link, or only `named` people: each recipient gets a personal link, and ' +
      'the link of the share itself is not found',
    'anyone',
  ),
  recipientProof: noted(
    optional(v.picklist(recipientProofs)),
    'What named people need besides their link: nothing, a code that is emailed to them, or to ' +
      'be signed in to the account with their email address',
    'none',
  ),
  message: noted(optional(text(0, messageMax)), 'Message to the recipients'),
  maxDownloads: noted(
    optional(wholeNumber(0, maxDownloadsMax)),
    'Download limit of the link; 0 for no limit',
    10,
  ),
  ...newSlugFields,
})

/** The input of a new share, with what it leaves out. */
export function newShareOf(input: v.InferOutput<typeof newShareSchema>): NewShare {
  return {
    name: input.name ?? '',
    message: input.message ?? '',
    recipients: input.recipients ?? '',
    audience: input.audience ?? 'anyone',
    recipientProof: input.recipientProof ?? 'none',
    password: input.password ?? '',
    maxDownloads: input.maxDownloads ?? 0,
    chosenSlug: chosenSlug(input),
    ...readExpiration(input),
  }
}

const percent = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(99))

/** `cursor` in the query of a list: behind which row the page begins. */
export const pageCursor = (id: RegExp) =>
  v.pipe(
    v.string(),
    v.metadata({ description: 'Start of the page, from `Link`' }),
    v.regex(new RegExp(`^[0-9]{1,14}\\.${id.source}$`), 'must be a cursor from a previous answer'),
    v.transform((cursor): PagePlace => {
      const [ms = '', id = ''] = cursor.split('.')
      return { createdAt: new Date(Number(ms)), id }
    }),
  )
export const shareCursor = pageCursor(/[A-Za-z0-9_-]{3,50}/)

export function cursorOf({ createdAt, id }: PagePlace): string {
  return `${createdAt.getTime()}.${id}`
}

/** The contract's `Share` (part 2), with its state. */
export const shareSchema = named(
  'Share',
  v.object({
    id: noted(v.string(), 'Id as in its link', 'mB3xK9vQ2rT7wYz5nP8dLg'),
    name: v.string(),
    status: v.picklist(shareStates),
    created_at: timestamp,
    expires_at: noted(v.nullable(timestamp), 'When the link expires; null for never'),
    protected: noted(v.boolean(), 'Whether the link has a password'),
    url: noted(v.pipe(v.string(), v.url()), 'The link; not found for a share for `named` people'),
    audience: v.picklist(audiences),
    max_downloads: noted(nonNegative, 'Download limit; 0 for no limit', 10),
    download_count: noted(nonNegative, 'Number of clients that have downloaded or previewed', 3),
    preview_count: noted(nonNegative, 'How many of them have only previewed files', 1),
    files: v.array(shareFileSchema),
    total_size: bytes,
    expectedBytes: noted(bytes, 'Expected bytes of a draft; 0 if unknown'),
    progress: noted(
      v.nullable(percent),
      'Percentage of a draft received; null if its size is unknown',
    ),
    receiving: noted(
      v.boolean(),
      'Whether a chunk of a draft is being received, or was in the last 75 seconds',
    ),
    all_received: noted(
      v.boolean(),
      'Whether a draft has all of its expected bytes, and waits to be finalized',
    ),
    published: noted(v.boolean(), 'Whether the link works'),
    last_received_at: noted(
      v.nullable(timestamp),
      'When the last bytes of a draft were received; null before the first, and once complete',
    ),
  }),
)

export const publicShareSchema = named(
  'PublicShare',
  v.object({
    name: v.string(),
    message: noted(v.string(), 'Empty until a protected share is unlocked'),
    protected: noted(v.boolean(), 'Whether the link has a password'),
    proof: noted(
      v.optional(v.picklist(['code', 'account'])),
      'What a personal link still needs: everything is locked until then; absent for nothing',
    ),
    files: noted(v.array(shareFileSchema), 'Empty until a protected share is unlocked'),
    empty_folders: emptyFoldersSchema,
    ownerName: noted(v.string(), 'Name of the owner; can be empty', 'Ada'),
    status: noted(
      v.picklist(['uploading', 'complete']),
      '`uploading`: a draft that its owner has published',
    ),
    progress: noted(
      v.nullable(percent),
      'Percentage received while uploading; null if unknown or locked',
    ),
    receiving: noted(
      v.boolean(),
      'Whether a chunk is being received, or was in the last 75 seconds',
    ),
    last_received_at: noted(
      v.nullable(timestamp),
      'When the last bytes were received while uploading; null if unknown or locked',
    ),
    downloads_left: noted(
      v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))),
      'How many more clients can download; null without a limit',
    ),
  }),
)

export function presentShare(
  { share, files, received, previewCount }: ShareWithFiles,
  shareUrl: string,
): WithLists<v.InferOutput<typeof shareSchema>, 'files'> {
  let listedBytes = 0
  const presentListed = (file: ListedFileRow) => {
    listedBytes += file.size
    return presentFile(file)
  }
  return {
    id: share.id,
    name: share.name,
    status: share.state,
    created_at: share.createdAt.toISOString(),
    expires_at: share.expiresAt?.toISOString() ?? null,
    protected: share.passwordHash !== null,
    url: shareUrl,
    audience: share.audience,
    max_downloads: share.maxDownloads,
    download_count: share.downloadCount,
    preview_count: previewCount,
    files: new LongList(mapPages(files, presentListed)),
    // The sum over the files as listed: they may have changed since the share was read.
    total_size: share.state === 'complete' ? numberLater(() => listedBytes) : share.totalSize,
    expectedBytes: share.expectedBytes,
    progress: progressOf(share, received),
    receiving: received?.isGrowing ?? false,
    all_received: isAllReceived(share, received),
    // Complete shares are public without being published.
    published: share.published || share.state !== 'draft',
    last_received_at: received?.lastAt?.toISOString() ?? null,
  }
}

/** A share in the list of all accounts, with its owner and without its files. */
export function presentOwnedShare(
  owned: OwnedShare & Pick<ShareWithFiles, 'received'>,
  shareUrl: string,
) {
  const { share, received } = owned
  const {
    files: _files,
    preview_count: _previewCount,
    ...shown
  } = presentShare({ share, received, files: new OnePage([]), previewCount: 0 }, shareUrl)
  return {
    ...shown,
    name: owned.shownName,
    total_size: share.totalSize,
    file_count: owned.fileCount,
    damaged_files: owned.damagedFiles,
    owner: { id: share.ownerId, email: owned.ownerEmail },
  }
}
