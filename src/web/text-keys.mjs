// Keys of texts become numbers in the built files, which saves 3.6 KB. Only keys that the source
// names in full: those put together, such as `file.${state}`, are looked up by their names.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve('src/web')
const folders = /^(?:entry|lib|ui|upload|views)\b.*\.tsx?$/
/** A key with a dot, which no other word in the source has. */
const literal = /'(\w+(?:\.\w+)+)'/g
const templateStart = /`(\w[\w.]*)\$\{/g

/**
 * Gives keys that are on the same pages numbers that follow each other.
 * @param {Record<string, Record<string, unknown>>} tables the texts of each page or part
 * @returns {Map<string, number>} for each key that is named in full and never put together
 */
export function numberKeys(tables) {
  const { named, starts } = readUses()
  const isPutTogether = (key) => starts.some((start) => key.startsWith(start))
  const placeOf = (key) =>
    `${Object.keys(tables)
      .filter((part) => key in tables[part])
      .join()} ${key}`
  const keys = new Set(Object.values(tables).flatMap((texts) => Object.keys(texts)))
  const numbered = [...keys].filter((key) => named.has(key) && !isPutTogether(key))
  numbered.sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))
  return new Map(numbered.map((key, index) => [key, index]))
}

function readUses() {
  const named = new Set()
  const starts = new Set()
  for (const name of readdirSync(root, { recursive: true })) {
    if (!folders.test(name)) continue
    const source = readFileSync(path.join(root, name), 'utf8')
    for (const [, key] of source.matchAll(literal)) named.add(key)
    for (const [, start] of source.matchAll(templateStart)) starts.add(start)
  }
  return { named, starts: [...starts].filter((start) => /[._]/.test(start)) }
}

/** The source of a module with numbers in place of keys. */
export function withNumbers(source, numbers) {
  return source.replace(literal, (whole, key) => String(numbers.get(key) ?? whole))
}

/**
 * The texts of a page as `loadTexts` reads them: keys between blanks, and their texts in lines.
 * Keys with numbers that follow each other are one: the first, `+`, and how many. Forms of one text
 * are between bars.
 * @returns {[keys: string, lines: string]}
 */
export function pack(texts, numbers) {
  const names = Object.keys(texts)
  const named = names.filter((key) => !numbers.has(key))
  const numbered = names
    .filter((key) => numbers.has(key))
    .toSorted((one, other) => numbers.get(one) - numbers.get(other))
  const runs = []
  for (const key of numbered) {
    const number = numbers.get(key)
    const last = runs.at(-1)
    if (last && last.first + last.count === number) last.count += 1
    else runs.push({ first: number, count: 1 })
  }
  const keys = [...named, ...runs.map(({ first, count }) => `${first}+${count}`)]
  const lines = [...named, ...numbered].map((key) => toLine(key, texts[key]))
  return [keys.join(' '), lines.join('\n')]
}

function toLine(key, text) {
  const forms = [text].flat()
  if (forms.some((form) => /[|\n]/.test(form))) throw new Error(`${key}: a bar or a second line`)
  return forms.join('|')
}
