import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startService } from '../helpers/service.ts'

const early = suite('pages: early loading')

const service = await startService()
const recipient = service.client()

async function linked(path: string, link: RegExp, headers: Record<string, string> = {}) {
  const html = (await recipient.get(path, headers)).body.toString()
  return html
    .match(/<(link|script)[^>]*>/g)!
    .filter((tag) => link.test(tag))
    .map((tag) => /(?:href|src)="([^"]*)"/.exec(tag)![1]!)
}

const read = async (path: string) => (await recipient.get(path)).body.toString()

for (const path of ['/', '/login', '/setup', '/s/unknown', '/r/unknown']) {
  early(`should list on ${path} exactly the scripts that its script imports`, async () => {
    const [script] = await linked(path, /type="module"/)
    const imported = new Set<string>()
    const follow = async (address: string) => {
      for (const [, name] of (await read(address)).matchAll(/(?:from|import)"\.\/([^"]+)"/g)) {
        const next = `/static/app/${name}`
        if (imported.has(next)) continue
        imported.add(next)
        await follow(next)
      }
    }
    await follow(script!)
    const named = await linked(path, /modulepreload/)
    const extra = named.filter((address) => !imported.delete(address))
    assert.equal([...imported], [])
    for (const address of extra) assert.match(await read(address), /Imprint/, 'texts alone')
  })
}

early('should list the texts in the language of the browser', async () => {
  for (const path of ['/', '/login', '/s/unknown']) {
    const named = await linked(path, /modulepreload/, { 'accept-language': 'de-AT, en;q=0.5' })
    const texts = (await Promise.all(named.map(read))).join('')
    assert.match(texts, 'Impressum', path)
    assert.not.match(texts, 'Imprint', path)
  }
})

early("should preload the app's first requests for clients that may be signed in", async () => {
  const fetched = /as="fetch"/
  assert.equal(await linked('/', fetched), [])
  assert.equal(await linked('/shares', fetched, { cookie: 'a=b' }), [
    '/api/account',
    '/api/auth/2fa/status',
  ])
  assert.equal(await linked('/login', fetched, { cookie: 'a=b' }), [])
})

early('should show the sign-in page without its providers when they cannot be read', async () => {
  const { sql } = service.database
  await sql`alter table oidc_providers rename to moved_providers`
  try {
    assert.is((await recipient.get('/login')).status, 200)
  } finally {
    await sql`alter table moved_providers rename to oidc_providers`
  }
})
