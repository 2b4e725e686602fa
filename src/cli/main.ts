import { version } from '../lib/package-root.ts'
import { UsageError } from './command-error.ts'
import { commands } from './commands.ts'
import { describeFailure } from './failure.ts'
import { describeCommand, listCommands } from './help.ts'
import { OutputLost, surviveLostOutput, writeAnswer } from './output.ts'
import { findCommand, parseCommand, unknownCommand } from './parse.ts'
import { printableJson } from './table.ts'

async function main(args: readonly string[], wantsJson: boolean): Promise<void> {
  if (args.length === 0 || args[0] === 'help' || isHelp(args[0])) {
    return writeAnswer(`${help(args.slice(1))}\n`)
  }
  if (args.length === 1 && isVersion(args[0])) return writeAnswer(`transfer ${version}\n`)
  if (args.some(isHelp)) {
    return writeAnswer(`${help(args.slice(0, args.findIndex(isHelp)))}\n`)
  }
  const { command, call } = parseCommand(args, wantsJson)
  const report = await command.run(call)
  if (!report) return
  const text = wantsJson ? printableJson(report.json) : report.text
  if (report.isFailure) process.exitCode = 1
  await writeAnswer(`${text}\n`)
}

function isVersion(arg: string | undefined): boolean {
  return arg === '--version' || arg === '-V' || arg === 'version'
}

function isHelp(arg: string | undefined): boolean {
  return arg === '--help' || arg === '-h'
}

/** @throws UsageError for words that are neither a command nor a group */
function help(args: readonly string[]): string {
  if (args.length === 0) return listCommands()
  const found = findCommand(args)
  if (found !== null) return describeCommand(found.words)
  const [group = ''] = args
  const isGroup = Object.keys(commands).some((words) => words.startsWith(`${group} `))
  if (isGroup && args.length === 1) return listCommands(group)
  throw new UsageError(unknownCommand(args))
}

/** `--json` may stand anywhere before `--`. */
function takeJson(args: readonly string[]): { wantsJson: boolean; rest: string[] } {
  const end = args.indexOf('--')
  const isJson = (arg: string, index: number) => arg === '--json' && (end === -1 || index < end)
  return { wantsJson: args.some(isJson), rest: args.filter((arg, index) => !isJson(arg, index)) }
}

surviveLostOutput()
const { wantsJson, rest } = takeJson(process.argv.slice(2))
main(rest, wantsJson).catch((error: unknown) => {
  if (!(error instanceof OutputLost && error.isReaderGone)) {
    process.stderr.write(`${describeFailure(error, wantsJson)}\n`)
  }
  process.exitCode = error instanceof UsageError ? 2 : 1
  // An interrupted prompt would keep the process waiting for an answer.
  if (process.stdin.isTTY) process.stdin.destroy()
})
