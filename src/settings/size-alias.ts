import * as v from 'valibot'
import { deprecated, parseInput } from '../http/schema.ts'
import { invalidInput } from '../lib/errors.ts'

const units = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 }
const bytesMax = Number.MAX_SAFE_INTEGER
const unitNames = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** `maxShareSize` for clients that express sizes as value and unit. */
export const sizeAliasEntries = {
  maxSizeVal: v.optional(
    deprecated(
      v.pipe(
        v.number(),
        v.minValue(0, 'must be at least 0'),
        v.maxValue(bytesMax, `must be at most ${bytesMax}`),
      ),
      '`maxShareSize` in units of `maxSizeUnit`; 0 for no limit',
    ),
  ),
  maxSizeUnit: v.optional(
    deprecated(
      v.picklist(unitNames),
      'Unit of `maxSizeVal`: B, or KB of 1,024 B, MB, GB, TB; absent for GB',
    ),
  ),
}

const aliasSchema = v.object(sizeAliasEntries)

/** The largest unit that divides the size, so that no rounding occurs. */
export function sizeAlias(bytes: number): {
  maxSizeVal: number
  maxSizeUnit: (typeof unitNames)[number]
} {
  const maxSizeUnit = bytes === 0 ? 'GB' : unitNames.findLast((unit) => bytes % units[unit] === 0)!
  return { maxSizeVal: bytes / units[maxSizeUnit], maxSizeUnit }
}

/**
 * A change of settings without the alias. The result does not depend on the present size, so that
 * repeating a request does not change anything.
 * @throws CodedError invalid_input, also when the alias and `maxShareSize` disagree
 */
export function withoutSizeAlias(
  changes: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { maxSizeVal, maxSizeUnit } = parseInput(aliasSchema, changes)
  const { maxSizeVal: _value, maxSizeUnit: _unit, ...rest } = changes
  if (maxSizeVal === undefined) {
    if (maxSizeUnit === undefined) return rest
    throw invalidInput('maxSizeUnit', 'can be set only together with maxSizeVal')
  }
  const size = bytesOf(maxSizeVal, maxSizeUnit ?? 'GB')
  const { maxShareSize } = rest
  if (maxShareSize !== undefined && maxShareSize !== size) {
    throw invalidInput('maxSizeVal', 'differs from maxShareSize: send one of them')
  }
  return { ...rest, maxShareSize: size }
}

/** Whole bytes; no limit only for a value of 0. */
function bytesOf(value: number, unit: keyof typeof units): number {
  const most = Math.floor(bytesMax / units[unit])
  if (value > most) throw invalidInput('maxSizeVal', `must be at most ${most} ${unit}`)
  const bytes = Math.round(value * units[unit])
  return value > 0 ? Math.max(bytes, 1) : 0
}
