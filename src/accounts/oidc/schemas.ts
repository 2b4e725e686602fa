import * as v from 'valibot'
import {
  named,
  nonNegative,
  noted,
  optional,
  text,
  timestamp,
  wholeNumber,
} from '../../http/schema.ts'
import { parseUrl } from '../../lib/base-path.ts'
import { emailDomains } from '../../settings/schemas.ts'

const providerIdPattern = /^[a-z0-9][a-z0-9-]{0,39}$/
const listMax = 50
const linkings = ['off', 'no_password', 'all'] as const
const creations = ['off', 'domains', 'all'] as const

/** Without the parts that no issuer has (OpenID Connect Discovery 1.0, section 3). */
function isIssuer(value: string): boolean {
  const url = parseUrl(value)
  if (!url || !/^https?:$/.test(url.protocol)) return false
  return !/[?#]/.test(value) && url.username === '' && url.password === ''
}

const line = (lengthMin: number, lengthMax: number) =>
  v.pipe(text(lengthMin, lengthMax), v.trim(), v.regex(/^[^\p{Cc}]*$/u, 'must be one line'))
const list = <Item extends v.GenericSchema>(item: Item) =>
  v.pipe(v.array(item), v.maxLength(listMax, `must have at most ${listMax} items`))

const defaulted = <Schema extends v.GenericSchema>(
  schema: Schema,
  byDefault: v.InferInput<Schema>,
  description: string,
  example?: unknown,
) => noted(v.nullish(schema, byDefault as never), description, example)

/** What decides who gets in; without a rule it is the strictest one. */
const rules = {
  linking: defaulted(
    v.picklist(linkings),
    'off',
    'Accounts that a verified email address links to: none, those without a password, or all',
  ),
  creation: defaulted(
    v.picklist(creations),
    'off',
    'Who gets an account at the first sign-in: no one, the domains in `domains`, or everyone',
  ),
  domains: defaulted(emailDomains, [], 'Domains of email addresses', ['example.org']),
  trustsEmail: defaulted(
    v.boolean(),
    false,
    'Whether email addresses count as verified without a statement of the provider',
  ),
  trustsSecondFactor: defaulted(
    v.boolean(),
    false,
    'Whether its sign-ins count as both factors, so that no code or passkey is asked for',
  ),
  groupsClaim: defaulted(line(0, 200), '', 'Claim with the groups; empty for none', 'groups'),
  adminGroup: defaulted(
    line(0, 200),
    '',
    'Group of administrators; other users lose this right at sign-in. Empty for none',
    'transfer-admins',
  ),
  groupQuotas: defaulted(
    list(
      v.object({
        group: line(1, 200),
        quota: noted(wholeNumber(0, Number.MAX_SAFE_INTEGER), 'Bytes of files; 0 for no limit'),
      }),
    ),
    [],
    'Quotas of groups; the largest one applies',
  ),
}
const given = {
  name: noted(
    v.pipe(line(1, 60), v.minLength(1, 'must not be empty')),
    'On the button',
    'Keycloak',
  ),
  issuer: noted(
    v.pipe(line(1, 500), v.check(isIssuer, 'must be a URL without query and fragment')),
    'Issuer, where the provider has its `/.well-known/openid-configuration`',
    'https://auth.example.org/realms/main',
  ),
  clientId: noted(line(1, 300), 'Client ID', 'transfer'),
}

const input = {
  ...given,
  clientSecret: noted(
    optional(text(0, 500)),
    'Client secret, stored encrypted and never shown again; absent for no change, empty for none',
    'correct horse battery',
  ),
  ...rules,
}
/** A provider as administrators write it. */
export const providerInputSchema = v.object(input)
export type ProviderInput = v.InferOutput<typeof providerInputSchema>
export const newProviderSchema = v.object({
  id: noted(
    v.pipe(text(1, 40), v.regex(providerIdPattern, 'must have only a-z, 0-9 and -')),
    'Its part of the redirect URI; cannot be changed',
    'keycloak',
  ),
  ...input,
})

export const providerSchema = named(
  'SignInProvider',
  v.object({
    id: v.string(),
    name: v.string(),
    issuer: v.string(),
    clientId: v.string(),
    hasSecret: v.boolean(),
    linking: v.picklist(linkings),
    creation: v.picklist(creations),
    domains: v.array(v.string()),
    trustsEmail: v.boolean(),
    trustsSecondFactor: v.boolean(),
    groupsClaim: v.string(),
    adminGroup: v.string(),
    groupQuotas: v.array(v.object({ group: v.string(), quota: nonNegative })),
    redirectUri: noted(v.string(), 'Register it at the provider'),
    logoutUri: noted(v.string(), 'For back-channel logout'),
    createdAt: timestamp,
  }),
)

/** What the sign-in page shows. */
export const buttonSchema = v.object({ id: v.string(), name: v.string() })

export const identitySchema = named(
  'Identity',
  v.object({
    id: v.string(),
    name: noted(v.string(), 'Email address or name at the provider'),
    issuer: v.string(),
    created_at: timestamp,
    last_used_at: v.nullable(timestamp),
  }),
)

export const reportSchema = named(
  'SignInReport',
  v.object({
    steps: v.array(
      v.object({
        name: v.picklist(['discovery', 'keys', 'answer', 'account']),
        problem: noted(v.nullable(v.string()), 'Null if it worked'),
      }),
    ),
    answered: noted(v.string(), 'What the provider has said of the user, as JSON; can be empty'),
  }),
)
export type Report = v.InferOutput<typeof reportSchema>
