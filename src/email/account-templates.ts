import * as blocks from './blocks.ts'
import { button } from './common-blocks.ts'
import type { Wording } from './wording.ts'

/** Changes of an account that its holder must know about. */
export type NoticeKind =
  | 'account_deleted'
  | 'api_token_created'
  | 'email_changed'
  | 'identity_linked'
  | 'identity_unlinked'
  | 'new_device'
  | 'passkey_added'
  | 'passkey_refused'
  | 'passkey_removed'
  | 'password_changed'
  | 'recovery_codes_renewed'
  | 'second_factor_enabled'
  | 'second_factor_disabled'
  | 'sessions_ended'
  | 'sign_ins_reset'
  | 'second_factor_reset'

export interface SecurityNotice {
  readonly kind: NoticeKind
  readonly at: Date
  /** IP address or network of the actor; '' when it is hidden, null for the server itself. */
  readonly ip: string | null
}

/** Emails to account holders about their account and their files. */
export type AccountTemplateData =
  | {
      readonly kind: 'damaged_file'
      readonly fileName: string
      /** Number of other files in the same share or delivery. */
      readonly others: number
      /** Name of the share, or of the reverse share of the delivery. */
      readonly name: string
      readonly isDelivery: boolean
      readonly url: string
    }
  | {
      readonly kind: 'downloads'
      readonly shareId: string
      /** Name of the share; '' for none. */
      readonly name: string
      /** How many have downloaded since the last email. */
      readonly people: number
      readonly latest: Date
    }
  | { readonly kind: 'invitation'; readonly url: string; readonly lifeDays: number }
  | { readonly kind: 'password_reset'; readonly url: string; readonly lifeMinutes: number }
  | {
      readonly kind: 'link_code'
      readonly code: string
      readonly lifeMinutes: number
    }
  | SecurityNotice
  | { readonly kind: 'sign_up'; readonly url: string; readonly lifeHours: number }
  | { readonly kind: 'sign_up_known' | 'sign_up_approved' | 'sign_up_declined' }
  /** To administrators: how many people wait for approval. */
  | { readonly kind: 'sign_ups_waiting'; readonly count: number }
  | { readonly kind: 'test' }

/** After these changes, the holder has no access to the account. */
const outOfReach: ReadonlySet<NoticeKind> = new Set(['account_deleted', 'email_changed'])

export function accountEmail(data: AccountTemplateData, wording: Wording): blocks.EmailParts {
  const { texts, appName, baseUrl } = wording
  const { invitation, linkCode, reset, test } = texts
  switch (data.kind) {
    case 'damaged_file':
      return damageEmail(data, wording)
    case 'downloads':
      return downloadsEmail(data, wording)
    case 'invitation':
      return {
        subject: invitation.subject(appName),
        heading: invitation.heading(appName),
        blocks: [
          blocks.text(invitation.what(appName)),
          blocks.note(invitation.note(data.lifeDays)),
          button(invitation.button, data.url, wording),
        ],
        footer: [texts.footer(appName), invitation.why],
      }
    case 'password_reset':
      return {
        subject: reset.subject(appName),
        heading: reset.heading,
        blocks: [
          blocks.text(reset.what(appName)),
          blocks.note(reset.note(data.lifeMinutes)),
          button(reset.button, data.url, wording),
        ],
        footer: [texts.footer(appName), reset.why],
      }
    case 'sign_up':
    case 'sign_up_known':
    case 'sign_up_approved':
    case 'sign_up_declined':
    case 'sign_ups_waiting':
      return signUpEmail(data, wording)
    case 'link_code':
      return {
        subject: linkCode.subject(data.code, appName),
        heading: linkCode.heading,
        blocks: [
          blocks.text(linkCode.what),
          blocks.facts([data.code]),
          blocks.note(linkCode.note(data.lifeMinutes)),
        ],
        footer: [texts.footer(appName), linkCode.why],
      }
    case 'test':
      return {
        subject: test.subject(appName),
        heading: test.heading,
        blocks: [
          blocks.text(test.what(appName)),
          button(test.button(appName), `${baseUrl}/`, wording),
        ],
        footer: [texts.footer(appName)],
      }
    default:
      return securityEmail(data, wording)
  }
}

function securityEmail({ kind, at, ip }: SecurityNotice, wording: Wording): blocks.EmailParts {
  const { texts, appName, baseUrl, moment } = wording
  const { notice } = texts
  const event = notice.events[kind]
  const isOut = outOfReach.has(kind)
  return {
    subject: notice.subject(event, appName),
    heading: event,
    blocks: [
      blocks.text(notice.what(moment(at), ip)),
      blocks.text(
        `${notice.nothingToDo} ${isOut ? notice.tellAdministrator : notice.changePassword}`,
      ),
      ...(isOut ? [] : [button(notice.button, `${baseUrl}/account`, wording)]),
    ],
    footer: [texts.footer(appName), notice.why(appName)],
  }
}

/** Emails about an account that a person wants for themselves. */
function signUpEmail(
  data: Extract<AccountTemplateData, { kind: `sign_up${string}` }>,
  wording: Wording,
): blocks.EmailParts {
  const { texts, appName, baseUrl } = wording
  const { signUp } = texts
  const parts = (title: string, blocks: blocks.Block[], why?: string): blocks.EmailParts => ({
    subject: title,
    heading: title,
    blocks,
    footer: [texts.footer(appName), ...(why === undefined ? [] : [why])],
  })
  const link = (words: string, path: string) => button(words, baseUrl + path, wording)
  switch (data.kind) {
    case 'sign_up':
      return parts(
        signUp.confirm(appName),
        [
          blocks.text(signUp.confirmWhat(appName)),
          blocks.note(signUp.confirmNote(data.lifeHours)),
          button(signUp.confirmButton, data.url, wording),
        ],
        signUp.why,
      )
    case 'sign_up_known':
      return parts(
        signUp.known(appName),
        [blocks.text(signUp.knownWhat), link(texts.reset.button, '/login?forgot')],
        signUp.why,
      )
    case 'sign_up_approved':
      return parts(signUp.approved(appName), [
        blocks.text(signUp.approvedWhat),
        link(signUp.approvedButton, '/login'),
      ])
    case 'sign_up_declined':
      return parts(signUp.declined(appName), [blocks.text(signUp.declinedWhat(appName))])
    case 'sign_ups_waiting':
      return parts(signUp.waiting(data.count, appName), [
        blocks.text(signUp.waitingWhat),
        link(signUp.waitingButton, '/admin/users'),
      ])
  }
}

function downloadsEmail(
  data: Extract<AccountTemplateData, { kind: 'downloads' }>,
  wording: Wording,
): blocks.EmailParts {
  const { texts, appName, baseUrl, moment } = wording
  const { downloads } = texts
  const name = blocks.shortName(data.name)
  return {
    subject: downloads.subject(name),
    heading: downloads.heading,
    blocks: [
      blocks.text(downloads.what(name, data.people)),
      blocks.facts([downloads.latest(moment(data.latest))]),
      button(downloads.button, `${baseUrl}/shares/${data.shareId}`, wording),
    ],
    footer: [texts.footer(appName), downloads.why],
  }
}

function damageEmail(
  data: Extract<AccountTemplateData, { kind: 'damaged_file' }>,
  wording: Wording,
): blocks.EmailParts {
  const { damage, footer } = wording.texts
  const { others, isDelivery, url } = data
  const [fileName, name] = [blocks.shortFileName(data.fileName), blocks.shortName(data.name)]
  return {
    subject: damage.subject(fileName, others),
    heading: damage.heading(others + 1),
    blocks: [
      blocks.text(damage.what(fileName, others, name, isDelivery)),
      blocks.text(damage.advice(others + 1, isDelivery)),
      button(damage.button(isDelivery), url, wording),
    ],
    footer: [footer(wording.appName), damage.why],
  }
}
