import { accountEmail, type AccountTemplateData } from './account-templates.ts'
import { emailAsHtml } from './as-html.ts'
import { emailAsText } from './as-text.ts'
import { oneLine, shorten, type EmailParts, type Person } from './blocks.ts'
import { deliveryEmail } from './delivery-templates.ts'
import type { DeliveriesReceived, DeliveryTemplateData } from './delivery-templates.ts'
import { failureEmail, type FailureTemplateData } from './failure-templates.ts'
import { embeddableLogo } from './logo.ts'
import { problemEmail, type ProblemTemplateData } from './problem-templates.ts'
import { linkEmail, type EmailedFiles, type LinkTemplateData } from './share-templates.ts'
import { wordingOf, type Deployment, type Wording } from './wording.ts'

/** The data of every kind of email. */
export type TemplateData =
  | LinkTemplateData
  | DeliveryTemplateData
  | AccountTemplateData
  | FailureTemplateData
  | ProblemTemplateData

export type TemplateKind = TemplateData['kind']

/** A rendered email. */
export interface Content {
  /** The deliveries in it, while it still gathers more. */
  readonly gathered?: DeliveriesReceived
  /** The added files in it, for when it is rendered again. */
  readonly added?: EmailedFiles
  readonly language: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly replyTo: Person | null
}

const subjectCharactersMax = 150

/** Renders an email as text and as HTML. */
export function renderEmail(data: TemplateData, deployment: Deployment): Content {
  const wording = wordingOf(deployment)
  const { appName } = wording
  const parts = partsOf(data, wording)
  const { subject, replyTo } = parts
  const logo = embeddableLogo(deployment.logo)
  const frame = { ...deployment, appName, logo, hasMark: deployment.logo === '' }
  return {
    ...(data.kind === 'deliveries' && { gathered: data }),
    ...(data.kind === 'added_files' && { added: filesOf(data) }),
    language: deployment.language,
    subject: shorten(oneLine(subject), subjectCharactersMax),
    text: emailAsText(parts),
    html: emailAsHtml(parts, frame),
    replyTo: replyTo ? { name: oneLine(replyTo.name), address: replyTo.address } : null,
  }
}

function filesOf({ fileCount, size, firstFiles }: EmailedFiles): EmailedFiles {
  return { fileCount, size, firstFiles }
}

function partsOf(data: TemplateData, wording: Wording): EmailParts {
  switch (data.kind) {
    case 'share':
    case 'added_files':
    case 'drop_off':
      return linkEmail(data, wording)
    case 'delivery':
    case 'deliveries':
      return deliveryEmail(data, wording)
    case 'sign_in_failures':
    case 'code_failures':
    case 'link_failures':
      return failureEmail(data, wording)
    case 'problems':
    case 'updated':
      return problemEmail(data, wording)
    default:
      return accountEmail(data, wording)
  }
}
