// Custom links: a word that its owner chooses in place of the random id of a link.
import * as v from 'valibot'
import { isUniqueViolation } from '../database/connect.ts'
import { noted, optional } from '../http/schema.ts'
import { CodedError, invalidInput } from '../lib/errors.ts'
import { isLikePublicId } from '../lib/random-id.ts'

const slug = v.pipe(
  v.string(),
  v.regex(/^(?:[A-Za-z0-9_-]{3,50})?$/, 'must be 3 to 50 letters, digits, "-" or "_", or empty'),
)

export const slugField = {
  slug: noted(
    optional(slug),
    'Custom link: the word used instead of the id; empty for none',
    'summer-2026',
  ),
}

/** The fields of a request that creates a link. */
export const newSlugFields = {
  ...slugField,
  customSlug: noted(optional(slug), 'The same as `slug`, for other clients', 'summer-2026'),
}

/** A custom link with the field that it came in. */
export interface ChosenSlug {
  /** Null for none. */
  readonly slug: string | null
  readonly field: 'slug' | 'customSlug'
}

export const noSlug: ChosenSlug = { slug: null, field: 'slug' }

/** @throws CodedError invalid_input for two that differ */
export function chosenSlug(input: {
  readonly slug?: string | null | undefined
  readonly customSlug?: string | null | undefined
}): ChosenSlug {
  const [given, custom] = [input.slug || null, input.customSlug || null]
  if (given !== null && custom !== null && given !== custom) {
    throw invalidInput('customSlug', 'differs from slug: send one of them')
  }
  return given === null ? { slug: custom, field: 'customSlug' } : { slug: given, field: 'slug' }
}

/**
 * The database decides that no two links get the same slug, even with concurrent requests.
 * @param index the unique index of the slugs
 * @throws CodedError slug_taken
 */
export async function refuseTaken<T>(
  changing: Promise<T>,
  index: string,
  field: ChosenSlug['field'],
): Promise<T> {
  try {
    return await changing
  } catch (error) {
    throw isUniqueViolation(error, index) ? slugTaken(field) : error
  }
}

/** @throws CodedError slug_taken for what may be the id of a link, also of one that is gone */
export function requireNoId(slug: string | null | undefined, field: ChosenSlug['field']): void {
  if (slug && isLikePublicId(slug)) throw slugTaken(field)
}

function slugTaken(field: ChosenSlug['field']): CodedError {
  return new CodedError('slug_taken', { details: { field } })
}
