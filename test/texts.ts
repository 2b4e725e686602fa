// `npm run texts`: prints all texts of the product, in the order of their use, to be read aloud.
// Screens, emails and help are shown as users see them; every other sentence is found in the code.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'acorn'
import { commands } from '../src/cli/commands.ts'
import { describeCommand, listCommands } from '../src/cli/help.ts'
import { renderEmail } from '../src/email/templates.ts'
import { deployment, sampleEmails } from './email/samples.ts'

const sources = fileURLToPath(new URL('../src', import.meta.url))
/** SQL, and texts shown as users see them. */
const notWalked =
  /sql\.js$|^web\/(i18n|lib|ui|upload|views)|^cli\/(commands|help)|^email\/.*templates/

interface Node {
  readonly type: string
  readonly name?: string
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

const say = (line: string) => process.stdout.write(`${line}\n`)

/** `a.b` of a callee or a key. */
function nameOf(node: unknown): string {
  if (!isNode(node)) return ''
  if (node.type !== 'MemberExpression') return node.name ?? JSON.stringify(node['value']) ?? ''
  return `${nameOf(node['object'])}.${nameOf(node['property'])}`.replace(/^.*\.(?=\w+\.)/, '')
}

function textOf(node: Node): string | null {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value']
  if (node.type === 'BinaryExpression' && node['operator'] === '+') {
    return `${textOf(node['left'] as Node) ?? '…'}${textOf(node['right'] as Node) ?? '…'}`
  }
  if (node.type !== 'TemplateLiteral') return null
  return (node['quasis'] as { value: { cooked: string } }[])
    .map(({ value }) => value.cooked)
    .join('…')
}

/** Texts of two words or more, each with its call or key. */
function* sentencesIn(node: Node, use: string): Generator<string> {
  const text = textOf(node)
  if (text !== null && /[a-z…,:.”] +[a-z…“]/i.test(text)) yield `${use}: ${text}`
  if (/^(Tagged|Import)/.test(node.type) || (text && node.type === 'BinaryExpression')) return
  const owner = node.type === 'Property' ? node['key'] : node['callee']
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) yield* sentencesIn(child, nameOf(owner) || use)
    }
  }
}

function sayCode(folder: RegExp): void {
  for (const name of readdirSync(sources, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (!name.endsWith('.js') || notWalked.test(name) || !folder.test(name)) continue
    const code = readFileSync(path.join(sources, name), 'utf8')
    const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' })
    const sentences = [...sentencesIn(program as unknown as Node, '')]
    if (sentences.length > 0) say(`\n## src/${name.replace(/js$/, 'ts')}\n`)
    sentences.forEach(say)
  }
}

async function sayScreens(): Promise<void> {
  const folder = path.join(sources, 'web/i18n')
  const shown = new Set<string>()
  for (const name of readdirSync(path.join(folder, 'en')).filter((each) => each.endsWith('.js'))) {
    say(`\n## src/web/i18n/*/${name.replace(/js$/, 'ts')}\n`)
    const load = async (language: string): Promise<[string, string | string[]][]> =>
      Object.values((await import(path.join(folder, language, name))) as object).flatMap(
        (table: Record<string, string>) => Object.entries(table),
      )
    const german = Object.fromEntries(await load('de'))
    for (const [key, text] of (await load('en')).filter(([each]) => !shown.has(each))) {
      say(`${key}: ${String(text)}\n    ${String(german[key])}`)
      shown.add(key)
    }
  }
}

say('# Errors')
sayCode(/^lib\/errors/)
say('\n# Screens')
await sayScreens()
say('\n# Emails')
for (const email of sampleEmails) {
  const { subject, text } = renderEmail(email, deployment)
  say(`\n## ${email.kind}: ${subject}\n\n${text}`)
}
say('\n# Command line\n')
say(listCommands())
for (const words of Object.keys(commands)) say(`\n${describeCommand(words)}`)
sayCode(/^cli/)
say('\n# Options, settings, events')
sayCode(/^(config|settings|audit)/)
say('\n# The rest: operations, messages, log lines')
sayCode(/^(?!lib\/errors|cli|config|settings|audit)/)
