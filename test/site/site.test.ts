// The documentation site through a socket: its machine-readable forms, and its refusals.
import { gunzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { docsOperations } from '../../src/site/operations.ts'
import { Client, okay, pluck, type Answer } from '../helpers/client.ts'
import { startDocsSite, type DocsSite } from './docs-site.ts'

const baseUrl = 'https://files.example.org'
const site = suite('docs: site')

const running: DocsSite = await startDocsSite(baseUrl)
const url = running.url
const client = new Client(url)
site.after(() => running.close())

function assertProblem(answer: Answer, status: number, code: string): void {
  assert.is(answer.status, status)
  assert.is(answer.headers['content-type'], 'application/problem+json; charset=utf-8')
  const problem = answer.json()
  assert.is(problem.status, status)
  assert.is(problem.code, code)
  assert.type(problem.resolution_hint, 'string')
}

async function assertLeadsSomewhere(link: string): Promise<Answer> {
  assert.ok(link.startsWith(url), `${link} is not on this site`)
  const answer = await client.get(link.slice(url.length) || '/')
  assert.is(answer.status, 200, link)
  return answer
}

site('should have a catalog with every field, whose links all lead somewhere', async () => {
  const answer = await okay(client.get('/api/v1/docs'))
  assert.is(answer.headers['content-type'], 'application/json; charset=utf-8')
  const { docs, ...catalog } = answer.json()
  for (const name of ['site', 'openapi', 'llms', 'developers']) {
    await assertLeadsSomewhere(catalog[name])
  }
  const ids = pluck<any, string>(docs, 'id')
  assert.ok(ids.includes('architecture'))
  assert.not(ids.includes('style'), 'pages for contributors are not on the site')
})

site('should have every page of the catalog, with its text and its links', async () => {
  const { docs } = (await client.get('/api/v1/docs')).json()
  const list = (await client.get('/llms.txt')).body.toString()
  for (const entry of docs) {
    const page = (await client.get(`/api/v1/docs/${entry.id}`)).json()
    const { id, title, description, path } = page
    assert.equal({ id, title, description, path }, entry)
    assert.is(page.url, url + path)
    const html = (await assertLeadsSomewhere(page.url)).body.toString()
    assert.match(html, `<h1>${title}</h1>`)
    assert.match(html, 'href="/llms.txt"')
    const [, link] = /<link rel="alternate" type="text\/markdown" href="([^"]+)">/.exec(html) ?? []
    await assertLeadsSomewhere(url + link)
    assert.ok(list.includes(`(${url}${link})`), `${link} is not in llms.txt`)
    const raw = await assertLeadsSomewhere(page.markdown_url)
    assert.is(raw.headers['content-type'], 'text/markdown; charset=utf-8')
    assert.is(raw.body.toString(), page.markdown)
    assert.ok(page.markdown.startsWith(`# ${title}\n`), 'without the text before the title')
    assert.match(page.accept_hint, 'text/markdown')
  }
  assert.not.match((await client.get('/reference')).body.toString(), 'rel="alternate"')
})

const accepts: [accept: string | null, type: string][] = [
  [null, 'application/json'],
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  ['image/png', 'application/json'],
  ['text/html,application/xhtml+xml', 'application/json'],
  ['nonsense', 'application/json'],
  ['text/*', 'application/json'],
  ['text/markdown', 'text/markdown'],
  ['TEXT/Markdown; q=0.5', 'text/markdown'],
  ['text/markdown, */*;q=0.1', 'text/markdown'],
  ['application/json, text/markdown;q=0.5', 'application/json'],
  ['text/markdown;q=0', 'application/json'],
]
for (const [accept, type] of accepts) {
  site(`should answer a page as ${type} to Accept: ${accept}`, async () => {
    const headers = accept === null ? {} : { accept }
    const answer = await okay(client.get('/api/v1/docs/architecture', headers))
    assert.is(answer.headers['content-type'], `${type}; charset=utf-8`)
    assert.is(answer.headers['vary'], 'Accept, Accept-Encoding')
  })
}

site('should answer HTML pages in Markdown on request', async () => {
  const raw = await client.get('/docs/architecture', { accept: 'text/markdown' })
  assert.is(raw.headers['content-type'], 'text/markdown; charset=utf-8')
  assert.is(raw.headers['vary'], 'Accept, Accept-Encoding')
  const page = await client.get('/docs/architecture', { accept: 'text/html,text/markdown;q=0.5' })
  assert.is(page.headers['content-type'], 'text/html; charset=utf-8')
})

site('should answer an unknown slug with a problem', async () => {
  for (const slug of ['nowhere', 'style', 'INDEX', '..%2fREADME', 'a'.repeat(200), '%ff']) {
    assertProblem(await client.get(`/api/v1/docs/${slug}`), 404, 'not_found')
  }
  assertProblem(await client.get('/api/v1/docs/architecture.md'), 404, 'not_found')
  assertProblem(await client.get('/nothing/here'), 404, 'not_found')
  assertProblem(await client.get('/docs/nowhere.md'), 404, 'not_found')
})

site('should show browsers an error page where there is none', async () => {
  const answer = await client.get('/docs/nowhere', { accept: 'text/html,*/*;q=0.8' })
  assert.is(answer.status, 404)
  assert.is(answer.headers['content-type'], 'text/html; charset=utf-8')
  assert.is(answer.headers['cache-control'], 'no-store')
  const paths = ['/404', '/nothing/here', '/docs/', '/docs/nowhere.md', '/assets/nowhere.css']
  for (const path of paths) {
    const other = await client.get(path, { accept: 'text/html,*/*;q=0.8' })
    assert.equal([other.status, other.body.toString()], [404, answer.body.toString()], path)
  }
  assertProblem(await client.get('/404'), 404, 'not_found')
})

site('should refuse every method but GET before it looks for a page', async () => {
  const paths = docsOperations.map(({ path }) => path.replaceAll(/\{\w+\}/g, 'nowhere'))
  for (const path of paths) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await client.call(method, path, { json: {} })
      assertProblem(answer, 405, 'method_not_allowed')
      assert.is(answer.headers['allow'], 'GET, HEAD, OPTIONS')
    }
  }
})

const files: [path: string, type: string, begin: string][] = [
  ['/openapi.json', 'application/json', '{"openapi":"3.1.0"'],
  ['/sitemap.xml', 'application/xml', '<?xml version="1.0"'],
  ['/llms.txt', 'text/plain', '# Transfer service\n\n> '],
  ['/llms-full.txt', 'text/plain', '<!-- '],
  ['/robots.txt', 'text/plain', 'User-agent: *\n'],
  ['/search.json', 'application/json', '[["/docs/start","Start in two minutes","",'],
  ['/', 'text/html', '<!doctype html>'],
  ['/reference', 'text/html', '<!doctype html>'],
  ['/design', 'text/html', '<!doctype html>'],
  ['/docs/index', 'text/html', '<!doctype html>'],
  ['/assets/site.css', 'text/css', ':root{'],
  ['/assets/product.css', 'text/css', '@layer tokens,base,components,utilities'],
  ['/assets/site.js', 'text/javascript', '"use strict"'],
  ['/assets/search.js', 'text/javascript', '"use strict"'],
  ['/assets/icon.svg', 'image/svg+xml', '<svg '],
]
for (const [path, type, begin] of files) {
  site(`should serve ${path}: whole, packed, by HEAD, and as 304 while it is known`, async () => {
    const whole = await okay(client.get(path))
    assert.ok(String(whole.headers['content-type']).startsWith(type), path)
    const text = whole.body.toString()
    assert.ok(text.startsWith(begin), text.slice(0, 80))
    assert.not.match(text, '.invalid')
    assert.is(whole.headers['cache-control'], 'public, max-age=300')
    assert.match(String(whole.headers['vary']), 'Accept-Encoding')

    const packed = await client.get(path, { 'accept-encoding': 'br;q=1, gzip;q=0.5' })
    assert.is(packed.headers['content-encoding'], 'gzip')
    assert.is(gunzipSync(packed.body).toString(), text)
    assert.is.not(packed.headers['etag'], whole.headers['etag'])
    const plain = await client.get(path, { 'accept-encoding': 'gzip;q=0, identity' })
    assert.is(plain.headers['content-encoding'], undefined)

    const head = await okay(client.call('HEAD', path))
    assert.is(head.headers['content-length'], String(whole.body.length))
    assert.is(head.body.length, 0)

    const tag = String(whole.headers['etag'])
    const again = await client.get(path, { 'if-none-match': tag })
    assert.equal([again.status, again.headers['etag'], again.body.length], [304, tag, 0])
  })
}

const trustedTypes = "require-trusted-types-for 'script'"

site('should let pages of every origin read it, and run only its own code', async () => {
  for (const path of ['/', '/reference', '/api/v1/docs', '/openapi.json', '/nothing']) {
    const { headers } = await client.get(path, { origin: 'https://elsewhere.example' })
    assert.is(headers['access-control-allow-origin'], '*')
    assert.is(headers['access-control-allow-credentials'], undefined)
    assert.is(headers['x-content-type-options'], 'nosniff')
    assert.is(headers['set-cookie'], undefined)
    const policy = String(headers['content-security-policy']).split('; ')
    const own = ['script', 'style', 'img', 'connect'].map((what) => `${what}-src 'self'`)
    const none = ['default-src', 'base-uri', 'form-action', 'frame-ancestors']
    for (const rule of [...own, ...none.map((what) => `${what} 'none'`), trustedTypes]) {
      assert.ok(policy.includes(rule), `${path}: ${rule}`)
    }
  }
})

for (const [path, pattern, least] of [
  ['/sitemap.xml', /<loc>([^<]*)<\/loc>/g, 3],
  ['/llms.txt', /\]\(([^)]*)\)/g, 6],
  ['/robots.txt', /Sitemap: (.*)/g, 1],
] as const) {
  site(`should lead from ${path} to pages that exist`, async () => {
    const text = (await client.get(path)).body.toString()
    const links = [...text.matchAll(pattern)].map(([, link]) => link!)
    assert.ok(links.length >= least)
    for (const link of links) await assertLeadsSomewhere(link)
  })
}

site('should give agents the address of the service, and every page at once', async () => {
  assert.match((await client.get('/llms.txt')).body.toString(), baseUrl)
  const full = (await client.get('/llms-full.txt')).body.toString()
  const { docs } = (await client.get('/api/v1/docs')).json()
  for (const { title } of docs) assert.match(full, `# ${title}\n`)
})

site('should complete the description with the addresses of this deployment', async () => {
  const { servers, paths } = (await client.get('/openapi.json')).json()
  assert.is(servers[0].url, baseUrl)
  assert.is(paths['/api/v1/docs'].get.servers[0].url, url)
})

const pathsOfAll = async () => {
  const { docs } = (await client.get('/api/v1/docs')).json<{ docs: { path: string }[] }>()
  return ['/reference', '/design', ...docs.map(({ path }) => path)]
}

/** Resources that a browser loads by itself: links to another form of the page are for programs. */
const loaded = /<(?:link(?! rel="alternate")|script|img)\b[^>]*?(?:href|src)="([^"]*)"/g

site('should have pages without external resources, scripts or styles', async () => {
  for (const path of await pathsOfAll()) {
    const page = (await client.get(path)).body.toString()
    const loads = [...page.matchAll(loaded)]
    assert.ok(loads.length >= 3, path)
    for (const [, target] of loads) {
      assert.match(target!, /^\/assets\/[a-z.-]+\?v=/)
      await assertLeadsSomewhere(url + target!)
    }
    assert.not.match(page, /<script>|<style|\sstyle=|\son\w+=/)
    assert.match(page, '<html lang="en">')
    assert.match(page, 'name="viewport"')
    assert.match(page, '<a class="skip" href="#content">')
  }
})

site('should have no broken link within the site', async () => {
  const pages = new Map<string, string>()
  for (const path of await pathsOfAll()) {
    pages.set(path, (await client.get(path)).body.toString())
  }
  for (const [path, page] of pages) {
    // Ids in a shadow tree are its own.
    const whole = page.replaceAll(/<template\b.*?<\/template>/gs, '')
    const ids = [...whole.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
    assert.is(new Set(ids).size, ids.length, `${path} has an id twice`)
    for (const [, href] of page.matchAll(/<a\b[^>]*href="([^"]*)"/g)) {
      if (/^https?:/.test(href!)) continue
      const [target, hash] = href!.split('#')
      const there = pages.get(target || path)
      if (hash) assert.match(there!, ` id="${hash}"`, `${path} links to ${href}`)
      else if (!there) await assertLeadsSomewhere(url + target!)
    }
  }
})

site('should show every page once in the navigation', async () => {
  const page = (await client.get('/docs/start')).body.toString()
  const [, nav = ''] = /<nav id="pages"[^>]*>(.*?)<\/nav>/s.exec(page) ?? []
  const shown = [...nav.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href!)
  const expected = (await pathsOfAll()).filter((path) => path !== '/')
  assert.equal(shown.toSorted(), expected.toSorted())
  assert.is(nav.match(/aria-current="page"/g)?.length, 1)
})

site('should find every section in the search index, at an existing anchor', async () => {
  const index: string[][] = (await client.get('/search.json')).json()
  const pages = new Map<string, string>()
  for (const [target, title] of index) {
    const [path, hash] = target!.split('#')
    const page = pages.get(path!) ?? (await client.get(path!)).body.toString()
    pages.set(path!, page)
    if (hash) assert.match(page, ` id="${hash}"`, title)
  }
  const texts = index.map((entry) => entry.join(' '))
  assert.ok(texts.some((text) => text.includes('POST /api/shares/{shareId}/chunk')))
  assert.not(pluck(index, 0).includes('/'), 'not the list of pages')
})
