// The cookies of the service, whose names end with a tag of the instance.
import type { CookiePurpose } from '../../src/http/headers.ts'
import type { Answer, Client } from './client.ts'

/** The name and value that an answer sets, with the attributes; '' without. */
export function setCookie({ headers }: Pick<Answer, 'headers'>, purpose: CookiePurpose): string {
  const set = [headers['set-cookie'] ?? []].flat()
  return set.find((line) => patternOf(purpose).test(line)) ?? ''
}

/** A Cookie header with the session of the client, or another token. */
export function sessionCookie({ sessionCookieName, token }: Client, other = token): string {
  if (sessionCookieName === '') throw new Error('the client has no service of this process')
  return `${sessionCookieName}=${other}`
}

/** The name of a cookie in the jar of a client. */
export function cookieName({ cookies }: Client, purpose: CookiePurpose): string {
  const name = [...cookies.keys()].find((key) => patternOf(purpose).test(`${key}=`))
  if (name === undefined) throw new Error(`the client has no cookie ${purpose}`)
  return name
}

/** The value of a cookie in the jar of a client. */
export function cookieValue(client: Client, purpose: CookiePurpose): string {
  return client.cookies.get(cookieName(client, purpose)) ?? ''
}

function patternOf(purpose: CookiePurpose): RegExp {
  return new RegExp(`^(__Host-|__Secure-)?transfer_${purpose}_[\\w-]{8}=`)
}
