// Watches every descriptor that is opened and closed through node:fs in this process. Imported
// before anything else, so that the code under test gets the watched functions.
//
// A number that is closed twice belongs to another file by then, and no error is raised: reads
// return the bytes of that file. So each number is checked against the open ones: closing, reading,
// writing or syncing one that is not open is an offence, and so is being given one that was never
// closed (it was closed from elsewhere).
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** Misuses of descriptors, with their stacks. */
export const offences: string[] = []

const openDescriptors = new Set<number>()

type Call = (...values: never[]) => unknown

function offend(what: string, descriptor: number): void {
  const where = (new Error('where').stack ?? '').split('\n').slice(3, 8).join('\n')
  offences.push(`descriptor ${descriptor} ${what}\n${where}`)
}

function given(descriptor: number): void {
  if (openDescriptors.has(descriptor)) offend('was closed elsewhere', descriptor)
  openDescriptors.add(descriptor)
}

function watchOpening(name: 'open' | 'openSync'): void {
  const real = fs[name] as Call
  const watched = (...values: unknown[]) => {
    const callback = values.at(-1)
    if (name === 'open' && typeof callback === 'function') {
      values[values.length - 1] = (error: Error | null, descriptor: number) => {
        if (!error) given(descriptor)
        callback(error, descriptor)
      }
      return real(...(values as never[]))
    }
    const descriptor = real(...(values as never[])) as number
    given(descriptor)
    return descriptor
  }
  replace(name, watched)
}

function watchUse(name: 'read' | 'writev' | 'fdatasync' | 'fsync' | 'ftruncate'): void {
  const real = fs[name] as Call
  const watched = (...values: unknown[]) => {
    const [descriptor] = values as [number]
    if (!openDescriptors.has(descriptor)) offend(`is not open: ${name}`, descriptor)
    return real(...(values as never[]))
  }
  replace(name, watched)
}

function watchClosing(name: 'close' | 'closeSync'): void {
  const real = fs[name] as Call
  const watched = (...values: unknown[]) => {
    const [descriptor] = values as [number]
    // Before the call: afterwards the number may be given out again at once.
    if (!openDescriptors.delete(descriptor)) offend('was closed and is not open', descriptor)
    return real(...(values as never[]))
  }
  replace(name, watched)
}

function replace(name: keyof typeof fs, watched: unknown): void {
  const real = fs[name]
  // The forms that promisify() uses must stay the same: fs.read has its own.
  for (const key of Object.getOwnPropertySymbols(real)) {
    Object.defineProperty(watched, key, Object.getOwnPropertyDescriptor(real, key)!)
  }
  Object.defineProperty(fs, name, { value: watched, configurable: true, writable: true })
}

watchOpening('open')
watchOpening('openSync')
for (const name of ['read', 'writev', 'fdatasync', 'fsync', 'ftruncate'] as const) watchUse(name)
watchClosing('close')
watchClosing('closeSync')
syncBuiltinESMExports()
