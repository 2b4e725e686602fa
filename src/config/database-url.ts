import { parseUrl } from '../lib/base-path.ts'

/** Parameters with a value in which an @ is common, as in `user=me@server`. */
const freeParameter = /^(?:user|password|options|application_name)=/

/**
 * Refuses an address that a special character of its password has cut: what follows would be taken
 * for the host or the database, and messages show those.
 * @throws Error with the expected form; without any part of the text
 */
export function parseDatabaseUrl(text: string): string {
  const url = parseUrl(text)
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new Error('must look like postgres://user:password@host/database')
  }
  const { pathname, search, hash } = url
  const parameters = search.slice(1).split('&')
  const isCut =
    pathname.includes('@') ||
    hash !== '' ||
    parameters.some((parameter) => parameter.includes('@') && !freeParameter.test(parameter))
  if (isCut) {
    throw new Error('in the password, write @ as %40, / as %2F, ? as %3F and # as %23')
  }
  return text
}
