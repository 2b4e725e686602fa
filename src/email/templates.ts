import { accountLetter, type AccountTemplateData } from './account-templates.ts'
import { letterAsHtml } from './as-html.ts'
import { letterAsText } from './as-text.ts'
import { oneLine, shorten, type Letter, type Person } from './blocks.ts'
import {
  deliveryLetter,
  type DeliveriesReceived,
  type DeliveryTemplateData,
} from './delivery-templates.ts'
import { failureLetter, type FailureTemplateData } from './failure-templates.ts'
import { embeddableLogo } from './logo.ts'
import { problemLetter, type ProblemTemplateData } from './problem-templates.ts'
import { linkLetter, type LinkTemplateData } from './share-templates.ts'
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
  const { language, accentColor, groundColor } = deployment
  const letter = letterOf(data, wording)
  const { subject, replyTo } = letter
  const frame = {
    language,
    appName,
    accentColor,
    groundColor,
    logo: embeddableLogo(deployment.logo),
  }
  return {
    language,
    subject: shorten(oneLine(subject), subjectCharactersMax),
    text: letterAsText(letter),
    html: letterAsHtml(letter, frame),
    replyTo: replyTo ? { name: oneLine(replyTo.name), address: replyTo.address } : null,
  }
}

function letterOf(data: TemplateData, wording: Wording): Letter {
  switch (data.kind) {
    case 'share':
    case 'added_files':
    case 'drop_off':
      return linkLetter(data, wording)
    case 'delivery':
    case 'deliveries':
      return deliveryLetter(data, wording)
    case 'sign_in_failures':
    case 'code_failures':
    case 'link_failures':
      return failureLetter(data, wording)
    case 'problems':
    case 'updated':
      return problemLetter(data, wording)
    default:
      return accountLetter(data, wording)
  }
}
