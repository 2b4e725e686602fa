// Breaks one rule of the product at a time, by mutations.json, and runs the tests of `npm test`
// that should see it. Writes mutations.md: which test has turned red. A rule that no test sees is
// a gap, and the exit code is 1. Arguments choose rules by words in their names or files; the rows
// of the others stay. Changes only dist-test/, which has the rules back at the end; src/ is only
// read.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const built = path.join(root, process.env.TEST_BUILD || 'dist-test')
const resultFile = path.join(root, 'test', 'mutations.md')
const msMax = 10 * 60_000

/**
 * @typedef {object} Mutation
 * @property {string} rule
 * @property {string} file below src/
 * @property {string} from text that is in the file once
 * @property {string} to
 * @property {readonly string[]} tests arguments of run.mjs
 */

/** @type {readonly Mutation[]} */
const all = JSON.parse(readFileSync(new URL('mutations.json', import.meta.url), 'utf8'))
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const chosen = all.filter(
  ({ rule, file }) =>
    words.length === 0 || words.some((word) => rule.includes(word) || `src/${file}`.includes(word)),
)

/** The mutated source as the build would emit it. @param {Mutation} mutation */
async function emit({ rule, file, from, to }) {
  const source = readFileSync(path.join(root, 'src', file), 'utf8')
  if (source.split(from).length !== 2) throw new Error(`${rule}: src/${file} has not once: ${from}`)
  const { code } = await transform(
    source.replace(from, () => to),
    {
      loader: 'ts',
      format: 'esm',
      target: 'node20.19',
    },
  )
  return code.replaceAll(/(from |import\()"(\.[^"]*)\.ts"/g, '$1"$2.js"')
}

/** The first test that fails; null when all pass. @param {readonly string[]} tests */
async function findRed(tests) {
  const child = spawn(process.execPath, ['test/run.mjs', '--once', ...tests], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: msMax,
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
  await new Promise((resolve) => child.once('close', resolve))
  if (!/^\d+ passed, \d+ failed$/m.test(output))
    throw new Error(`the tests did not run:\n${output}`)
  const [, file, test] = /^FAIL (\S+)\.test\.js · (.*)$/m.exec(output) ?? []
  return file === undefined ? null : `${file} · ${test}`
}

/** Rows that an earlier run has written, by rule. */
function readRows() {
  if (!existsSync(resultFile)) return new Map()
  const lines = readFileSync(resultFile, 'utf8').split('\n')
  return new Map(
    lines.filter((line) => line.startsWith('| ')).map((line) => [line.split(' | ')[0], line]),
  )
}

const cell = (text) => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim()
const code = (text) => (text.trim() === '' ? 'nothing' : `\`${cell(text)}\``)
const keyOf = ({ rule }) => `| ${cell(rule)}`

/** @param {Mutation} mutation @param {string | null} red */
function rowOf(mutation, red) {
  const { file, from, to } = mutation
  const change = `\`${file}\`: ${code(from)} → ${code(to)}`
  return `${keyOf(mutation)} | ${change} | ${red === null ? '**none**' : cell(red)} |`
}

function write(rows) {
  const known = all.map((mutation) => rows.get(keyOf(mutation))).filter(Boolean)
  const text = `# Mutations

Each rule of the product below was broken in the way that is shown, and the test of \`npm test\` that is named turned red. Written by \`node test/mutate.mjs\` ([testing](../docs/testing.md)).

| Rule | Mutation | Seen by |
| --- | --- | --- |
${known.join('\n')}
`
  writeFileSync(resultFile, text)
}

if (!process.argv.includes('--no-build')) {
  const { status } = spawnSync(process.execPath, ['src/build/build.mjs', '--tests'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(1)
}

const rows = readRows()
let unseen = 0
for (const mutation of chosen) {
  const target = path.join(built, 'src', mutation.file.replace(/\.ts$/, '.js'))
  const emitted = readFileSync(target)
  const mutated = await emit(mutation)
  const restore = () => writeFileSync(target, emitted)
  const stop = () => {
    restore()
    process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop)
  try {
    writeFileSync(target, mutated)
    const red = await findRed(mutation.tests)
    if (red === null) unseen += 1
    rows.set(keyOf(mutation), rowOf(mutation, red))
    process.stdout.write(`${red === null ? 'NOT SEEN' : 'seen'}  ${mutation.rule}  ${red ?? ''}\n`)
  } finally {
    restore()
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, stop)
  }
  write(rows)
}
process.stdout.write(`\n${chosen.length - unseen} seen, ${unseen} not seen\n`)
process.exitCode = unseen > 0 || chosen.length === 0 ? 1 : 0
