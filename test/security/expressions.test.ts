// Regular expressions of the service match in linear time: their input may come from anyone.
import { parse } from 'acorn'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { analyse } from 'scslre'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

/** As written by the build of the tests. */
const sources = path.resolve(import.meta.dirname, '../../src')
/** Runs in the user's own browser, or over our own documents when they are built. */
const elsewhere = /^(?:web\/(?!pages\/)|site\/publishing\/)/

interface Expression {
  readonly source: string
  readonly flags: string
}

function expressionsOf(code: string): Expression[] {
  const found: Expression[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) return node.forEach(visit)
    const { type, regex, callee, arguments: given } = node as any
    if (type === 'Literal' && regex) found.push({ source: regex.pattern, flags: regex.flags })
    // The build's form of an expression that the oldest Node does not know as a literal.
    if (type === 'NewExpression' && callee.name === 'RegExp' && given[0]?.type === 'Literal') {
      found.push({ source: given[0].value, flags: given[1]?.value ?? '' })
    }
    for (const child of Object.values(node)) visit(child)
  }
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true }))
  return found
}

/** The reason why an expression takes more than linear time. */
function superLinear(expression: Expression): string[] {
  const { reports } = analyse(expression, { reportTypes: { Move: true, Self: true, Trade: true } })
  return reports.map(({ type, exponential }) => (exponential ? `${type}, exponential` : type))
}

const expressions = suite('security: regular expressions')

const known: [expression: RegExp, isLinear: boolean][] = [
  [/^[ \t]*bytes=(.*)$/i, true],
  [/^\d+-\d+$/, true],
  [/[ \t]+$/, false],
  [/\s*;\s*q=/, false],
  [/^(a+)+$/, false],
  [/^(\w+) *(\w+)$/, false],
]
for (const [expression, isLinear] of known) {
  expressions(`should find ${expression} ${isLinear ? 'linear' : 'super-linear'}`, () => {
    assert.is(superLinear(expression).length === 0, isLinear)
  })
}

expressions('should all match in linear time', () => {
  const files = readdirSync(sources, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.js') && !elsewhere.test(name))
  const found = files.flatMap((name) =>
    expressionsOf(readFileSync(path.join(sources, name), 'utf8')).map((expression) => ({
      name,
      expression: `/${expression.source}/${expression.flags}`,
      problems: superLinear(expression),
    })),
  )
  assert.ok(found.length > 100, `${found.length} expressions were found`)
  assert.equal(
    found.filter(({ problems }) => problems.length > 0),
    [],
  )
})
