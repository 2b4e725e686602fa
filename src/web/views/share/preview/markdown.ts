import { h, type ComponentChildren } from 'preact'

/** Elements; browsers would take seconds for more. */
const elementsMax = 20_000
const depthMax = 8
const columnsMax = 50

/** Fence; heading; rule; quote; item of a list, and its number; indented code. */
const beginnings = [
  / {0,3}(?:(`{3,}|~{3,})|(#{1,6}) +(.*)|(([-*_])(?: *\5){2,} *$))/,
  / {0,3}(?:(>)|([-*+]|(\d{1,9})[.)])(?: +|$))/,
  / {4} *(\S)/,
]
const beginning = new RegExp(`^(?:${beginnings.map(({ source }) => source).join('|')})`)
/** Makes the paragraph above it a heading. */
const underline = /^ {0,3}([=-])\1* *$/

const isTableRule = (line: string) => /^[ |:-]+$/.test(line) && /-:? *\|/.test(line)

const linkTail = /\(((?:[^\s()]|\([^\s()]*\))*)(?: "[^"]*")?\)/.source
const label = /[^[\]]*(?:!\[[^[\]]*\]\([^\s()]*\)[^[\]]*)*/.source
/** Each ends at the first character of its own, so that all of them take linear time. */
const tokens = new RegExp(
  [
    /\\([!-/:-@[-`{-~\n])/.source,
    /(`{1,3})([^`]+)\2/.source,
    /\*\*(?=\S)([^*]+|\*[^*]+\*)\*\*/.source,
    /\b__(?=\S)([^_]+)__\b/.source,
    /\*(?=\S)([^*]*[^\s*])\*/.source,
    /\b_(?=\S)([^_]*[^\s_])_\b/.source,
    /~~(?=\S)([^~]+)~~/.source,
    `(!?)\\[(${label})\\]${linkTail}`,
    /<?(https?:\/\/[^\s<>()"]*[^\s<>()".,;:!?'*_~])>?/.source,
  ].join('|'),
  'g',
)

type Nodes = ComponentChildren[]
/** Makes an element, and counts it. */
type Make = (name: string, children?: ComponentChildren, attributes?: object) => ComponentChildren

interface Maker {
  left: number
  readonly make: Make
}

/**
 * Markdown as elements, in linear time. HTML is shown as text, and so are images, and links to
 * other places than websites. Null for a text with too many elements.
 */
export function renderMarkdown(source: string): Nodes | null {
  const maker: Maker = {
    left: elementsMax,
    make(name, children, attributes = {}) {
      maker.left -= 1
      return h(name, attributes, children)
    },
  }
  const lines = source.replaceAll('\t', '    ').split(/\r\n?|[\n\u2028\u2029]/)
  const made = blocks(new Lines(lines), maker, 0)
  return maker.left > 0 ? made : null
}

function inline(maker: Maker, text: string, isLink = false): Nodes {
  const { make } = maker
  const inside = (inner: string) => inline(maker, inner, isLink)
  const nodes: Nodes = []
  let from = 0
  for (const found of text.matchAll(tokens)) {
    if (maker.left < 0) break
    maker.left -= 1
    const [whole, escaped, , code, star2, line2, star, line, tilde, bang, words, href, url] = found
    const strong = star2 ?? line2
    const emphasis = star ?? line
    nodes.push(text.slice(from, found.index))
    from = found.index + whole.length
    if (escaped) nodes.push(escaped === '\n' ? make('br') : escaped)
    else if (code) nodes.push(make('code', code))
    else if (strong) nodes.push(make('strong', inside(strong)))
    else if (emphasis) nodes.push(make('em', inside(emphasis)))
    else if (tilde) nodes.push(make('del', inside(tilde)))
    else if (bang || isLink) nodes.push(words ?? url)
    else nodes.push(link(maker, href ?? url!, url ?? inline(maker, words!, true)))
  }
  nodes.push(text.slice(from))
  return nodes
}

const link = ({ make }: Maker, href: string, children: ComponentChildren) =>
  /^(https?:\/\/|mailto:)/i.test(href)
    ? make('a', children, { href, target: '_blank', rel: 'noopener noreferrer' })
    : children

/** Lines that are taken one after the other. */
class Lines {
  readonly #lines: readonly string[]
  #at = 0

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  /** The first that is left. */
  get next() {
    return this.#lines[this.#at]
  }

  skip(): void {
    this.#at += 1
  }

  take(belongs: (line: string) => unknown): readonly string[] {
    const from = this.#at
    while (this.next !== undefined && belongs(this.next)) this.skip()
    return this.#lines.slice(from, this.#at)
  }

  takeText() {
    return this.take((line) => line.trim() && !beginning.test(line) && !underline.test(line))
  }

  takeIndented(least: number, width: number) {
    return this.take((line) => !line.trim() || line.search(/\S/) >= least).map((line) =>
      line.slice(Math.min(width, line.search(/\S|$/))),
    )
  }
}

/** Blocks of the text, of a quote, or of an item. */
function blocks(lines: Lines, maker: Maker, depth: number): Nodes {
  const { make } = maker
  const inside = (inner: readonly string[]) => blocks(new Lines(inner), maker, depth + 1)
  const takeBlock = (line: string) => {
    const found = depth < depthMax && beginning.exec(line)
    const [, fence, hashes, title, rule, , quote, item, number, code] = found || []
    if (code) return make('pre', make('code', lines.takeIndented(4, 4).join('\n')))
    if (quote) {
      const quoted = lines.take((inner) => /^ {0,3}>/.test(inner))
      return make('blockquote', inside(quoted.map((inner) => inner.replace(/^ *> ?/, ''))))
    }
    if (item) {
      const items = takeItems(lines, maker, number, (inner) => make('li', inside(inner)))
      return make(number ? 'ol' : 'ul', items, { start: number })
    }
    lines.skip()
    if (fence) {
      const inner = lines.take((next) => !next.trim().startsWith(fence))
      lines.skip()
      return make('pre', make('code', inner.join('\n')))
    }
    if (hashes) {
      const text = title!.replace(/ #+ *$/, '')
      return make(`h${Math.min(6, hashes.length + 2)}`, inline(maker, text))
    }
    if (rule) return make('hr')
    if (line.includes('|') && isTableRule(lines.next ?? '')) return takeTable(lines, maker, line)
    return line.trim() && takeParagraph(lines, maker, line)
  }
  const made: Nodes = []
  while (lines.next !== undefined && maker.left > 0) made.push(takeBlock(lines.next))
  return made
}

/** Items of one list, numbered or not, until there are too many elements. */
function takeItems(
  lines: Lines,
  maker: Maker,
  number: string | undefined,
  makeItem: (inner: readonly string[]) => ComponentChildren,
) {
  const items: Nodes = []
  while (maker.left > 0) {
    const [marker, , , , , , , item, itemNumber] = beginning.exec(lines.next ?? '') ?? []
    if (!item || !itemNumber !== !number) break
    const first = lines.next!.slice(marker!.length)
    lines.skip()
    items.push(makeItem([first, ...lines.takeText(), ...lines.takeIndented(2, marker!.length)]))
  }
  return items
}

function takeTable(lines: Lines, maker: Maker, head: string) {
  const { make } = maker
  const row = (line: string, name: string) => {
    const cells = line.replace(/^ *\||\| *$/g, '').split('|', columnsMax)
    return make(
      'tr',
      cells.map((cell) => make(name, inline(maker, cell.trim()))),
    )
  }
  lines.skip()
  const rows: Nodes = []
  for (; maker.left > 0 && lines.next?.includes('|'); lines.skip()) rows.push(row(lines.next, 'td'))
  return make('table', [make('thead', row(head, 'th')), make('tbody', rows)])
}

function takeParagraph(lines: Lines, maker: Maker, line: string) {
  const text = [line, ...lines.takeText()]
    .map((next) => next.trim() + (next.endsWith('  ') ? '\\' : ''))
    .join('\n')
  const [, drawn] = underline.exec(lines.next ?? '') ?? []
  if (drawn) lines.skip()
  return maker.make(drawn ? (drawn === '=' ? 'h3' : 'h4') : 'p', inline(maker, text))
}
