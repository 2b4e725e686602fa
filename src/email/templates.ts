import { formatBytes } from '../lib/format-bytes.ts'
import { momentIn } from '../lib/time-zone.ts'
import { blocksAsHtml, blocksAsText, link, oneLine, quote, text, type Block } from './blocks.ts'
import {
  countFiles,
  deliveryDraft,
  type DeliveriesReceived,
  type DeliveryTemplateData,
  type Person,
} from './delivery-templates.ts'
import { failureDraft, type FailureTemplateData } from './failure-templates.ts'

/** The data of every kind of email. */
export type TemplateData =
  | {
      readonly kind: 'share'
      readonly sender: Person
      readonly name: string
      readonly message: string
      readonly url: string
      readonly fileCount: number
      /** Bytes. */
      readonly size: number
      readonly expiresAt: Date | null
      readonly isProtected: boolean
    }
  | {
      readonly kind: 'added_files'
      readonly sender: Person
      /** Name of the share. */
      readonly name: string
      readonly url: string
      /** Only the added files; sizes in bytes. */
      readonly fileCount: number
      readonly size: number
      readonly expiresAt: Date | null
      readonly isProtected: boolean
    }
  | {
      readonly kind: 'drop_off'
      readonly sender: Person
      readonly name: string
      readonly url: string
      /** Bytes; 0 for no limit. */
      readonly sizeMax: number
      readonly expiresAt: Date | null
      readonly isProtected: boolean
    }
  | DeliveryTemplateData
  | {
      readonly kind: 'damaged_file'
      readonly fileName: string
      /** Number of other files in the same share or delivery. Absent in old rows of the queue. */
      readonly others?: number
      /** Name of the share, or of the reverse share of the delivery. */
      readonly name: string
      readonly isDelivery: boolean
      readonly url: string
    }
  | { readonly kind: 'invitation'; readonly url: string; readonly lifeDays: number }
  | { readonly kind: 'password_reset'; readonly url: string; readonly lifeMinutes: number }
  | SecurityNotice
  | FailureTemplateData
  | { readonly kind: 'test' }

/** A change of an account that its holder must know about. */
export interface SecurityNotice {
  readonly kind: keyof typeof securityEvents
  readonly at: Date
  /** IP address or network of the actor; '' when it is hidden, null for the server itself. */
  readonly ip: string | null
}

export type TemplateKind = TemplateData['kind']

/** Sender of emails. Times are in its time zone; '' for the machine's. */
export interface Deployment {
  readonly appName: string
  readonly timeZone: string
}

/** A rendered email. */
export interface Content {
  /** The deliveries in it, while it still gathers more. */
  readonly gathered?: DeliveriesReceived
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly replyTo: Person | null
}

interface Draft {
  readonly subject: string
  readonly blocks: readonly Block[]
  readonly replyTo?: Person
}

const subjectCharactersMax = 150

/** Renders an email as text and as HTML. */
export function renderEmail(data: TemplateData, deployment: Deployment): Content {
  const { subject, blocks, replyTo } = draftOf(data, deployment)
  const name = oneLine(deployment.appName)
  return {
    subject: shorten(oneLine(subject), subjectCharactersMax),
    text: blocksAsText(blocks, name),
    html: blocksAsHtml(blocks, name),
    replyTo: replyTo ? { name: oneLine(replyTo.name), address: replyTo.address } : null,
  }
}

function draftOf(data: TemplateData, { appName, timeZone }: Deployment): Draft {
  switch (data.kind) {
    case 'share':
      return shareDraft(data, timeZone)
    case 'added_files':
      return addedFilesDraft(data, timeZone)
    case 'drop_off':
      return dropOffDraft(data, timeZone)
    case 'delivery':
    case 'deliveries':
      return deliveryDraft(data)
    case 'damaged_file':
      return damagedFileDraft(data)
    case 'invitation':
      return {
        subject: `Your account at ${appName}`,
        blocks: [
          text(`An account has been created for you at ${appName}.`),
          link('Choose your password', data.url),
          text(
            `The link works once and expires in ${data.lifeDays} days. ` +
              'If you did not expect this invitation, ignore this email.',
          ),
        ],
      }
    case 'password_reset':
      return {
        subject: `Set a new password for ${appName}`,
        blocks: [
          text(`A new password was requested for your account at ${appName}.`),
          link('Set a new password', data.url),
          text(
            `The link works once and expires in ${data.lifeMinutes} minutes. ` +
              'If you did not request this, ignore this email: your password stays the same.',
          ),
        ],
      }
    case 'sign_in_failures':
    case 'code_failures':
    case 'link_failures':
      return failureDraft(data, appName, timeZone)
    case 'test':
      return {
        subject: `Test email from ${appName}`,
        blocks: [text(`${appName} can send email. An administrator requested this test.`)],
      }
    default:
      return securityDraft(data, appName, timeZone)
  }
}

function shareDraft(data: Extract<TemplateData, { kind: 'share' }>, timeZone: string): Draft {
  const { sender, name, message, url, fileCount, size, expiresAt, isProtected } = data
  const files = countFiles(fileCount)
  return {
    subject: name ? `${sender.name} sent you “${name}”` : `${sender.name} sent you ${files}`,
    replyTo: sender,
    blocks: [
      text(`${sender.name} (${sender.address}) sent you ${files} (${formatBytes(size)}).`),
      ...(name ? [text(`Title: ${name}`)] : []),
      ...(message ? [quote(message)] : []),
      link('Open the files', url),
      ...closing(expiresAt, isProtected, timeZone),
    ],
  }
}

function addedFilesDraft(
  data: Extract<TemplateData, { kind: 'added_files' }>,
  timeZone: string,
): Draft {
  const { sender, name, url, fileCount, size, expiresAt, isProtected } = data
  const files = countFiles(fileCount)
  const where = name ? ` to “${name}”` : ''
  return {
    subject: `${sender.name} added ${files}${where}`,
    replyTo: sender,
    blocks: [
      text(
        `${sender.name} (${sender.address}) added ${files} (${formatBytes(size)})` +
          `${where || ' to an earlier share'}.`,
      ),
      link('Open the files', url),
      ...closing(expiresAt, isProtected, timeZone),
    ],
  }
}

function dropOffDraft(data: Extract<TemplateData, { kind: 'drop_off' }>, timeZone: string): Draft {
  const { sender, name, url, sizeMax, expiresAt, isProtected } = data
  return {
    subject: name
      ? `${sender.name} asks you for files: “${name}”`
      : `${sender.name} asks you for files`,
    replyTo: sender,
    blocks: [
      text(`${sender.name} (${sender.address}) asks you to send files. No account is needed.`),
      ...(name ? [text(`Title: ${name}`)] : []),
      link('Send files', url),
      ...(sizeMax > 0 ? [text(`You can send up to ${formatBytes(sizeMax)}.`)] : []),
      ...closing(expiresAt, isProtected, timeZone),
    ],
  }
}

const securityEvents = {
  account_deleted: 'Your account was deleted',
  api_token_created: 'An API token was created for your account',
  email_changed: 'The email address of your account was changed',
  password_changed: 'Your password was changed',
  recovery_codes_renewed: 'The recovery codes of your account were replaced',
  second_factor_enabled: 'Two-step sign-in was turned on for your account',
  second_factor_disabled: 'Two-step sign-in was turned off for your account',
  sessions_ended: 'All other sessions of your account were ended',
  second_factor_reset: 'An administrator reset two-step sign-in for your account',
}

/** After these changes, the holder has no access to the account. */
const outOfReach: ReadonlySet<SecurityNotice['kind']> = new Set([
  'account_deleted',
  'email_changed',
])

function securityDraft({ kind, at, ip }: SecurityNotice, appName: string, timeZone: string): Draft {
  const event = securityEvents[kind]
  const origin = ip === null ? ', on the server itself' : ip && `, from IP address ${ip}`
  return {
    subject: `${event} at ${appName}`,
    blocks: [
      text(`${event} at ${appName}, on ${momentIn(timeZone, at)}${origin}.`),
      text(
        'If this was you, there is nothing to do. ' +
          (outOfReach.has(kind)
            ? 'If not, tell your administrator immediately.'
            : 'If not, change your password now and tell your administrator.'),
      ),
    ],
  }
}

function damagedFileDraft(data: Extract<TemplateData, { kind: 'damaged_file' }>): Draft {
  const { fileName, others = 0, name, isDelivery, url } = data
  const where = `${isDelivery ? 'delivered to' : 'of your share'}${name ? ` “${name}”` : ''}`
  const place = name || !isDelivery ? where : 'delivered to you'
  const files = others === 1 ? 'file' : 'files'
  return {
    subject:
      others === 0
        ? `A file is damaged: “${fileName}”`
        : `${others + 1} files are damaged: “${fileName}” and ${others} more`,
    blocks: [
      text(
        others === 0
          ? `The file “${fileName}” ${place} is damaged on the disk of the service.`
          : `“${fileName}” and ${others} more ${files} ${place} are damaged ` +
              'on the disk of the service.',
      ),
      text(
        `${others === 0 ? 'It' : 'They'} can no longer be downloaded. ` +
          `${isDelivery ? 'Ask for' : 'Send'} ${others === 0 ? 'it' : 'them'} again, ` +
          'and tell your administrator, because a disk may be failing.',
      ),
      link(isDelivery ? 'View file request' : 'View share', url),
    ],
  }
}

function closing(expiresAt: Date | null, isProtected: boolean, timeZone: string): Block[] {
  const blocks: Block[] = []
  if (isProtected) blocks.push(text('The link needs a password. Ask the sender for it.'))
  if (expiresAt) blocks.push(text(`The link expires on ${momentIn(timeZone, expiresAt)}.`))
  return blocks
}

function shorten(words: string, charactersMax: number): string {
  const characters = Array.from(words)
  return characters.length <= charactersMax
    ? words
    : `${characters.slice(0, charactersMax - 1).join('')}…`
}
