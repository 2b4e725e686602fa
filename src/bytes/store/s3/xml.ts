/** An element of an answer; attributes are left out. */
export interface XmlElement {
  readonly name: string
  /** Text directly in it. */
  readonly text: string
  readonly children: readonly XmlElement[]
}

const depthMax = 8
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

/**
 * Reads what stores answer: elements and text, no comments, no document types. One pass, in time
 * that is linear in the length.
 * @throws Error for anything else
 */
export function parseXml(source: string): XmlElement {
  let at = 0
  const failure = () => new Error(`the store answered with XML that is not valid at ${at}`)
  const takeUntil = (end: string): string => {
    const found = source.indexOf(end, at)
    if (found === -1) throw failure()
    const taken = source.slice(at, found)
    at = found + end.length
    return taken
  }
  const readElement = (depth: number): XmlElement => {
    const tag = takeUntil('>')
    const isEmpty = tag.endsWith('/')
    const name = /^[A-Za-z][\w.:-]*/.exec(tag)?.[0]
    if (name === undefined || depth > depthMax) throw failure()
    const children: XmlElement[] = []
    if (isEmpty) return { name, text: '', children }
    let text = ''
    for (;;) {
      text += takeUntil('<')
      if (source[at] !== '/') {
        children.push(readElement(depth + 1))
        continue
      }
      if (takeUntil('>').slice(1).trimEnd() !== name) throw failure()
      return { name, text: decode(text), children }
    }
  }
  takeUntil('<')
  if (source[at] === '?') {
    takeUntil('?>')
    takeUntil('<')
  }
  return readElement(1)
}

/** The text of the first child with this name; null without one. */
export function textOf(element: XmlElement, name: string): string | null {
  return element.children.find((child) => child.name === name)?.text ?? null
}

export function childrenOf(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child) => child.name === name)
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => {
    const name = Object.keys(entities).find((known) => entities[known] === character)!
    return `&${name};`
  })
}

/** Unknown entities stay as they are. */
function decode(text: string): string {
  return text.replace(/&([a-z]{2,4});/g, (whole, name: string) => entities[name] ?? whole)
}
