// The console blocks of the documentation as scripts, by block-table.mjs.
//   node console-blocks.mjs check        prints blocks without a row, rows without a block
//   node console-blocks.mjs list         a line for each group: number, page, machine, systemd
//   node console-blocks.mjs script <n>   the group as a script for its machine
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { elsewhere, groups } from './block-table.mjs'

const root = path.join(import.meta.dirname, '../..')
const docs = path.join(root, 'docs')

/** Blocks that test/journeys/docs.machine.ts does not run. */
function pagesOfBlocks() {
  const pages = new Map()
  for (const name of readdirSync(docs).filter((one) => one.endsWith('.md'))) {
    const text = readFileSync(path.join(docs, name), 'utf8')
    const languages = text.startsWith('---\n') ? ['console'] : ['console', 'sh']
    pages.set(name.slice(0, -3), blocksIn(text, languages))
  }
  for (const name of ['README', 'CONTRIBUTING', 'SECURITY']) {
    const text = readFileSync(path.join(root, `${name}.md`), 'utf8')
    pages.set(name, blocksIn(text, ['console', 'sh']))
  }
  return pages
}

function blocksIn(text, languages) {
  const found = text.matchAll(/^```(\w*)\n(.*?)^```$/gms)
  return [...found].filter((one) => languages.includes(one[1])).map((one) => one[2])
}

/** A line for each block that nobody runs, and each row without a block. */
function findMistakes() {
  const mistakes = []
  for (const [page, blocks] of pagesOfBlocks()) {
    const rules = [
      ...groups.filter((one) => one.page === page).flatMap((one) => one.blocks),
      ...(elsewhere[page] ?? []).map(([begins]) => ({ begins })),
    ]
    for (const text of blocks) {
      const found = rules.filter(({ begins }) => text.startsWith(begins))
      if (found.length === 1) continue
      const problem = found.length === 0 ? 'nobody runs' : 'more than one row runs'
      mistakes.push(`${page}.md: ${problem} the block that begins with: ${text.split('\n')[0]}`)
    }
    for (const rule of rules) {
      const text = blocks.find((one) => one.startsWith(rule.begins))
      if (text === undefined) mistakes.push(`${page}.md: no block begins with: ${rule.begins}`)
      for (const key of Object.keys(rule.values ?? {})) {
        if (text && !text.includes(key)) mistakes.push(`${page}.md: a block does not have: ${key}`)
      }
    }
  }
  for (const page of [...groups.map((one) => one.page), ...Object.keys(elsewhere)]) {
    if (!pagesOfBlocks().has(page)) mistakes.push(`${page}.md: there is no page`)
  }
  return mistakes
}

function scriptOf(place) {
  const { page, folder = '/root', before = '', blocks } = groups[place]
  const printed = pagesOfBlocks().get(page)
  const printedOf = ({ begins }) => printed.find((text) => text.startsWith(begins))
  const parts = blocks.map((rule) => stepOf(rule, printedOf(rule)))
  const python = blocksIn(readFileSync(fileOf(page), 'utf8'), ['python'])
    .map((text) => `cat >/tmp/${page}.py <<'END OF PYTHON'\n${text}END OF PYTHON\n`)
    .join('')
  return `${python}cd ${folder}\n${before}\n${parts.join('\n')}\necho '=== end'\n`
}

function stepOf(rule, text) {
  let commands = text
  for (const [key, value] of Object.entries(rule.values ?? {})) {
    commands = commands.replaceAll(key, value)
  }
  if (rule.into) commands = `cat >>${rule.into} <<'END OF BLOCK'\n${commands}END OF BLOCK\n`
  if (rule.foreground) {
    const lines = commands.trimEnd().replaceAll('\\\n', ' ').split('\n')
    const last = lines.pop()
    const quote = (one) => `'${one.replaceAll("'", `'\\''`)}'`
    lines.push(`foreground ${quote(last ?? '')} ${quote(rule.foreground)}`)
    commands = `${lines.join('\n')}\n`
  }
  if (rule.input) {
    commands = `printf '${rule.input.replaceAll('\n', '\\n')}' >/tmp/typed
exec 3<&0 </tmp/typed
${commands}exec 0<&3 3<&-
`
  }
  const title = text.split('\n')[0]?.replaceAll("'", '"')
  const check = [rule.expect, rule.foreground ? 'end_foreground' : ''].filter(Boolean).join('\n')
  return `${rule.before ?? ''}
echo '=== ${title}'
${commands}${check}`
}

function fileOf(page) {
  return /^[A-Z]/.test(page) ? path.join(root, `${page}.md`) : path.join(docs, `${page}.md`)
}

const [what, place] = process.argv.slice(2)
if (what === 'script') {
  process.stdout.write(scriptOf(Number(place)))
} else if (what === 'list') {
  for (const [index, { page, on, withoutSystemd, blocks }] of groups.entries()) {
    const needs = withoutSystemd ? 'nothing' : 'systemd'
    process.stdout.write(`${index} ${page} ${on} ${needs} ${blocks.length}\n`)
  }
} else {
  const mistakes = findMistakes()
  for (const line of mistakes) process.stdout.write(`${line}\n`)
  process.exitCode = mistakes.length > 0 ? 1 : 0
}
