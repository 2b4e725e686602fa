// The HTML of emails, by the rules of programs that know little of it.
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { personInitials } from '../../src/email/blocks.ts'
import { cardColors } from '../../src/email/card-colors.ts'
import { embeddableLogo } from '../../src/email/logo.ts'
import { renderEmail, type TemplateData } from '../../src/email/templates.ts'
import { contrast, parseColor } from '../../src/lib/colors.ts'
import { baseUrl, deployment, emailsWith, sampleEmails, sampleShare } from './samples.ts'

const cards = suite('email: cards')

/** Gmail cuts off what is longer. */
const bytesMax = 102 * 1024
const tags = new Set(
  ['html', 'head', 'meta', 'title', 'style', 'body', 'table', 'tr', 'td'].concat(
    ['h1', 'b', 'bdi', 'span', 'br', 'a', 'img'], // No script, form, link, svg or iframe.
  ),
)
const voidTags = new Set(['meta', 'br', 'img'])

/** Tags with their attributes; throws where they are not nested properly. */
function tagsOf(html: string): { name: string; attributes: Map<string, string> }[] {
  const open: string[] = []
  const found: { name: string; attributes: Map<string, string> }[] = []
  for (const [tag] of html.replace(/^<!doctype html>/, '').matchAll(/<[^>]*>/g)) {
    const parsed = /^<(\/?)([a-z0-9]+)((?: [a-z-]+="[^"<>]*")*)>$/.exec(tag)
    assert.ok(parsed, `unexpected ${tag}`)
    const [, slash, name = '', attributes = ''] = parsed!
    assert.ok(tags.has(name), `unexpected ${tag}`)
    if (slash) assert.is(open.pop(), name, tag)
    else if (!voidTags.has(name)) open.push(name)
    if (slash) continue
    const pairs = [...attributes.matchAll(/ ([a-z-]+)="([^"]*)"/g)]
    found.push({ name, attributes: new Map(pairs.map(([, key, value]) => [key!, value!])) })
  }
  assert.equal(open, [])
  return found
}

const skeletonOf = (html: string) => tagsOf(html).map(({ name }) => name)

function assertNarrow(email: TemplateData, html: string, url: string): void {
  assert.ok(Buffer.byteLength(html) < bytesMax, `${email.kind}: ${Buffer.byteLength(html)}`)
  for (const { name, attributes } of tagsOf(html)) {
    if (name === 'table') {
      assert.is(attributes.get('role'), 'presentation')
      assert.ok(attributes.has('width'), 'a table without a width')
    }
    const href = attributes.get('href')
    if (href !== undefined) assert.ok(href.startsWith(`${url}/`), href)
    if (name === 'img') assert.is(attributes.get('src'), 'cid:logo')
    const style = attributes.get('style') ?? ''
    assert.not.match(style, /url\(|expression|@import|position|flex|grid|var\(/)
    assert.not.match([...attributes.keys()].join(' '), /\bon[a-z]+|background\b/)
  }
  assert.is(html.match(/<style>/g)?.length, 1)
  // Names and messages may hold what looks like an address: as text it leads nowhere.
  const markup = html.replaceAll(/(^|>)[^<]*(?=<(?!\/style>))/g, '$1')
  assert.not.match(markup.replaceAll(url, ''), /https?:|\/\/[a-z]/)
}

const png = (width: number, height: number, bytes = 100) => {
  const data = Buffer.alloc(bytes)
  data.write('\x89PNG\r\n\x1a\n', 'latin1')
  data.writeUInt32BE(width, 16)
  data.writeUInt32BE(height, 20)
  return `data:image/png;base64,${data.toString('base64')}`
}

for (const email of sampleEmails) {
  cards(`should follow the rules of narrow programs in ${email.kind}`, () => {
    for (const logo of ['', png(400, 100)]) {
      const { html } = renderEmail(email, { ...deployment, logo })
      assertNarrow(email, html, baseUrl)
      assert.is(html.includes('<img'), logo !== '')
      assert.match(html, 'width="560" style="width:100%;max-width:560px;')
    }
  })
}

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</td></tr></table></body></html>',
  '</title></style><style>*{display:none}</style>',
  '<!-- ',
  '<![CDATA[',
  '&lt;b&gt; &#60;b&#62;',
  '\u202egpj.exe\u2066\u2069\u200f',
  'שלום '.repeat(200),
  'W'.repeat(10_000),
  '😀'.repeat(5_000),
  'z\u0300\u0301\u0302'.repeat(3_000),
  '\ud83d alone \udc00',
  '\n'.repeat(10_000),
  '"'.repeat(10_000),
  '${x} {n} %s $& $1',
]

for (const words of hostile) {
  cards(`should keep ${JSON.stringify(words.slice(0, 30))} inside the card`, () => {
    // Without line ends and outer spaces, which quotes show and names lose.
    const plain = emailsWith(words.trim() === '' ? '' : 'plain')
    emailsWith(words).forEach((email, index) => {
      const { html } = renderEmail(email, deployment)
      assertNarrow(email, html, baseUrl)
      if (words.includes('\n')) return
      assert.equal(skeletonOf(html), skeletonOf(renderEmail(plain[index]!, deployment).html))
    })
  })
}

cards('should let no name, message or file leave the card', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({
        unit: fc.constantFrom('<', '>', '"', "'", '&', '/', '!', '-', 'a', '=', '\u202e'),
      }),
      (words, markup) => {
        for (const email of emailsWith(words + markup)) {
          const { html, text } = renderEmail(email, deployment)
          assertNarrow(email, html, baseUrl)
          assert.ok(html.isWellFormed() && text.isWellFormed())
          assert.not.match(html + text, /[\u202a-\u202e\u2066-\u2069\0]/)
        }
      },
    ),
    { numRuns: 50 },
  )
})

cards('should stay below the limit of Gmail with 10,000 files and a long message', () => {
  const name = `${'&'.repeat(1_000)}.pdf`
  const firstFiles = Array.from({ length: 20 }, () => ({ name, size: 5_000_000_000_000 }))
  const email = { ...sampleShare, name, firstFiles, fileCount: 10_000, message: '"'.repeat(10_000) }
  const sender = { name, address: `${'a'.repeat(240)}@example.org` }
  const { html } = renderEmail({ ...email, sender }, { ...deployment, appName: name.slice(0, 60) })
  assert.ok(Buffer.byteLength(html) < bytesMax)
  assert.match(html, '+9,995 more')
})

const colors = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`)

cards('should have readable colours for any accent, on any ground', () => {
  fc.assert(
    fc.property(colors, fc.oneof(fc.constant(''), colors), (accentColor, groundColor) => {
      const { light, dark } = cardColors(accentColor, groundColor)
      if (groundColor !== '') assert.is(light.ground, groundColor)
      for (const one of [light, dark]) {
        const { ground, name, footer, card, soft, ink, faint, accent, fill, onFill } = one
        const readable = [
          ...[ink, faint, accent].map((on) => [on, card] as const),
          [name, ground],
          [footer, ground],
          [ink, soft],
          [onFill, fill],
        ] as const
        for (const [on, under] of readable) {
          assert.ok(contrast(parseColor(on!), parseColor(under!)) >= 4.5, `${on} on ${under}`)
        }
      }
    }),
  )
})

for (const [name, expected] of [
  ['Ann Öz', 'AÖ'],
  ['  ann  maria  von  Öz ', 'AÖ'],
  ['Ann', 'A'],
  ['', 'B'],
  ['李 小龙', '李小'],
  ['<b>', 'B'],
  ['😀 !', ''],
  ['\u202eeve', 'E'],
  ['𝒜nn', '𝒜'],
  ['ßen Ær', 'SSÆ'],
] as const) {
  cards(`should show ${JSON.stringify(expected)} for ${JSON.stringify(name)}`, () => {
    assert.is(personInitials({ name, address: 'bo@example.org' }), expected)
  })
}

cards('should embed a logo that every program shows, and only a small one', () => {
  const { width, height } = embeddableLogo(png(800, 100))!
  assert.equal([width, height], [200, 25])
  assert.is(embeddableLogo(png(40, 20))?.width, 40)
  assert.is(embeddableLogo(png(1, 100_000))?.width, 1)
  const jpeg = 'ffd8ffe000044a46ffc0000b080064012c03012200021101'
  const photo = embeddableLogo(
    `data:image/jpeg;base64,${Buffer.from(jpeg, 'hex').toString('base64')}`,
  )
  assert.equal([photo?.width, photo?.height], [120, 40])
  for (const refused of [
    '',
    'data:image/svg+xml;base64,PHN2Zz4=',
    'data:image/webp;base64,AAAA',
    'data:image/png;base64,AAAA',
    'data:image/jpeg;base64,/9j/',
    png(0, 10),
    png(100, 100, 64 * 1024 + 1),
  ]) {
    assert.is(embeddableLogo(refused), null)
  }
})

cards.run()
