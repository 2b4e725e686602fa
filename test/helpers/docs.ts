// The pages of docs/ for tests: their blocks, and their tables made from the source.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../../src/lib/package-root.ts'

const docsFolder = path.join(packageRoot, 'docs')

/** A fenced block: the word after its fence, and its lines. */
export interface Block {
  readonly language: string
  readonly text: string
}

/** Names of the pages of the site, without `.md`: those with front matter. */
export function pageIds(): string[] {
  return readdirSync(docsFolder)
    .filter((name) => name.endsWith('.md') && readDoc(name.slice(0, -3)).startsWith('---\n'))
    .map((name) => name.slice(0, -3))
    .toSorted()
}

export function readDoc(id: string): string {
  return readFileSync(path.join(docsFolder, `${id}.md`), 'utf8')
}

/** The blocks of a page in order, exactly as printed there. */
export function blocksOf(id: string): Block[] {
  return blocksIn(readDoc(id))
}

/** The blocks of one section. */
export function blocksUnder(id: string, heading: string): Block[] {
  const section = readDoc(id)
    .split(/^## /m)
    .find((part) => part.startsWith(`${heading}\n`))
  if (section === undefined) throw new Error(`docs/${id}.md has no section "${heading}"`)
  return blocksIn(section)
}

/** The only block of a page in this language. */
export function blockOf(id: string, language: string): string {
  const found = blocksOf(id).filter((block) => block.language === language)
  if (found.length !== 1) throw new Error(`docs/${id}.md has ${found.length} ${language} blocks`)
  return found[0]!.text
}

/** Replaces each, which must be there at least once. */
export function replaceAll(text: string, replacements: Record<string, string>): string {
  let current = text
  for (const [from, to] of Object.entries(replacements)) {
    if (!current.includes(from)) throw new Error(`the block has no ${from}`)
    current = current.replaceAll(from, to)
  }
  return current
}

function blocksIn(text: string): Block[] {
  const found = text.matchAll(/^```(\w*)\n(.*?)^```$/gms)
  return [...found].map(([, language, body]) => ({ language: language!, text: body! }))
}
