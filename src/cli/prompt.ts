import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CommandError, UsageError } from './command.ts'
import { printable } from './table.ts'

const passwordBytesMax = 4096
const valueBytesMax = 4 * 1024 * 1024

/**
 * Asks for a new password twice without showing it; without a terminal, reads the first line of
 * standard input.
 * @throws CommandError when they differ, or when the input is empty
 */
export async function readNewPassword(prompt: string): Promise<string> {
  if (!process.stdin.isTTY) return readSecret(prompt)
  const password = await ask(prompt, 'hidden')
  if ((await ask('Repeat password: ', 'hidden')) === password) return password
  throw new CommandError('the passwords differ: nothing was changed')
}

/** Asks without showing the input; without a terminal, reads the first line of standard input. */
export async function readSecret(prompt: string): Promise<string> {
  if (process.stdin.isTTY) return ask(prompt, 'hidden')
  const text = await readInput((read) => read.includes('\n') || read.length > passwordBytesMax)
  return (text.split('\n')[0] ?? '').replace(/\r$/, '')
}

/**
 * Reads all of standard input without its last line end; at a terminal, one line.
 * @throws CommandError above 4 MiB
 */
export async function readValue(prompt: string): Promise<string> {
  if (process.stdin.isTTY) return ask(prompt, 'shown')
  const text = await readInput((read) => read.length > valueBytesMax)
  if (text.length > valueBytesMax) throw new CommandError('standard input is longer than 4 MiB')
  return text.replace(/\r?\n$/, '')
}

/**
 * Requires the user to type `expected` before an irreversible action.
 * @throws UsageError without a terminal; CommandError for another answer
 */
export async function confirm(question: string, expected: string, isSure: boolean): Promise<void> {
  if (isSure) return
  if (!process.stdin.isTTY) {
    throw new UsageError('this cannot be undone: add --yes, or run it in a terminal')
  }
  const typed = await ask(`${printable(question)} `, 'shown')
  if (typed.trim() !== expected) throw new CommandError('not confirmed: nothing was changed')
}

function ask(prompt: string, echo: 'shown' | 'hidden'): Promise<string> {
  const nowhere = new Writable({ write: (_data, _encoding, done) => done() })
  const output = echo === 'shown' ? process.stderr : nowhere
  const terminal = createInterface({ input: process.stdin, output, terminal: true, prompt })
  if (echo === 'hidden') process.stderr.write(prompt)
  const line = new Promise<string>((resolve, reject) => {
    terminal.once('line', resolve)
    terminal.once('SIGINT', () => terminal.close())
    terminal.once('close', () => reject(new CommandError('nothing was entered')))
    terminal.prompt()
  })
  return line.finally(() => {
    terminal.close()
    if (echo === 'hidden') process.stderr.write('\n')
  })
}

async function readInput(isEnough: (read: string) => boolean): Promise<string> {
  let text = ''
  for await (const data of process.stdin.setEncoding('utf8')) {
    text += String(data)
    if (isEnough(text)) break
  }
  return text
}
