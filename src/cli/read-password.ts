import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

const inputBytesMax = 4096

/**
 * Asks at a terminal without showing what is typed; else reads the first line of standard input.
 */
export async function readPassword(prompt: string): Promise<string> {
  return process.stdin.isTTY ? askSilently(prompt) : readFirstLine()
}

async function askSilently(prompt: string): Promise<string> {
  process.stderr.write(prompt)
  const nowhere = new Writable({ write: (_data, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}

async function readFirstLine(): Promise<string> {
  let text = ''
  for await (const data of process.stdin.setEncoding('utf8')) {
    text += String(data)
    if (text.includes('\n') || text.length > inputBytesMax) break
  }
  return (text.split('\n')[0] ?? '').replace(/\r$/, '')
}
