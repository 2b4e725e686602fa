import { escapeHtml } from '../http/html.ts'
import { withoutDirectionMarks } from '../lib/direction-marks.ts'

/** A block of an email's body; always plain text, escaped when it is rendered. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'quote'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'link'; readonly text: string; readonly url: string }

export function text(words: string): Block {
  return { kind: 'text', text: oneLine(words) }
}

export function quote(words: string): Block {
  return { kind: 'quote', text: visible(words.replaceAll(/\r\n?/g, '\n')) }
}

export function list(items: readonly string[]): Block {
  return { kind: 'list', items: items.map(oneLine) }
}

export function link(words: string, url: string): Block {
  return { kind: 'link', text: words, url: oneLine(url) }
}

/** Signed with the deployment's name, which is one line. */
export function blocksAsText(blocks: readonly Block[], appName: string): string {
  return `${blocks.map(asText).join('\n\n')}\n\n-- \n${appName}\n`
}

/** Signed with the deployment's name, which is one line. */
export function blocksAsHtml(blocks: readonly Block[], appName: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(appName)}</title></head>
<body style="font-family: sans-serif; max-width: 40em">
${blocks.map(asHtml).join('\n')}
<hr>
<p>${escapeHtml(appName)}</p>
</body>
</html>
`
}

function asText(block: Block): string {
  switch (block.kind) {
    case 'text':
      return block.text
    case 'quote':
      return block.text.replaceAll(/^/gm, '> ')
    case 'list':
      return block.items.map((item) => `- ${item}`).join('\n')
    case 'link':
      return `${block.text}:\n${block.url}`
  }
}

function asHtml(block: Block): string {
  switch (block.kind) {
    case 'text':
      return `<p>${escapeHtml(block.text)}</p>`
    case 'quote':
      return `<blockquote style="white-space: pre-wrap">${escapeHtml(block.text)}</blockquote>`
    case 'list':
      return `<ul>${block.items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`
    case 'link': {
      const url = escapeHtml(block.url)
      return `<p><a href="${url}">${escapeHtml(block.text)}</a><br>${url}</p>`
    }
  }
}

/** Prevents texts from starting a header or a paragraph, and names from imitating others. */
export function oneLine(words: string): string {
  return visible(withoutDirectionMarks(words)).replaceAll(/\s+/g, ' ').trim()
}

/**
 * Removes control characters (except line ends) and marks that change the direction of text. Long
 * texts keep those that their language needs.
 */
function visible(words: string): string {
  return words.replaceAll(/(?!\n)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, ' ')
}
