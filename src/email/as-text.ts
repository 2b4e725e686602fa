import type { Block, EmailParts } from './blocks.ts'

/** RFC 5322, section 2.1.1. */
const columnsMax = 78
const filesMax = 20

/** The whole email as plain text, for programs and people that read nothing else. */
export function emailAsText({ heading, blocks, footer }: EmailParts): string {
  const body = [wrap(heading), ...blocks.map(asText)].filter(Boolean).join('\n\n')
  return `${body}\n\n-- \n${footer.map((line) => wrap(line)).join('\n')}\n`
}

function asText(block: Block): string {
  switch (block.kind) {
    case 'text':
    case 'note':
    case 'person':
      return wrap(block.text)
    case 'quote':
      return block.text
        .split('\n')
        .map((line) => wrap(line, '> ', '> '))
        .join('\n')
    case 'facts':
      return wrap(block.items.join(' · '))
    case 'list':
      return block.items.map((item) => wrap(item, '- ', '  ')).join('\n')
    case 'files': {
      const shown = block.files.slice(0, filesMax)
      const more = block.more(shown.length)
      const lines = shown.map(({ name, size }) => wrap(`${name} (${size})`, '- ', '  '))
      return [...lines, ...(more === null ? [] : [`- ${more}`])].join('\n')
    }
    case 'button':
      return `${block.text}:\n${block.url}`
  }
}

/** Breaks between words only, so that addresses stay whole. */
function wrap(words: string, first = '', further = ''): string {
  const lines: string[] = []
  let line = first
  let isEmpty = true
  for (const word of words.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > columnsMax) {
      lines.push(line)
      line = further
      isEmpty = true
    }
    line += isEmpty ? word : ` ${word}`
    isEmpty = false
  }
  return [...lines, line].join('\n')
}
