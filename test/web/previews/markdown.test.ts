import * as fc from 'fast-check'
import { options } from 'preact'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { renderMarkdown } from '../../../src/web/views/share/preview/markdown.ts'

const markdown = suite('web: Markdown')

/** Everything that may be on the page. */
const attributesOf: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'rel', 'target'],
  ol: ['start'],
}
const plain =
  'blockquote br code del em h3 h4 h5 h6 hr li p pre strong table tbody td th thead tr ul'
const allowed = new Set([...Object.keys(attributesOf), ...plain.split(' ')])

interface Vnode {
  readonly type: string
  readonly props: Readonly<Record<string, unknown>>
}

const isVnode = (node: unknown): node is Vnode =>
  typeof node === 'object' && node !== null && 'type' in node

/** As HTML, to be compared. Refuses what must not be there. */
function write(node: unknown, inside: readonly string[] = []): string {
  if (Array.isArray(node)) return node.map((one) => write(one, inside)).join('')
  if (typeof node === 'string') return node
  if (!isVnode(node)) {
    assert.ok(node === undefined || node === null, String(node))
    return ''
  }
  const { type, props } = node
  const { children, ...attributes } = props
  assert.ok(allowed.has(type), type)
  assert.ok(inside.length < 60, 'it is not deep')
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined)
  for (const [name, value] of given) {
    assert.ok(attributesOf[type]?.includes(name), name)
    if (name === 'href') assert.match(String(value), /^(https?:\/\/|mailto:)/i)
    if (name === 'start') assert.match(String(value), /^\d{1,9}$/)
  }
  if (type === 'a') {
    assert.not(inside.includes('a'), 'no link is inside of another one')
    assert.equal([props['rel'], props['target']], ['noopener noreferrer', '_blank'])
  }
  const shown = given.filter(([name]) => ['href', 'start'].includes(name))
  const words = shown.map(([name, value]) => ` ${name}=${String(value)}`)
  return `<${type}${words.join('')}>${write(children, [...inside, type])}</${type}>`
}

const html = (source: string) => write(renderMarkdown(source))

const known: [source: string, expected: string][] = [
  ['# One\n## Two ##\nText', '<h3>One</h3><h4>Two</h4><p>Text</p>'],
  ['####### seven', '<p>####### seven</p>'],
  ['Title\n=====\nSub\n---\n\n---', '<h3>Title</h3><h4>Sub</h4><hr></hr>'],
  ['two\nlines  \nbroken\\\nagain', '<p>two\nlines<br></br>broken<br></br>again</p>'],
  [
    '**a** *b* __c__ _d_ ~~e~~',
    '<p><strong>a</strong> <em>b</em> <strong>c</strong> <em>d</em> <del>e</del></p>',
  ],
  ['***both***', '<p><strong><em>both</em></strong></p>'],
  ['2 * 3 * 4, snake_case_name, \\*plain\\*', '<p>2 * 3 * 4, snake_case_name, *plain*</p>'],
  ['`a*b*` and ``c`` and `open', '<p><code>a*b*</code> and <code>c</code> and `open</p>'],
  [
    '- a\n- b\n  - c\n    more\n\n  text\n* d',
    '<ul><li><p>a</p></li><li><p>b</p><ul><li><p>c\nmore</p></li></ul><p>text</p></li><li><p>d</p></li></ul>',
  ],
  ['3. a\nlazy\n4. b', '<ol start=3><li><p>a\nlazy</p></li><li><p>b</p></li></ol>'],
  ['- a\n1. b', '<ul><li><p>a</p></li></ul><ol start=1><li><p>b</p></li></ol>'],
  [
    '> quoted\n> > twice\n\nnot',
    '<blockquote><p>quoted</p><blockquote><p>twice</p></blockquote></blockquote><p>not</p>',
  ],
  ['```js\n# no heading\n<b>\n```\nafter', '<pre><code># no heading\n<b></code></pre><p>after</p>'],
  ['~~~\nopen', '<pre><code>open</code></pre>'],
  ['    four\n\tspaces', '<pre><code>four\nspaces</code></pre>'],
  [
    '| a | b |\n|---|:-:|\n| *1* | 2 |\n',
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><em>1</em></td><td>2</td></tr></tbody></table>',
  ],
  ['a | b\nno table', '<p>a | b\nno table</p>'],
  [
    '[a *b*](https://example.org/x_(y) "title")',
    '<p><a href=https://example.org/x_(y)>a <em>b</em></a></p>',
  ],
  ['[me](mailto:me@example.org)', '<p><a href=mailto:me@example.org>me</a></p>'],
  [
    'See https://example.org/a_b. <https://example.org>',
    '<p>See <a href=https://example.org/a_b>https://example.org/a_b</a>. <a href=https://example.org>https://example.org</a></p>',
  ],
  ['![logo](https://example.org/logo.png)', '<p>logo</p>'],
  [
    '[![badge](https://a.example/b.svg)](https://example.org)',
    '<p><a href=https://example.org>badge</a></p>',
  ],
  [
    '[https://a.example](https://b.example)',
    '<p><a href=https://b.example>https://a.example</a></p>',
  ],
  ['[ref] and [x][y]', '<p>[ref] and [x][y]</p>'],
  [
    '<script>alert(1)</script> <img src=x onerror=alert(1)>',
    '<p><script>alert(1)</script> <img src=x onerror=alert(1)></p>',
  ],
]
for (const [source, expected] of known) {
  markdown(`should render ${JSON.stringify(source).slice(0, 60)}`, () => {
    assert.is(html(source), expected)
    assert.is(html(source.replaceAll('\n', '\r\n')), expected)
  })
}

const refused = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  '&#106;avascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  '//example.org',
  '/api/auth/logout',
  'https:/api/auth/logout',
  'https:api',
  '#anchor',
  '',
]
markdown('should link to websites only', () => {
  for (const href of refused) {
    for (const source of [`[a](${href})`, `[a](<${href}>)`, `![a](${href})`, `<${href}>`]) {
      assert.not.match(html(source), /<a[ >]/, source)
    }
  }
})

const parts = [
  ...'*_~`[]()!<>#->|+=:."\'\\ \t\n\r0aé\u2028\0'.split(''),
  ...'**,__,~~,```,](,![,https://a,javascript:,    ,\n\n,- ,1. ,> ,|-|,---,<img src=x>,&lt;'.split(
    ',',
  ),
  '\ud800',
]
const anyText = fc.oneof(
  fc.array(fc.constantFrom(...parts), { maxLength: 60 }).map((all) => all.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }),
)

markdown('should render any text without an error, and only with known elements', () => {
  fc.assert(
    fc.property(anyText, (source) => void html(source)),
    { numRuns: 3000 },
  )
})

/** Texts that make careless parsers take forever, or overflow the stack. */
const hostile = [
  '**a*b ',
  '*a **b __c _d ~~e ',
  '[a](',
  '[a](b "',
  '![](',
  '[![](a)',
  '[a](((',
  'https://',
  'https://.',
  '`a ``b ```c ',
  '> > ',
  '- - ',
  '  - a\n',
  '-|',
  '|a|b|\n|-|-|\n',
  '_a ',
  '\\',
  '  \n',
  '#  ',
]
for (const piece of hostile) {
  markdown(`should read 300,000 characters of ${JSON.stringify(piece)} in linear time`, () => {
    for (const end of ['', 'x', ' x*']) html(piece.repeat(300_000 / piece.length) + end)
  })
}

markdown('should leave a text to its source that has too many elements', () => {
  assert.is(renderMarkdown('# a\n'.repeat(30_000)), null)
  assert.is(renderMarkdown('*a* '.repeat(30_000)), null)
  assert.is(renderMarkdown(`${'|'.repeat(40)}\n|-|\n${`${'|'.repeat(40)}\n`.repeat(2000)}`), null)
  assert.ok(renderMarkdown('plain words and\nlines\n'.repeat(40_000)))
})

for (const piece of ['|\n', `${'|'.repeat(49)}\n`, '- a\n', '1. a\n', '> - a\n', 'a|b\n']) {
  const lines = JSON.stringify(piece)
  markdown(`should make no more elements than it may of a million characters of ${lines}`, () => {
    let made = 0
    // oxlint-disable-next-line unbound-method -- kept to be put back
    const before = options.vnode
    options.vnode = () => (made += 1)
    try {
      const source = `|a|\n|-|\n${piece.repeat(1_000_000 / piece.length)}`
      assert.is(renderMarkdown(source), null)
    } finally {
      if (before) options.vnode = before
      else delete options.vnode
    }
    assert.ok(made <= 20_100, `${made} elements`)
  })
}
