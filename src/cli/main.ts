import { version } from '../lib/package-root.ts'
import { runAsOwner } from './as-owner.ts'
import { UsageError } from './command.ts'
import { commands } from './commands.ts'
import { describeFailure, exitCodeOf } from './failure.ts'
import { describeCommand, listCommands } from './help.ts'
import { OutputLost, surviveLostOutput, writeAnswer } from './output.ts'
import { findCommand, parseCommand, unknownCommand } from './parse.ts'
import { isJournal } from './systemd.ts'
import { printableJson } from './table.ts'

async function main(args: readonly string[], wantsJson: boolean, file: string | null) {
  if (file === '') throw new UsageError('--config needs the path of an options file')
  if (args.length === 0 || args[0] === 'help' || isHelp(args[0])) {
    return writeAnswer(`${help(args.slice(1))}\n`)
  }
  if (args.length === 1 && ['--version', '-V', 'version'].includes(args[0]!)) {
    return writeAnswer(`transfer ${version}\n`)
  }
  if (args.some(isHelp)) {
    return writeAnswer(`${help(args.slice(0, args.findIndex(isHelp)))}\n`)
  }
  const { command, call } = parseCommand(args, wantsJson)
  if (!command.isWithoutData && (await runAsOwner())) return
  const report = await command.run(call)
  if (!report) return
  const text = wantsJson ? printableJson(report.json) : report.text
  const { problems = [], isFailure = problems.length > 0 } = report
  if (isFailure) process.exitCode = 1
  if (text !== '' || problems.length === 0) await writeAnswer(`${text}\n`)
  if (!wantsJson && problems.length > 0) process.stderr.write(`${problems.join('\n')}\n`)
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

/**
 * The options of every command, which may stand anywhere before `--`: `--json`, and `--config`
 * with the path of the options file.
 */
function takeCommon(args: readonly string[]): {
  wantsJson: boolean
  file: string | null
  rest: string[]
} {
  const end = args.indexOf('--')
  const rest = args.slice(0, end === -1 ? args.length : end)
  const isJson = (arg: string) => arg === '--json'
  const wantsJson = rest.some(isJson)
  const left = rest.filter((arg) => !isJson(arg))
  const index = left.findIndex((arg) => arg === '--config' || arg.startsWith('--config='))
  const [option, value] = index === -1 ? [] : left.splice(index, left[index] === '--config' ? 2 : 1)
  const file = option === undefined ? null : (value ?? option.slice('--config='.length))
  return { wantsJson, file, rest: [...left, ...(end === -1 ? [] : args.slice(end))] }
}

surviveLostOutput()
const { wantsJson, file, rest } = takeCommon(process.argv.slice(2))
if (file !== null) process.env['OPTIONS_FILE'] = file
main(rest, wantsJson, file).catch((error: unknown) => {
  if (!(error instanceof OutputLost && error.isReaderGone)) {
    const text = describeFailure(error, wantsJson)
    // The reason of a failed start is found with `journalctl --priority err`.
    const shown = isJournal(process.env, 2) ? text.replaceAll(/^/gm, '<3>') : text
    process.stderr.write(`${shown}\n`)
  }
  process.exitCode = exitCodeOf(error)
  // An interrupted prompt would keep the process waiting for an answer.
  if (process.stdin.isTTY) process.stdin.destroy()
})
