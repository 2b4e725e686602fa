import { parseArgs } from 'node:util'
import { type Call, type Command, UsageError } from './command.ts'
import { commands } from './commands.ts'
import { describeCommand } from './help.ts'

/** @throws UsageError */
export function parseCommand(args: readonly string[], wantsJson: boolean) {
  const found = findCommand(args)
  if (found === null) throw new UsageError(unknownCommand(args))
  const { words, rest } = found
  const command = commands[words]!
  if (wantsJson && !command.hasJson) throw new UsageError(`${words} does not support --json`)
  const { values, positionals } = parseRest(words, command, rest)
  const { operandsMin, operandsMax } = command
  if (positionals.length < operandsMin || positionals.length > operandsMax) {
    const takes = command.operands === '' ? 'takes no arguments' : `takes ${command.operands}`
    throw new UsageError(`${words} ${takes}\n\n${describeCommand(words)}`)
  }
  const call: Call = {
    operands: positionals,
    text: (option) => (values[option] as string | undefined) ?? null,
    has: (option) => values[option] === true,
    wantsJson,
  }
  return { command, call }
}

/** The command in the first words, and the remaining arguments. Null without one. */
export function findCommand(args: readonly string[]): { words: string; rest: string[] } | null {
  for (const count of [2, 1]) {
    const words = args.slice(0, count).join(' ')
    if (Object.hasOwn(commands, words)) return { words, rest: args.slice(count) }
  }
  return null
}

export function unknownCommand(args: readonly string[]): string {
  const all = Object.keys(commands)
  const group = all.filter((words) => words.startsWith(`${args[0]} `))
  if (args.length === 1 && group.length > 0) {
    return `${args[0]}: choose one of ${group.join(', ')}`
  }
  const typed = args.slice(0, 2).join(' ')
  return `there is no command "${typed}"\nRun transfer help for all commands.`
}

function parseRest(words: string, command: Command, rest: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { value }]) => [
      name,
      { type: value === null ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  try {
    return parseArgs({ args: idsLast(rest), allowPositionals: true, options })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const typed = /'(-[^' =]*)/.exec(message)?.[1] ?? ''
    const problem =
      code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION'
        ? `${words} has no option ${typed}`
        : code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE'
          ? wrongValue(command, typed)
          : `${words}: ${message}`
    throw new UsageError(`${problem}\n\n${describeCommand(words)}`, { cause: error })
  }
}

/** Message for an option without its value, or with a value that it does not take. */
function wrongValue(command: Command, typed: string): string {
  const value = command.options[typed.slice(2)]?.value ?? null
  // The parser requires `--option=value` for values that begin with a dash.
  return value === null
    ? `${typed} takes no value`
    : `${typed} needs a value: ${typed} ${value}, or ${typed}=${value}`
}

/** Ids may begin with a dash, one in 64; they are longer than any option. */
function idsLast(rest: readonly string[]): string[] {
  const end = rest.indexOf('--')
  const [before, after] = end === -1 ? [rest, []] : [rest.slice(0, end), rest.slice(end + 1)]
  const isId = (arg: string) => /^-[A-Za-z0-9_-]{21,49}$/.test(arg)
  const others = before.filter((arg) => !isId(arg))
  return [...others, '--', ...before.filter(isId), ...after]
}
