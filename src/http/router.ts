import { CodedError } from '../lib/errors.ts'
import type { Operation } from './operation.ts'

export const rowIdPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Of a link: its id, or the slug in its place. */
export const publicIdPattern = /^[A-Za-z0-9_-]{3,50}$/

/** What a path parameter can be at all; anything else is 404 before SQL is asked. */
export const parameterPatterns: Readonly<Record<string, RegExp>> = {
  shareId: publicIdPattern,
  reverseId: publicIdPattern,
  deliveryId: rowIdPattern,
  fileId: /^[1-9][0-9]{0,9}$/,
  userId: /^[1-9][0-9]{0,9}$/,
  sessionId: rowIdPattern,
  tokenId: rowIdPattern,
  contactId: rowIdPattern,
  mailId: rowIdPattern,
  asset: /^[a-z0-9][a-z0-9.-]{0,99}$/,
  builtAsset: /^[a-z]+-[A-Z0-9]{8}\.(?:js|css)$/,
  view: /^[a-z][a-z-]{0,49}$/,
  section: /^[a-z][a-z-]{0,49}$/,
  slug: /^[a-z0-9][a-z0-9-]{0,99}$/,
  page: /^[a-z0-9][a-z0-9-]{0,99}(\.md)?$/,
}
export const idMax = 2 ** 31 - 1
/** Parameters that are whole numbers. */
export const numberParameters: ReadonlySet<string> = new Set(['fileId', 'userId'])

export interface Route {
  readonly operation: Operation
  readonly params: Readonly<Record<string, string>>
}

interface Branch {
  readonly fixed: Map<string, Branch>
  parameter: { readonly name: string; readonly branch: Branch } | null
  readonly operations: Map<string, Operation>
}

/** Finds the operation for a method and path; made once from the list of all operations. */
export class Router {
  readonly #root: Branch = emptyBranch()

  constructor(operations: readonly Operation[]) {
    for (const operation of operations) this.#add(operation)
  }

  /**
   * @param path the raw path of the request, still percent-encoded, without query
   * @throws CodedError not_found, or method_not_allowed with `Allow`
   */
  find(method: string, path: string): Route | { readonly allow: string } {
    const found = walk(this.#root, segmentsOf(path), {})
    if (!found) throw new CodedError('not_found')
    const { branch, params } = found
    const allow = allowed(branch)
    if (method === 'OPTIONS') return { allow }
    const operation = branch.operations.get(method === 'HEAD' ? 'GET' : method)
    if (!operation) throw new CodedError('method_not_allowed', { headers: { Allow: allow } })
    return { operation, params }
  }

  #add(operation: Operation): void {
    let branch = this.#root
    for (const segment of segmentsOf(operation.path)) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1]
      if (name === undefined) {
        const next = branch.fixed.get(segment) ?? emptyBranch()
        branch.fixed.set(segment, next)
        branch = next
        continue
      }
      if (!parameterPatterns[name]) throw new Error(`no pattern for the path parameter ${name}`)
      branch.parameter ??= { name, branch: emptyBranch() }
      if (branch.parameter.name !== name)
        throw new Error(`two names for one path parameter: ${name}`)
      branch = branch.parameter.branch
    }
    if (branch.operations.has(operation.method))
      throw new Error(`${operation.id} is declared twice`)
    branch.operations.set(operation.method, operation)
  }
}

interface Found {
  readonly branch: Branch
  readonly params: Readonly<Record<string, string>>
}

/**
 * Fixed names win over parameters, unless they lead nowhere: a slug may be a word that stands in
 * another path, as `init` does.
 */
function walk(
  branch: Branch,
  segments: readonly string[],
  params: Readonly<Record<string, string>>,
): Found | null {
  const [segment, ...rest] = segments
  if (segment === undefined) return branch.operations.size > 0 ? { branch, params } : null
  const { fixed, parameter } = branch
  const next = fixed.get(segment)
  const found = next && walk(next, rest, params)
  if (found || !parameter) return found ?? null
  return walk(parameter.branch, rest, { ...params, [parameter.name]: decodeSegment(segment) })
}

/** @throws CodedError not_found for a parameter that cannot name anything */
export function checkParams(params: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(params)) {
    const fits = parameterPatterns[name]?.test(value) ?? false
    const tooLarge = numberParameters.has(name) && Number(value) > idMax
    if (!fits || tooLarge) throw new CodedError('not_found')
  }
}

/** One trailing slash is the same resource; an empty segment anywhere else names nothing. */
function segmentsOf(path: string): string[] {
  const segments = path.split('/').slice(1)
  if (segments.at(-1) === '') segments.pop()
  if (segments.includes('')) throw new CodedError('not_found')
  return segments
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new CodedError('not_found')
  }
}

function allowed(branch: Branch): string {
  const methods = [...branch.operations.keys()].flatMap((m) =>
    m === 'GET' ? ['GET', 'HEAD'] : [m],
  )
  return [...methods, 'OPTIONS'].join(', ')
}

function emptyBranch(): Branch {
  return { fixed: new Map(), parameter: null, operations: new Map() }
}
