import { CodedError } from '../lib/errors.ts'
import { rowNumberMax, type PathParameter, type PathParameters } from '../lib/path-parameters.ts'
import type { Operation } from './operation.ts'

export interface Route {
  readonly operation: Operation
  readonly params: Readonly<Record<string, string>>
  /** False when a parameter cannot be valid: 404, once the client may know. */
  readonly canExist: boolean
}

interface Branch {
  readonly fixed: Map<string, Branch>
  parameter: { readonly name: string; readonly branch: Branch } | null
  readonly operations: Map<string, Operation>
}

/** Finds the operation for a method and path; built once from the list of all operations. */
export class Router {
  readonly #root: Branch = emptyBranch()
  readonly #parameters: PathParameters

  /** @param parameters possible values of each path parameter */
  constructor(operations: readonly Operation[], parameters: PathParameters) {
    this.#parameters = parameters
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
    const canExist = Object.entries(params).every(([name, value]) =>
      canName(this.#parameters[name], value),
    )
    return { operation, params, canExist }
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
      if (!this.#parameters[name]) throw new Error(`no pattern for the path parameter ${name}`)
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
 * Fixed names win over parameters if they lead to an operation: a custom link may equal a word of
 * another path, for example `init`.
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

/** One trailing slash is ignored; an empty segment elsewhere matches nothing. */
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

/** Whether the value of a path parameter is possible. */
export function canName(parameter: PathParameter | undefined, value: string): boolean {
  if (!parameter?.pattern.test(value)) return false
  return !parameter.isNumber || Number(value) <= rowNumberMax
}
