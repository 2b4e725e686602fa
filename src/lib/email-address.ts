import { domainToASCII } from 'node:url'
import * as v from 'valibot'

/** RFC 5321 section 4.5.3.1.3 allows 254 characters. */
export const addressCharactersMax = 254

/** Letters, their marks, and digits of any script between dots: nothing that URLs decode. */
const unicodeDomain = /^[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]+$/u

/**
 * An address with its domain in ASCII (IDNA, UTS 46), the form that mail servers know and that
 * browsers send for `<input type=email>`. Anything else is returned as it is.
 */
export function asciiAddress(address: string): string {
  if (address.length > addressCharactersMax) return address
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  // Keeps the case of an ASCII domain.
  if (at < 1 || /^\p{ASCII}*$/u.test(domain) || !unicodeDomain.test(domain)) return address
  const ascii = domainToASCII(domain)
  // Digits of another script could become the address of a machine.
  return /[a-z]/.test(ascii) ? `${address.slice(0, at)}@${ascii}` : address
}

/** What stands before the @: the name of an account that has no other. */
export function localPartOf(address: string): string {
  return address.slice(0, address.lastIndexOf('@'))
}

/** The domain of an address, in lower case. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase()
}

export function isEmailAddress(text: string): boolean {
  const address = asciiAddress(text)
  return address.length <= addressCharactersMax && v.is(rfcEmail, address)
}

const rfcEmail = v.pipe(v.string(), v.rfcEmail())

export interface Sender {
  /** Empty for none. */
  readonly name: string
  readonly address: string
}

/**
 * Reads `files@example.org` or `Files <files@example.org>`. The name may have any sign, as in
 * `Smith, Jones (Files) <files@example.org>`; quotes around all of it do not belong to it.
 */
export function parseSender(text: string): Sender {
  const begin = text.endsWith('>') ? text.lastIndexOf('<') : -1
  if (begin === -1) return { name: '', address: asciiAddress(text) }
  const name = text.slice(0, begin).trim()
  const quoted = /^"((?:[^"\\]|\\.)*)"$/u.exec(name)?.[1]
  return {
    name: quoted === undefined ? name : quoted.replaceAll(/\\(.)/gu, '$1'),
    address: asciiAddress(text.slice(begin + 1, -1).trim()),
  }
}
