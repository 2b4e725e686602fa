import { readFileSync } from 'node:fs'
import { randomRowId } from './random-id.ts'

/** Identifies this boot of the machine; null where the system has none. */
export function findBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return null
  }
}

/** Identifies this boot of the machine, or this call where the system has no boot id. */
export function readBootId(): string {
  return findBootId() ?? `process ${randomRowId()}`
}
