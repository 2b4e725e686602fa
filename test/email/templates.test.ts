// Emails as text and as HTML, by the rules of programs that know little of it.
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { personInitials } from '../../src/email/blocks.ts'
import { cardColors } from '../../src/email/as-html.ts'
import { embeddableLogo } from '../../src/email/logo.ts'
import { renderEmail, type TemplateData } from '../../src/email/templates.ts'
import { contrast, parseColor } from '../../src/lib/colors.ts'
import { baseUrl, deployment, emailsWith, sampleEmails, sampleShare } from './samples.ts'

const emails = suite('email: templates')
const bad = '<script>alert("1")</script> & \'x\'\r\nBcc: eve@evil.org\u202eg\u200fpj.exe\0'
const url = `${baseUrl}/s/abc`

/** As one line, because lines are broken at 78 characters. */
const flat = (text: string) => text.replaceAll(/\s+/g, ' ')

for (const email of emailsWith(bad)) {
  emails(`should make every user text harmless in ${email.kind}`, () => {
    const content = renderEmail(email, { ...deployment, appName: bad })
    assert.not.match(content.html, '<script')
    assert.match(content.html, '&lt;script&gt;')
    assert.not.match(content.subject, /[\p{Cc}\u202e\u200f]/u)
    assert.not.match(content.text + content.html, /[\0\u202e]/)
    // A word may begin a line, but no line is its own paragraph or ends the text.
    assert.not.match(content.text, /\r|\nBcc:.*\n\n|\n-- \n[^]*\n-- \n/)
    assert.not.match(content.replyTo?.name ?? '', /\p{Cc}/u)
    assert.ok(content.subject.length <= 150)
    if ('url' in email) {
      assert.match(content.text, url)
      assert.match(content.html, `href="${url}"`)
    }
  })
}

emails('should not speak for an address that is not verified', () => {
  const { text, html, replyTo } = renderEmail(
    { ...sampleShare, sender: { userId: 1, name: 'Mal', address: '' } },
    deployment,
  )
  assert.is(replyTo, null)
  assert.match(text, 'Mal sent you files.')
  assert.not.match(text + html, '()')
})

emails('should show title, message, number, size, files and expiry of a share', () => {
  const share = { ...sampleShare, name: 'Fotos für Oma', message: 'Liebe Oma,\nschau!' }
  const { subject, text, html, replyTo } = renderEmail({ ...share, fileCount: 15 }, deployment)
  assert.is(subject, 'Ann Öz sent you “Fotos für Oma”')
  assert.equal(replyTo, { name: 'Ann Öz', address: 'ann@example.org' })
  for (const part of [
    'Fotos für Oma\n\nAnn Öz (ann@example.org) sent you files.',
    '> Liebe Oma,\n> schau!',
    '15 files · 2.3 MB · expires Thu, 24 Dec 2026, 18:00 UTC\n',
    '- beach.mp4 (2.3 GB)\n- day 1/group photo.jpg (4.2 MB)\n- list.txt (678 bytes)\n- +12 more',
    `Open the files:\n${url}`,
    'because Ann Öz entered your address',
  ]) {
    assert.match(text, part)
  }
  for (const part of ['>AÖ</td>', '>Fotos für Oma</h1>', '+12 more', 'Liebe Oma,<br>\nschau!']) {
    assert.match(html, part)
  }
  assert.not.match(text, 'password')
})

emails('should name password and download limit, and no file of a protected share', () => {
  const share = { ...sampleShare, isProtected: true, firstFiles: [], maxDownloads: 3 }
  const { text, html } = renderEmail(share, deployment)
  assert.match(flat(text), '18:00 UTC · password needed · for up to 3 people')
  assert.match(text, 'The link needs a password. Ask Ann Öz for it. The files are shown after')
  assert.not.match(text + html, 'beach')
})

emails('should say where the message of a protected share is', () => {
  const share = { ...sampleShare, message: '', isProtected: true, isMessageHidden: true }
  const { text } = renderEmail({ ...share, firstFiles: [] }, deployment)
  assert.match(flat(text), 'The message and the files are shown after the password.')
})

emails('should begin the facts of a request like a sentence, below its instructions', () => {
  const request = { ...sampleShare, kind: 'drop_off', instructions: 'Scans of\nall pages' } as const
  const { text, html } = renderEmail({ ...request, sizeMax: 0 }, deployment)
  assert.match(text, '\n\n> Scans of\n> all pages\n\n')
  assert.match(html, 'Scans of<br>\nall pages')
  assert.match(text, '\n\nExpires Thu, 24 Dec 2026, 18:00 UTC\n\n')
})

for (const [others, isDelivery, subject, sentence] of [
  [0, false, 'A file is damaged: “a”', 'downloaded. Send it again, and'],
  [1, false, '2 files are damaged: “a” and 1 more', '“a” and 1 more file of your share are'],
  [1, true, '2 files are damaged: “a” and 1 more', 'downloaded. Ask for them again, and'],
  [2, true, '3 files are damaged: “a” and 2 more', '“a” and 2 more files delivered to you are'],
] as const) {
  const what = `${others + 1} damaged ${isDelivery ? 'delivered' : 'shared'}`
  emails(`should say of ${what} files what is known and what to do`, () => {
    const content = renderEmail(
      { kind: 'damaged_file', fileName: 'a', others, name: '', isDelivery, url },
      deployment,
    )
    assert.is(content.subject, subject)
    assert.match(flat(content.text), sentence)
    assert.not.match(content.text, 'other files')
  })
}

for (const [name, fileCount, subject, sentence] of [
  ['Holiday', 1, 'Ann added 1 file to “Holiday”', '(ann@example.org) added 1 file to “Holiday”.'],
  ['', 3, 'Ann added 3 files', 'added 3 files to an earlier share Ann (ann@example.org)'],
] as const) {
  emails(`should show the files added to a share named “${name}”`, () => {
    const sender = { userId: 1, name: 'Ann', address: 'ann@example.org' }
    const content = renderEmail(
      { ...sampleShare, kind: 'added_files', sender, name, fileCount, expiresAt: null },
      deployment,
    )
    assert.is(content.subject, subject)
    assert.match(flat(content.text), `Ann ${sentence}`)
    assert.match(content.text, `Open the files:\n${url}`)
    assert.not.match(content.text, /password|expires/)
  })
}

emails('should list twenty files of a delivery as text, and five in the card', () => {
  const firstFiles = Array.from({ length: 30 }, (_, index) => {
    return {
      name: `Harbour project/Pictures of the harbour at dawn from the pier ${30 - index}.txt`,
      size: 10,
    }
  })
  const [delivery] = sampleEmails.filter(({ kind }) => kind === 'delivery')
  const email = { ...delivery, firstFiles, fileCount: 10_000 } as TemplateData
  const { text, html } = renderEmail(email, deployment)
  assert.is(text.match(/^- /gm)?.length, 21)
  assert.match(text, '+9,980 more')
  // In order; without folders, and with the ending.
  const shown = [11, 12, 13, 14, 15].map(
    (number) => `Pictures of the harbou…n from the pier ${number}.txt`,
  )
  const names = [...html.matchAll(/<bdi>(.*?)<\/bdi>/g)].map(([, name]) => name)
  assert.equal(names, shown)
  assert.match(html, '+9,995 more')
})

emails('should give no initials to an unknown guest', () => {
  const [delivery] = sampleEmails.filter(({ kind }) => kind === 'delivery')
  const email = { ...delivery, guestName: '', guestEmail: '' } as TemplateData
  assert.not.match(renderEmail(email, deployment).html, 'border-radius:22px')
})

emails('should be complete and of narrow lines as plain text', () => {
  for (const email of [...sampleEmails, ...emailsWith('many words '.repeat(500))]) {
    const { text } = renderEmail(email, deployment)
    for (const line of text.split('\n')) assert.ok(line.length <= 78, `${email.kind}: ${line}`)
    assert.match(text, '\n\n-- \nSent ')
  }
  const message = 'All of it. '.repeat(900)
  assert.match(
    flat(renderEmail({ ...sampleShare, message }, deployment).text.replaceAll('\n> ', ' ')),
    message.trim(),
  )
})

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
    for (const logo of ['', png(400, 100), 'data:image/svg+xml;base64,AAAA']) {
      const { html } = renderEmail(email, { ...deployment, logo })
      assertNarrow(email, html, baseUrl)
      assert.is(html.includes('<img'), !logo.includes('svg'))
      assert.match(html, 'width="560" style="width:100%;max-width:560px;')
    }
  })
}

// oxfmt-ignore
const hostile = [
  '<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "' onmouseover='alert(1)",
  '</td></tr></table></body></html>', '</title></style><style>*{display:none}</style>', '<!-- ',
  '<![CDATA[', '&lt;b&gt; &#60;b&#62;', '\u202egpj.exe\u2066\u2069\u200f', 'שלום '.repeat(200),
  'W'.repeat(10_000), '😀'.repeat(5_000), 'z\u0300\u0301\u0302'.repeat(3_000),
  '\ud83d alone \udc00', '\n'.repeat(10_000), '"'.repeat(10_000), '${x} {n} %s $& $1',
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
  ['Jürgen Müller-Lüdenscheidt', 'JM'],
  ['  Zoë (Photos) ', 'ZP'],
  ['Иван Иванович Петров', 'ИП'],
  ['  ann  maria  von  Öz ', 'AÖ'],
  ['', 'BW'],
  ['李 小龙', '李小'],
  ['😀 !', ''],
  ['𝒜nn', '𝒜'],
  ['ßen Ær', 'SSÆ'],
] as const) {
  cards(`should show ${JSON.stringify(expected)} for ${JSON.stringify(name)}`, () => {
    assert.is(personInitials({ name, address: 'bo.weber@example.org' }), expected)
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
