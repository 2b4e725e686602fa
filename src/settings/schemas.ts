import * as v from 'valibot'
import { text, wholeNumber } from '../http/schema.ts'
import { asciiAddress, domainOf, isEmailAddress, parseSender } from '../lib/email-address.ts'
import { parseUrl } from '../lib/base-path.ts'
import { isTimeZone } from '../lib/language.ts'

export const color = v.pipe(
  v.string(),
  v.regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #1d5fc4'),
)

export const colorOrNone = v.pipe(
  v.string(),
  v.regex(/^(#[0-9a-fA-F]{6})?$/, 'must be empty or a colour such as #1d5fc4'),
)

export const timeZoneOrNone = v.check(
  (name: string) => name === '' || isTimeZone(name),
  'must be empty or a time zone such as Europe/Berlin',
)

export const webAddress = v.pipe(
  text(0, 2000),
  v.check(
    (value) => value === '' || /^https?:\/\//.test(value),
    'must be empty or begin with http:// or https://',
  ),
)

/**
 * An address that pages send people to: normalised, so that it is ASCII and fits a header, and
 * without user and password, which make an address look like another.
 */
export const destination = v.pipe(
  text(0, 2000),
  v.trim(),
  v.check(
    (value) => value === '' || isWebAddress(value),
    'must be empty or begin with http:// or https://',
  ),
  v.transform((value) => value && new URL(value).href),
  v.maxLength(2000, 'must have at most 2000 characters'),
)

function isWebAddress(value: string): boolean {
  const url = /^https?:\/\//i.test(value) ? parseUrl(value) : null
  return url !== null && url.username === '' && url.password === ''
}

/** Pages may not load external images, so the logo is part of the settings. */
export const logo = v.pipe(
  text(0, 300_000),
  v.check(
    (value) =>
      value === '' || /^data:image\/(png|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/]+=*$/.test(value),
    'must be empty or a data: URL of a PNG, JPEG, WebP or SVG image in base64',
  ),
)

/** File extensions, with or without a dot, in any case; normalised to lower case without a dot. */
export const extensions = v.pipe(
  v.array(
    v.pipe(
      v.string(),
      v.regex(/^\.?[A-Za-z0-9_+-]{1,20}$/, 'must be an extension such as exe'),
      v.transform((extension) => extension.replace(/^\./, '').toLowerCase()),
    ),
  ),
  v.maxLength(200, 'must have at most 200 extensions'),
)

/** Domains of email addresses; normalised to the form in which addresses have them. */
export const emailDomains = v.pipe(
  v.array(
    v.pipe(
      text(1, 253),
      v.trim(),
      v.check((domain) => isEmailAddress(`a@${domain}`), 'must be a domain such as example.org'),
      v.transform((domain) => domainOf(asciiAddress(`a@${domain}`))),
    ),
  ),
  v.maxLength(50, 'must have at most 50 domains'),
)

export const size = wholeNumber(0, Number.MAX_SAFE_INTEGER)

export const host = v.pipe(
  text(0, 255),
  v.trim(),
  v.regex(/^[A-Za-z0-9._:-]*$/, 'must be a host name or an IP address'),
)

/** `files@example.org` or `Files of Example <files@example.org>`. */
export const sender = v.pipe(
  text(0, 320),
  v.trim(),
  v.regex(/^\P{Cc}*$/u, 'must not contain control characters'),
  v.check(
    (value) => value === '' || isEmailAddress(parseSender(value).address),
    'must be an email address, or a name and <address>',
  ),
)
