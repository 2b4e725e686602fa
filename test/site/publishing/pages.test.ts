import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { placeholders } from '../../../src/site/library.ts'
import { readPages, type Page } from '../../../src/site/publishing/pages.ts'
import { renderMarkdown } from '../../../src/site/publishing/markdown.ts'
import { readPictures, type Picture } from '../../../src/site/publishing/pictures.ts'
import { pluck } from '../../helpers/client.ts'

interface Folder {
  path: string
  write(name: string, text: string): void
}

const pages = suite<Folder>('publishing: pages')

pages.before.each((folder) => {
  folder.path = mkdtempSync(path.join(tmpdir(), 'transfer-test-pages-'))
  folder.write = (name, text) => writeFileSync(path.join(folder.path, name), text)
})
pages.after.each((folder) => rmSync(folder.path, { recursive: true, force: true }))

const head = (title: string, more = '') =>
  `---\ntitle: ${title}\ndescription: About ${title}: all of it.\n${more}---\n\n# ${title}\n`

pages('should have full links in their Markdown, and short ones on the page', (folder) => {
  folder.write(
    'a.md',
    `${head('A')}\n[b](b.md#part) [first](index.md) [all](/llms.txt)\n[out](https://x.org/b.md)\n`,
  )
  folder.write('b.md', `${head('B')}\n## Part\n`)
  folder.write('index.md', head('First'))
  const { markdown, html } = readPages(folder.path, new Map()).find(({ id }) => id === 'a')!
  const links = [...markdown.matchAll(/\]\(([^)]*)\)/g)].map(([, target]) => target)
  const { docsUrl } = placeholders
  const own = ['/docs/b.md#part', '/index.md', '/llms.txt'].map((target) => docsUrl + target)
  assert.equal(links, [...own, 'https://x.org/b.md'])
  assert.match(html, 'href="/docs/b#part"')
  assert.match(html, 'href="/"')
  assert.not.match(html, docsUrl)
})

pages('should leave the published site as it is when a page is wrong', (folder) => {
  const site = path.join(folder.path, 'site')
  for (const name of ['docs', 'site']) mkdirSync(path.join(folder.path, name))
  folder.write('docs/a.md', `${head('A')}\n[b](b.md)\n`)
  folder.write('site/manifest.json', '[]')
  const program = path.join(import.meta.dirname, '../../../src/site/publish.js')
  const { stderr } = spawnSync(process.execPath, [program, folder.path, site])
  assert.match(String(stderr), 'docs/a.md links to b.md, which is no page')
  assert.ok(existsSync(path.join(site, 'manifest.json')))
})

/** A PNG with one grey pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
)

pages('should show pictures, and link to them from anywhere', (folder) => {
  const pictures = path.join(folder.path, 'pictures')
  assert.is(readPictures(pictures).size, 0, 'a folder without pictures')
  mkdirSync(path.join(pictures, 'screens'), { recursive: true })
  writeFileSync(path.join(pictures, 'send.png'), pixel)
  writeFileSync(path.join(pictures, 'send-dark.png'), pixel)
  folder.write('a.md', `${head('A')}\n![Send, "at work"](pictures/send.png)\n`)
  const read = () => readPages(folder.path, readPictures(pictures))
  const [{ html, markdown, sections }] = read() as [Page]
  const alt = 'alt="Send, &quot;at work&quot;"'
  assert.match(html, /<img src="\/assets\/send\.png\?v=[\w-]{8}"/)
  assert.match(html, `${alt} loading="lazy"></picture>`)
  assert.match(html, /\(prefers-color-scheme: dark\)" srcset="\/assets\/send-dark\.png\?v=/)
  assert.match(markdown, `](${placeholders.docsUrl}/assets/send.png)`)
  assert.is(sections[0]!.text, 'Send, "at work"')
  folder.write('a.md', `${head('A')}\n![Gone](pictures/gone.png)\n`)
  assert.throws(read, /a\.md shows pictures\/gone\.png/)
})

pages('should be named by their files, sorted by the given order and then by title', (folder) => {
  folder.write('zebra.md', head('A zebra'))
  folder.write('ape.md', head('An ape'))
  folder.write('last.md', head('Last', 'order: 90\n'))
  folder.write('index.md', head('First', 'order: 0\n'))
  folder.write('notes.md', '# Notes\n\n---\n\nfor contributors\n\n---\n')
  folder.write('picture.png', 'no page')
  const found = readPages(folder.path, new Map())
  assert.equal(pluck(found, 'id'), ['index', 'zebra', 'ape', 'last'])
  assert.equal(pluck(found, 'path'), ['/', '/docs/zebra', '/docs/ape', '/docs/last'])
  assert.is(found[1]!.title, 'A zebra')
  assert.is(found[1]!.description, 'About A zebra: all of it.')
  assert.is(found[1]!.markdown, '# A zebra\n')
})

const refused: [title: string, text: string, problem: RegExp][] = [
  ['no description', '---\ntitle: A\n---\n\n# A\n', /needs title, description/],
  ['an unknown field', head('A', 'author: me\n'), /unknown field author/],
  ['another title below', head('A').replace('# A', '# B'), /must begin with "# A"/],
  ['a link to a missing page', `${head('A')}\n[x](nowhere.md)\n`, /which is no page/],
  ['a link to a file outside of the site', `${head('A')}\n[x](../README.md)\n`, /not on the site/],
]
for (const [title, text, problem] of refused) {
  pages(`should refuse ${title}, and name the page`, (folder) => {
    folder.write('a.md', text)
    assert.throws(() => readPages(folder.path, new Map()), problem)
    assert.throws(() => readPages(folder.path, new Map()), /a\.md/)
  })
}

const markdown = suite('publishing: markdown')
const site = { ids: new Set(['a', 'b', 'index']), pictures: new Map<string, Picture>() }
const render = (text: string) => renderMarkdown('a', text, site)

markdown('should give each heading an anchor, unique for equal headings', () => {
  const { html, sections } = render(
    '# A\n\n**one**, `1`.\n\n## The `x` part\n\ntwo\n\n## The x part\n',
  )
  assert.match(html, '<h2 id="the-x-part">')
  assert.match(html, '<h2 id="the-x-part-2">')
  assert.equal(pluck(sections, 'anchor'), ['', 'the-x-part', 'the-x-part-2'])
  assert.equal(pluck(sections, 'text'), ['one, 1.', 'two', ''])
})

markdown('should give the search the rows of tables as sentences', () => {
  const table = '| | |\n| --- | ---: |\n| `RATE_LIMIT_*` | **5** a day. |\n| A | | C |\n'
  const { sections } = render(`# A\n\n*Before*.\n\n${table}\nAfter.\n`)
  const [text] = pluck(sections, 'text')
  assert.is(text, 'Before. RATE_LIMIT_* · 5 a day. A · C. After.')
})

markdown('should show text that looks like HTML, and run none of it', () => {
  const { html } = render(
    '# A\n\n<script>alert(1)</script>\n\n`<b>` **x** <i>y</i>\n\n```\n<u>\n```',
  )
  assert.not.match(html, /<script|<b>|<i>|<u>/)
  assert.match(html, '&lt;script&gt;')
  assert.match(html, '<strong>x</strong>')
})
