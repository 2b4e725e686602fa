import type { Command } from './command.ts'
import { commands } from './commands.ts'

const widthMax = 80

/** All commands, one per line; only those of `group` if given. */
export function listCommands(group: string | null = null): string {
  const chosen = Object.entries(commands).filter(
    ([words]) => group === null || words.startsWith(`${group} `),
  )
  const calls = chosen.map(([words, { operands }]) => `${words} ${operands}`.trimEnd())
  const width = Math.max(...calls.map((call) => call.length))
  const lines = chosen.map(([, { doc }], index) => `  ${calls[index]!.padEnd(width)}  ${doc}`)
  const footer = [
    'Run transfer help <command> for details. --json prints one JSON document.',
    '--config FILE reads the options from this file, and not from those that the',
    'service finds itself. Run transfer --version for the version.',
    'Exit codes: 0 success, 1 failure, 2 invalid usage, 78 wrong options.',
  ]
  return ['Usage: transfer <command>', '', ...lines, '', ...footer].join('\n')
}

export function describeCommand(words: string): string {
  const command = commands[words]!
  const options = Object.entries(optionsOf(command))
  const shown = options.map(([name, { value }]) => `[${optionCall(name, value)}]`)
  const usage = wrap(['Usage: transfer', words, command.operands, ...shown].filter(Boolean))
  const width = Math.max(0, ...options.map(([name, { value }]) => optionCall(name, value).length))
  const lines = options.map(
    ([name, { value, doc }]) => `  ${optionCall(name, value).padEnd(width)}  ${doc}`,
  )
  const parts = [usage, command.doc, command.more ?? '', lines.join('\n')]
  return parts.filter(Boolean).join('\n\n')
}

/** Joined by spaces, further lines indented. */
function wrap(parts: readonly string[]): string {
  const lines: string[] = []
  for (const part of parts) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + part.length <= widthMax) {
      lines[lines.length - 1] = `${line} ${part}`
    } else {
      lines.push(lines.length === 0 ? part : `    ${part}`)
    }
  }
  return lines.join('\n')
}

function optionCall(name: string, value: string | null): string {
  return value === null ? `--${name}` : `--${name} ${value}`
}

function optionsOf(command: Command): Command['options'] {
  if (!command.hasJson) return command.options
  return { ...command.options, json: { value: null, doc: 'Print one JSON document.' } }
}
