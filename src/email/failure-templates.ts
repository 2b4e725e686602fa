import { momentIn } from '../lib/time-zone.ts'
import { text, type Block } from './blocks.ts'

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

export function failureDraft(
  data: FailureTemplateData,
  appName: string,
  timeZone: string,
): { subject: string; blocks: Block[] } {
  const { at, ip } = data
  const latest = `The latest was on ${momentIn(timeZone, at)}${ip && `, from IP address ${ip}`}.`
  const [subject, what, advice] = wordsOf(data, appName)
  return { subject, blocks: [text(`${what} ${latest}`), text(advice)] }
}

function wordsOf(data: FailureTemplateData, appName: string): [string, string, string] {
  switch (data.kind) {
    case 'sign_in_failures':
      return [
        `Failed sign-ins to your account at ${appName}`,
        `Several sign-ins to your account at ${appName} failed because of a wrong password.`,
        'Your account is not locked. If your password is short or used elsewhere, change it and ' +
          'turn on two-step sign-in.',
      ]
    case 'code_failures':
      return [
        `Wrong codes for your account at ${appName}`,
        `Wrong codes were entered for your account at ${appName} after the correct password.`,
        'If this was not you, someone else knows your password. Change it now and tell your ' +
          'administrator.',
      ]
    case 'link_failures': {
      const thing = data.isRequest ? 'file request' : 'share'
      const name = data.name && ` “${data.name}”`
      return [
        `Wrong passwords for your ${thing}${name}`,
        `Many wrong passwords were entered for your ${thing}${name} at ${appName}.`,
        'The link still works with the correct password. If that password is short, choose a ' +
          'longer one and send it to your recipients.',
      ]
    }
  }
}
