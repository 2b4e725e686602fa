// Reads sources once and takes them apart as far as the checks need: no compiler, a scanner.
import { readFileSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'

/** One source file, its name relative to the package with `/` (`src/app.ts`). */
export interface Source {
  readonly name: string
  readonly text: string
  /** Same length and lines; comments and the insides of strings and regular expressions blanked. */
  readonly code: string
  /** As `code`, but strings are left: for the names that imports carry. */
  readonly uncommented: string
}

export interface Import {
  /** As written: `./share.ts`, `node:fs`, `postgres`. */
  readonly from: string
  readonly isTypeOnly: boolean
  /** Names taken, as the other file exports them; null for all (`import * as`, `import()`). */
  readonly names: readonly string[] | null
  /** For `import * as shares`: `shares`. */
  readonly namespace: string | null
  readonly line: number
}

/** Every file below `folder` whose name matches, read once. */
export function readSources(root: string, folder: string, pattern: RegExp): Source[] {
  return readdirSync(path.join(root, folder), { recursive: true })
    .map((name) => path.posix.join(folder, String(name).replaceAll(path.sep, '/')))
    .filter((name) => pattern.test(name) && statSync(path.join(root, name)).isFile())
    .toSorted()
    .map((name) => readSource(root, name))
}

export function readSource(root: string, name: string): Source {
  return source(name, readFileSync(path.join(root, name), 'utf8'))
}

export function source(name: string, text: string): Source {
  return { name, text, ...blank(text) }
}

export function lineOf(text: string, index: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) {
    line += 1
  }
  return line
}

/** The file that a relative import names, or null for a package. */
export function resolveImport(importer: string, from: string): string | null {
  return from.startsWith('.') ? path.posix.join(path.posix.dirname(importer), from) : null
}

const taken = /(?:(\*)\s*(?:as\s+(\w+)\s+)?|\{([^}]*)\}\s*|[\w$]+\s+)/.source
const importPattern = new RegExp(
  `\\b(?:import|export)\\s+(type\\s+)?${taken}from\\s*'([^']+)'`,
  'g',
)
const dynamicPattern = /\bimport\(\s*'([^']+)'\s*\)|\bimport\s*'([^']+)'/g

export function importsOf(file: Source): Import[] {
  const found: Import[] = []
  for (const match of file.uncommented.matchAll(importPattern)) {
    const [, type, star, namespace, list, from = ''] = match
    const parts = (list ?? '').split(',').map((part) => part.trim())
    const names = parts.filter(Boolean)
    found.push({
      from,
      isTypeOnly: type !== undefined || isListOfTypes(names),
      names: star ? null : names.map((name) => name.replace(/^type\s+/, '').split(/\s+as\s+/)[0]!),
      namespace: namespace ?? null,
      line: lineOf(file.text, match.index),
    })
  }
  for (const match of file.uncommented.matchAll(dynamicPattern)) {
    const line = lineOf(file.text, match.index)
    const from = match[1] ?? match[2] ?? ''
    found.push({ from, isTypeOnly: false, names: null, namespace: null, line })
  }
  return found
}

function isListOfTypes(names: readonly string[]): boolean {
  return names.length > 0 && names.every((name) => name.startsWith('type '))
}

/** A function with a body in braces, from the line its parameters start on to the closing brace. */
export interface FunctionSpan {
  readonly line: number
  readonly lines: number
}

export function functionsOf(file: Source): FunctionSpan[] {
  const { code } = file
  const opens: number[] = []
  const found: FunctionSpan[] = []
  for (let at = 0; at < code.length; at += 1) {
    if (code[at] === '(') opens.push(at)
    if (code[at] !== ')') continue
    const open = opens.pop()
    if (open === undefined || isControl(code, open)) continue
    const body = bodyAfter(code, at + 1)
    if (body === null) continue
    const end = closingOf(code, body)
    const line = lineOf(code, open)
    found.push({ line, lines: lineOf(code, end) - line + 1 })
  }
  return found
}

function isControl(code: string, open: number): boolean {
  return /\b(?:if|for|while|switch|catch|with|await)\s*$/.test(
    code.slice(Math.max(0, open - 12), open),
  )
}

/** Where the body's brace stands after a parameter list, past an arrow and a return type. */
function bodyAfter(code: string, from: number): number | null {
  const direct = /^\s*(?:=>\s*)?\{/.exec(code.slice(from, from + 200))
  if (direct) return from + direct[0].length - 1
  if (!/^\s*:/.test(code.slice(from, from + 200))) return null
  let depth = 0
  let last = ':'
  for (let at = code.indexOf(':', from) + 1; at < code.length; at += 1) {
    const sign = code[at]!
    if (/\s/.test(sign)) continue
    if (sign === '>' && last === '=') {
      if (depth === 0) return bodyAfter(code, at + 1)
    } else if ('<([{'.includes(sign)) {
      // A brace after a whole type opens the body; after a sign that wants a type it is one.
      if (sign === '{' && depth === 0 && !/[:|&<,(=]/.test(last)) return at
      depth += 1
    } else if ('>)]}'.includes(sign)) {
      depth -= 1
      if (depth < 0) return null
    } else if (depth === 0 && /[;,?]/.test(sign)) return null
    last = sign
  }
  return null
}

function closingOf(code: string, open: number): number {
  let depth = 0
  for (let at = open; at < code.length; at += 1) {
    if (code[at] === '{') depth += 1
    if (code[at] === '}') depth -= 1
    if (depth === 0) return at
  }
  return code.length
}

/** Strings, templates (their `${}` stay code), comments and regular expressions of TypeScript. */
function blank(text: string): { code: string; uncommented: string } {
  const code = text.split('')
  const uncommented = text.split('')
  const erase = (from: number, to: number, isComment: boolean) => {
    for (let at = from; at < to; at += 1) {
      if (text[at] === '\n') continue
      code[at] = ' '
      if (isComment) uncommented[at] = ' '
    }
  }
  // Each entry is a template we are inside of: how many braces are open in its `${}`.
  const templates: number[] = []
  let at = 0
  while (at < text.length) {
    const sign = text[at]!
    const start = at
    if (text.startsWith('//', at) || text.startsWith('/*', at)) {
      at = endOfComment(text, at)
      erase(start, at, true)
    } else if (sign === "'" || sign === '"') {
      at = endOfString(text, at, sign)
      erase(start + 1, at - 1, false)
    } else if (sign === '`' || (sign === '}' && templates.at(-1) === 0)) {
      if (sign === '}') templates.pop()
      const end = endOfTemplatePart(text, at + 1)
      erase(start + 1, end.at, false)
      if (end.opensCode) templates.push(0)
      at = end.at + (end.opensCode ? 2 : 1)
    } else if (sign === '/' && !isOfTag(text, at) && startsRegExp(before(code, at))) {
      at = endOfRegExp(text, at)
      erase(start + 1, at - 1, false)
    } else {
      const open = templates.length - 1
      if (open >= 0 && sign === '{') templates[open]! += 1
      if (open >= 0 && sign === '}') templates[open]! -= 1
      at += 1
    }
  }
  return { code: code.join(''), uncommented: uncommented.join('') }
}

function endOfComment(text: string, at: number): number {
  const isLine = text[at + 1] === '/'
  const end = text.indexOf(isLine ? '\n' : '*/', at + 2)
  if (end === -1) return text.length
  return isLine ? end : end + 2
}

function endOfString(text: string, at: number, quote: string): number {
  let end = at + 1
  while (end < text.length && text[end] !== quote && text[end] !== '\n') {
    end += text[end] === '\\' ? 2 : 1
  }
  return end + 1
}

function endOfTemplatePart(text: string, from: number): { at: number; opensCode: boolean } {
  let at = from
  while (at < text.length) {
    if (text[at] === '`') return { at, opensCode: false }
    if (text.startsWith('${', at)) return { at, opensCode: true }
    at += text[at] === '\\' ? 2 : 1
  }
  return { at, opensCode: false }
}

function before(code: readonly string[], at: number): string {
  return code.slice(Math.max(0, at - 80), at).join('')
}

/** `</` and `/>` of JSX. */
function isOfTag(text: string, at: number): boolean {
  return text[at - 1] === '<' || text[at + 1] === '>'
}

/** A slash where a value is expected starts a regular expression; after a value it divides. */
function startsRegExp(before: string): boolean {
  return /(?:^|[(,=:[!&|?{};+~<>]|\breturn|\bcase|\btypeof|\bof|\bin)\s*$/.test(before)
}

function endOfRegExp(text: string, at: number): number {
  let end = at + 1
  let isInClass = false
  while (end < text.length && text[end] !== '\n') {
    if (text[end] === '\\') end += 1
    else if (text[end] === '[') isInClass = true
    else if (text[end] === ']') isInClass = false
    else if (text[end] === '/' && !isInClass) break
    end += 1
  }
  return end + 1
}
