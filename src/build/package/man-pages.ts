import type { Command } from '../../cli/command.ts'
import { commands } from '../../cli/commands.ts'
import { options, type Option } from '../../config/options.ts'
import { version } from '../../lib/package-root.ts'

/** The page transfer(1): every command with its options. */
export function makeCommandPage(): string {
  const shown = Object.entries(commands).map(([words, command]) => describe(words, command))
  return [
    header('TRANSFER', 1, 'transfer \\- send files from your own server'),
    '.SH SYNOPSIS',
    '.B transfer',
    '.I command',
    `[${argument('option')} ...]`,
    '.SH DESCRIPTION',
    paragraphs(
      'Runs and manages the transfer service. Commands work whether the service is running or ' +
        'not. Run them as root or as the user of the service: they read the same options.\n' +
        'transfer help <command> explains a command. --json prints one JSON document, and errors ' +
        'as { "error", "code" } on standard error. --config FILE reads the options from this ' +
        'file. --version prints the version.',
    ),
    '.SH COMMANDS',
    ...shown,
    '.SH EXIT STATUS',
    '0 success, 1 failure, 2 invalid usage, 78 wrong options.',
    '.SH SEE ALSO',
    '.BR transfer-service (5)',
    '',
  ].join('\n')
}

/** The page transfer-service(5): every boot option. */
export function makeOptionPage(): string {
  const rows = Object.values<Option<unknown>>(options).map(({ env, defaultText, doc }) => {
    const standard = defaultText ? [`Default: ${plain(defaultText)}.`] : []
    return ['.TP', bold(env), plain(doc), ...standard].join('\n')
  })
  return [
    header('TRANSFER-SERVICE', 5, 'transfer-service \\- boot options of the transfer service'),
    '.SH DESCRIPTION',
    paragraphs(
      'The service and its commands read boot options from the environment and from the file ' +
        'below, with a line NAME=value for each. An option can also be in a file of its own, ' +
        'named by the option with _FILE after its name, or in a systemd credential.\n' +
        'Administrators change all other settings while the service runs.',
    ),
    '.SH OPTIONS',
    ...rows,
    '.SH FILES',
    '.TP',
    argument('/etc/transfer-service/options'),
    'The options.',
    '.TP',
    argument('/etc/transfer-service/credentials'),
    'Files named like options, for secrets: readable by root alone.',
    '.SH SEE ALSO',
    '.BR transfer (1)',
    '',
  ].join('\n')
}

function header(title: string, section: number, name: string): string {
  const source = plain(`transfer-service ${version}`)
  return `.TH ${title} ${section} "" "${source}" "Transfer service"\n.SH NAME\n${name}`
}

function describe(words: string, command: Command): string {
  const given = Object.entries(command.options)
  const specs = command.hasJson
    ? [...given, ['json', { value: null, doc: 'Print one JSON document.' }] as const]
    : given
  const rows = specs.map(([name, { value, doc }]) => {
    const call = value === null ? bold(`--${name}`) : `${bold(`--${name}`)} ${argument(value)}`
    return `.TP\n${call}\n${plain(doc)}`
  })
  const call = `${bold(`transfer ${words}`)} ${argument(command.operands)}`.trimEnd()
  const more = command.more === undefined ? [] : ['.PP', paragraphs(command.more)]
  return [`.SS ${call}`, plain(command.doc), ...more, ...rows].join('\n')
}

function paragraphs(text: string): string {
  return text.split('\n').map(plain).join('\n')
}

function bold(text: string): string {
  return `\\fB${plain(text)}\\fR`
}

function argument(text: string): string {
  return text === '' ? '' : `\\fI${plain(text)}\\fR`
}

/** Text without requests and escapes of troff (groff_man(7)). */
function plain(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replace(/^(?=[.'])/, '\\&')
}
