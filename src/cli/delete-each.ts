import { canName } from '../http/run.ts'
import { pathParameters } from '../lib/path-parameters.ts'
import { CodedError } from '../lib/errors.ts'
import type { Report } from './command.ts'
import { printable } from './table.ts'

/**
 * Deletes objects one by one; reports missing ones, and continues with the others.
 * @param noun kind of the objects: `share`
 * @param parameter their path parameter in the API: `shareId`
 */
export async function deleteEach(
  ids: readonly string[],
  names: { noun: string; parameter: string; done: string },
  remove: (id: string) => Promise<void>,
): Promise<Report> {
  const results: { id: string; deleted: boolean }[] = []
  for (const id of new Set(ids)) {
    results.push({ id, deleted: await wasThere(id, names.parameter, remove) })
  }
  const idsOf = (isDeleted: boolean) =>
    results.filter(({ deleted }) => deleted === isDeleted).map(({ id }) => id)
  return {
    json: results,
    text: idsOf(true)
      .map((id) => `${names.done} ${id}`)
      .join('\n'),
    problems: idsOf(false).map((id) => `there is no ${names.noun} "${printable(id)}"`),
  }
}

async function wasThere(
  id: string,
  parameter: string,
  remove: (id: string) => Promise<void>,
): Promise<boolean> {
  try {
    if (!canName(pathParameters[parameter], id)) return false
    await remove(id)
    return true
  } catch (error) {
    if (error instanceof CodedError && error.code === 'not_found') return false
    throw error
  }
}
