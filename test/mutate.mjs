// Breaks one rule of the product at a time, by the rows of mutations.md, and runs the file of `npm
// test` that the row names: the first test that turns red is written into the row. A rule that no
// test sees is a gap, and the exit code is 1. Arguments choose rules by words in their names or
// files; `--rows` only checks that the text of each row is in its file. Changes only dist-test/,
// which has the rules back at the end; src/ is only read.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
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
 * @property {string} from text that is in the file once, with any white space between its words
 * @property {string} to
 * @property {string} seenBy a test file, and the test of it that has turned red
 */

const text = readFileSync(resultFile, 'utf8')
const cell = (given) => given.replaceAll('|', '\\|')
const plain = (given) => given.trim().replaceAll('\\|', '|')
const code = (given) => (given === 'nothing' ? '' : given.slice(1, -1))

/** @type {readonly Mutation[]} */
const all = text
  .split('\n')
  .filter((line) => / → /.test(line))
  .map((line) => {
    const [, rule, change, seenBy] = line.split(/(?<!\\)\|/).map(plain)
    const [, file, from, to] = /^`([^`]+)`: (.*) → (.*)$/.exec(change)
    return { rule, file, from: code(from), to: code(to), seenBy }
  })
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const chosen = all.filter(
  ({ rule, file }) =>
    words.length === 0 || words.some((word) => rule.includes(word) || `src/${file}`.includes(word)),
)

/** The mutated source as the build would emit it. @param {Mutation} mutation */
async function emit({ rule, file, from, to }) {
  const source = readFileSync(path.join(root, 'src', file), 'utf8')
  const escaped = from.split(' ').map((word) => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
  const parts = source.split(new RegExp(escaped.join('\\s+')))
  if (parts.length !== 2) throw new Error(`${rule}: src/${file} has not once: ${from}`)
  const options = { loader: 'ts', format: 'esm', target: 'node20.19' }
  const { code: emitted } = await transform(parts.join(to), options)
  return emitted.replaceAll(/(from |import\()"(\.[^"]*)\.ts"/g, '$1"$2.js"')
}

/** The first test that fails; null when all pass. @param {string} file */
async function findRed(file) {
  const child = spawn(process.execPath, ['test/run.mjs', '--once', file], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: msMax,
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
  await new Promise((resolve) => child.once('close', resolve))
  if (!/^\d+ passed, \d+ failed$/m.test(output))
    throw new Error(`the tests did not run:\n${output}`)
  const [, red, test] = /^FAIL (\S+)\.test\.js · (.*)$/m.exec(output) ?? []
  return red === undefined ? null : `${red} · ${test}`
}

/** @param {Mutation} mutation */
function rowOf({ rule, file, from, to, seenBy }) {
  const [before, after] = [from, to].map((one) => (one === '' ? 'nothing' : `\`${one}\``))
  return `| ${[rule, `\`${file}\`: ${before} → ${after}`, seenBy].map(cell).join(' | ')} |`
}

if (process.argv.includes('--rows')) {
  for (const mutation of chosen) await emit(mutation)
  process.exit()
}
if (!process.argv.includes('--no-build')) {
  const { status } = spawnSync(process.execPath, ['src/build/build.mjs', '--tests'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(1)
}

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
    const [, file] = /^(?:\*\*none\*\* of )?(\S+)/.exec(mutation.seenBy)
    const red = await findRed(file)
    if (red === null) unseen += 1
    mutation.seenBy = red ?? `**none** of ${file}`
    process.stdout.write(`${red === null ? 'NOT SEEN' : 'seen'}  ${mutation.rule}  ${red ?? ''}\n`)
  } finally {
    restore()
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, stop)
  }
  const head = text.slice(0, text.indexOf('\n| --- |') + '\n| --- | --- | --- |\n'.length)
  writeFileSync(resultFile, `${head}${all.map(rowOf).join('\n')}\n`)
}
process.stdout.write(`\n${chosen.length - unseen} seen, ${unseen} not seen\n`)
process.exitCode = unseen > 0 || chosen.length === 0 ? 1 : 0
