// Replaces functions of Node, for faults that no disk produces on
// demand.
import fs from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { Gate } from './until.ts'

export type WritevCallback = (error: NodeJS.ErrnoException | null, written: number) => void
export type Writev = (
  file: number,
  buffers: Buffer[],
  position: number,
  callback: WritevCallback,
) => void

/** Every fs.writev of the process goes to `make(real)` until the function returned is called. */
export function replaceWritev(make: (real: Writev) => Writev): () => void {
  return replace(fs, 'writev', make as never)
}

export type ReadCallback = (error: NodeJS.ErrnoException | null, count: number) => void
export type Read = (
  file: number,
  target: Buffer,
  offset: number,
  length: number,
  position: number,
  callback: ReadCallback,
) => void

/** Every fs.read of the process, which is one of a segment, goes to `make(real)` until undone. */
export function replaceRead(make: (real: Read) => Read): () => void {
  return replace(fs, 'read', make as never)
}

/** An error of Node's file functions. */
export function systemError(code: string, syscall: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}, ${syscall}`), { code, syscall })
}

/** Every fs/promises function of this name goes to `make(real)` until undone. */
export function replacePromised<Name extends keyof typeof promises>(
  name: Name,
  make: (real: (typeof promises)[Name]) => unknown,
): () => void {
  return replace(promises, name, make as never)
}

/** Lets every removal of this folder fail until the function returned is called. */
export function refuseRemoval(folder: string): () => void {
  return replacePromised('rm', (real) => async (...call: Parameters<typeof real>) => {
    if (call[0] === folder) throw systemError('EBUSY', 'rm')
    await real(...call)
  })
}

function replace<Home extends object, Name extends keyof Home>(
  home: Home,
  name: Name,
  make: (real: Home[Name]) => Home[Name],
): () => void {
  const real = home[name]
  home[name] = make(real)
  syncBuiltinESMExports()
  return () => {
    home[name] = real
    syncBuiltinESMExports()
  }
}

/** Blocks every fs.writev of the process, like a hanging disk. */
export function holdWrites(): { heldCount: () => number; goOn: () => void } {
  const gate = new Gate()
  let held = 0
  const undo = replaceWritev((real) => (...call) => {
    held += 1
    void gate.passed.then(() => real(...call))
  })
  return {
    heldCount: () => held,
    goOn: () => {
      undo()
      gate.open()
    },
  }
}
