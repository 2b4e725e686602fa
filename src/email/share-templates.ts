import { facts, note, quote, shortName, text } from './blocks.ts'
import type { Block, EmailParts, Sender } from './blocks.ts'
import { button, filesOf, opening, sumOf, type ListedFile } from './common-blocks.ts'
import { fullNameOf, nameOf, type Wording } from './wording.ts'

interface LinkData {
  readonly sender: Sender
  /** Name of the share or the reverse share; '' for none. */
  readonly name: string
  readonly url: string
  readonly expiresAt: Date | null
  readonly isProtected: boolean
}

export interface EmailedFiles {
  readonly fileCount: number
  /** Bytes. */
  readonly size: number
  /** The first ones, at most `listedFilesMax`; none of a protected share. */
  readonly firstFiles: readonly ListedFile[]
}

type FilesData = LinkData & EmailedFiles

/** Emails about a link to people who need no account. */
export type LinkTemplateData =
  | (FilesData & {
      readonly kind: 'share'
      readonly message: string
      /** Whether there is one that only people with the password may see. */
      readonly isMessageHidden: boolean
      /** How many people can download; 0 for no limit. */
      readonly maxDownloads: number
    })
  /** Number, size and names of the added files only. */
  | (FilesData & { readonly kind: 'added_files' })
  | (LinkData & {
      readonly kind: 'drop_off'
      /** '' for none, and for those that only people with the password may see. */
      readonly instructions: string
      /** Bytes; 0 for no limit. */
      readonly sizeMax: number
    })

export function linkEmail(data: LinkTemplateData, wording: Wording): EmailParts {
  switch (data.kind) {
    case 'share':
      return shareEmail(data, wording)
    case 'added_files':
      return addedFilesEmail(data, wording)
    case 'drop_off':
      return requestEmail(data, wording)
  }
}

function shareEmail(
  data: Extract<LinkTemplateData, { kind: 'share' }>,
  wording: Wording,
): EmailParts {
  const { texts } = wording
  const { sender, name, message, fileCount, maxDownloads } = data
  const who = nameOf(sender)
  const { heading, from } = opening(sender, name, texts.share.lead)
  const limit = maxDownloads > 0 && texts.peopleMax(maxDownloads)
  return {
    subject: texts.share.subject(who, shortName(name), fileCount),
    heading,
    ...replyTo(sender),
    blocks: [
      from,
      ...(message ? [quote(message)] : []),
      facts([...sumOf(data, wording), ...termsOf(data, wording), limit]),
      ...filesOf(data.firstFiles, fileCount, wording),
      ...linkOf(data, texts.share.button, wording, texts.hidden(data.isMessageHidden)),
    ],
    footer: [texts.footerFor(wording.appName, fullNameOf(sender)), texts.share.why(who)],
  }
}

function addedFilesEmail(
  data: Extract<LinkTemplateData, { kind: 'added_files' }>,
  wording: Wording,
): EmailParts {
  const { addedFiles, footerFor, hidden } = wording.texts
  const { sender, name, fileCount } = data
  const who = nameOf(sender)
  const { heading, from } = opening(sender, name, (person) =>
    addedFiles.lead(person, shortName(name), fileCount),
  )
  return {
    subject: addedFiles.subject(who, shortName(name), fileCount),
    heading,
    ...replyTo(sender),
    blocks: [
      from,
      facts([...sumOf(data, wording), ...termsOf(data, wording)]),
      ...filesOf(data.firstFiles, fileCount, wording),
      ...linkOf(data, addedFiles.button, wording, hidden(false)),
    ],
    footer: [footerFor(wording.appName, fullNameOf(sender)), addedFiles.why(who)],
  }
}

function requestEmail(
  data: Extract<LinkTemplateData, { kind: 'drop_off' }>,
  wording: Wording,
): EmailParts {
  const { request, upTo, footerFor } = wording.texts
  const { sender, name, instructions, sizeMax } = data
  const who = nameOf(sender)
  const { heading, from } = opening(sender, name, request.lead)
  const terms = [sizeMax > 0 && upTo(wording.size(sizeMax)), ...termsOf(data, wording)]
  return {
    subject: request.subject(who, shortName(name)),
    heading,
    ...replyTo(sender),
    blocks: [
      from,
      ...(instructions ? [quote(instructions)] : []),
      text(request.noAccount),
      ...(terms.some(Boolean) ? [facts(terms)] : []),
      ...linkOf(data, request.button, wording),
    ],
    footer: [footerFor(wording.appName, fullNameOf(sender)), request.why(who)],
  }
}

function replyTo(sender: Sender): Pick<EmailParts, 'replyTo'> {
  return sender.address === '' ? {} : { replyTo: sender }
}

function termsOf({ expiresAt, isProtected }: LinkData, { texts, moment }: Wording) {
  return [
    expiresAt !== null && texts.expires(moment(expiresAt)),
    isProtected && texts.needsPassword,
  ]
}

function linkOf(data: LinkData, words: string, wording: Wording, hidden = ''): Block[] {
  const { askForPassword } = wording.texts
  return [
    ...(data.isProtected ? [note(`${askForPassword(nameOf(data.sender))} ${hidden}`)] : []),
    button(words, data.url, wording),
  ]
}
