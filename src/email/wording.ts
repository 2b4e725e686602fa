import { sizeIn, type Language, momentIn } from '../lib/language.ts'
import { oneLine, shortName, type Person } from './blocks.ts'
import { emailTexts, type EmailTexts } from '../i18n/texts.ts'

/** The service that sends an email, and its recipient. */
export interface Deployment {
  readonly appName: string
  /** `#rrggbb`. */
  readonly accentColor: string
  /** The colour around the card, `#rrggbb`; '' for a tone of the accent. */
  readonly groundColor: string
  /** A data: URL; '' for none. */
  readonly logo: string
  /** Base of links: BASE_URL. */
  readonly baseUrl: string
  readonly language: Language
  /** Times are in this zone; '' for the machine's. */
  readonly timeZone: string
}

/** The words of an email for one language and time zone. */
export interface Wording {
  readonly texts: EmailTexts
  /** One line. */
  readonly appName: string
  readonly baseUrl: string
  readonly size: (bytes: number) => string
  readonly moment: (at: Date) => string
}

export function wordingOf({ appName, baseUrl, language, timeZone }: Deployment): Wording {
  return {
    texts: emailTexts[language],
    appName: oneLine(appName),
    baseUrl,
    size: (bytes) => sizeIn(language, bytes),
    moment: (at) => momentIn(timeZone, language, at),
  }
}

/** A person's name, or else the address. */
export function nameOf({ name, address }: Person): string {
  return shortName(name) || oneLine(address)
}

/** With the address, which proves more than the name. */
export function fullNameOf(person: Person): string {
  const [name, address] = [nameOf(person), oneLine(person.address)]
  return name === address || address === '' ? name : `${name} (${address})`
}
