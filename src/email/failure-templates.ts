import { shortName, text, type EmailParts } from './blocks.ts'
import { button } from './common-blocks.ts'
import type { Wording } from './wording.ts'

/** Failed guesses at an account or a link, in the notice to its owner. */
export type FailureTemplateData = {
  /** Time of the latest guess. */
  readonly at: Date
  /** IP address of the latest guess, or its network; '' when it is hidden. */
  readonly ip: string
} & (
  | { readonly kind: 'sign_in_failures' | 'code_failures' }
  | {
      readonly kind: 'link_failures'
      /** Whether it is a file request rather than a share. */
      readonly isRequest: boolean
      /** Name of the link; '' without one. */
      readonly name: string
    }
)

export function failureEmail(data: FailureTemplateData, wording: Wording): EmailParts {
  const { texts, appName, moment } = wording
  const { subject, heading, what, advice, action } = wordsOf(data, wording)
  return {
    subject,
    heading,
    blocks: [
      text(`${what} ${texts.failures.latest(moment(data.at), data.ip)}`),
      text(advice),
      button(action[0], action[1], wording),
    ],
    footer: [texts.footer(appName), texts.notice.why(appName)],
  }
}

interface Words {
  readonly subject: string
  readonly heading: string
  readonly what: string
  readonly advice: string
  readonly action: readonly [text: string, url: string]
}

function wordsOf(data: FailureTemplateData, { texts, appName, baseUrl }: Wording): Words {
  const { signIn, code, link } = texts.failures
  if (data.kind === 'link_failures') {
    const { isRequest } = data
    const name = shortName(data.name)
    return {
      subject: link.subject(isRequest, name),
      heading: link.heading(isRequest),
      what: link.what(isRequest, name, appName),
      advice: link.advice,
      action: [link.button(isRequest), `${baseUrl}/${isRequest ? 'requests' : 'shares'}`],
    }
  }
  const { subject, heading, what, advice } = data.kind === 'sign_in_failures' ? signIn : code
  return {
    subject: subject(appName),
    heading,
    what: what(appName),
    advice,
    action: [texts.notice.button, `${baseUrl}/account`],
  }
}
