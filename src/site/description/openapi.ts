import type { Operation } from '../../http/operation.ts'
import { describeBody } from './bodies.ts'
import { addErrorSchemas, type ErrorStyle } from './errors.ts'
import { headers } from './headers.ts'
import { info, tags } from './info.ts'
import type { DescribedOperation, Document, Server } from './document.ts'
import { Components, mapValues } from './json-schema.ts'
import { describeParameters, headerParameters } from './parameters.ts'
import { describeResponses, joinResponses, shareErrors, type Responses } from './responses.ts'
import { describeSecurity, securitySchemes } from './security.ts'

/** Operations of one server. */
export interface Group {
  readonly operations: readonly Operation[]
  /** Address of the server, a placeholder until the service starts. */
  readonly server: string
  readonly serverDescription: string
  readonly errors: ErrorStyle
}

interface Described extends DescribedOperation {
  readonly responses: Responses
}

/** Version of the description in the contract's part 9. */
const descriptionVersion = '1.0.0'

/**
 * The OpenAPI 3.1 description of all operations. The first group has most of the paths; a path on
 * two servers becomes one operation with two servers, named by the last.
 */
export function describeApi(groups: readonly Group[]): Document {
  const components = new Components()
  addErrorSchemas(components)
  const paths: Record<string, Record<string, Described>> = {}
  const [main] = groups
  for (const group of groups) {
    for (const operation of group.operations) {
      const item = (paths[operation.path] ??= {})
      const method = operation.method.toLowerCase()
      const known = item[method]
      const described = describeOperation(operation, group, components)
      const own = group === main ? described : { ...described, servers: serversOf(group) }
      item[method] = known ? join(known, own, serversOf(main!)) : own
    }
  }
  const used = new Set(groups.flatMap(({ operations }) => operations.map(({ tag }) => tag)))
  return {
    openapi: '3.1.0',
    info: {
      ...info,
      version: descriptionVersion,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: serversOf(main!),
    tags: [...used].map((name) => ({ name, description: tags[name] ?? '' })),
    paths: sharePaths(paths, components),
    components: {
      schemas: sorted(components.schemas),
      responses: sorted(components.responses),
      headers,
      parameters: headerParameters,
      securitySchemes,
    },
  }
}

function serversOf({ server, serverDescription }: Group): Server[] {
  return [{ url: server, description: serverDescription }]
}

function describeOperation(
  operation: Operation,
  { errors: style }: Group,
  components: Components,
): Described {
  const { id, tag, summary, description, deprecated, body } = operation
  const parameters = describeParameters(operation, components)
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description ? { description } : {}),
    ...(deprecated ? { deprecated } : {}),
    security: describeSecurity(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: describeBody(body, components) } : {}),
    responses: describeResponses(operation, style, components),
  }
}

/** Moves errors that operations share to the components. */
function sharePaths(
  paths: Record<string, Record<string, Described>>,
  components: Components,
): Document['paths'] {
  return mapValues(paths, (item) =>
    mapValues(item, (described) => ({
      ...described,
      responses: shareErrors(described.responses, components),
    })),
  )
}

function join(first: Described, second: Described, mainServers: readonly Server[]): Described {
  return {
    ...second,
    servers: [...(second.servers ?? []), ...(first.servers ?? mainServers)],
    responses: joinResponses(first.responses, second.responses),
  }
}

function sorted<T>(schemas: Record<string, T>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(schemas).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  )
}
