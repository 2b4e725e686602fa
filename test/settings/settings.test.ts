import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError, okay } from '../helpers/client.ts'
import { Settings, type SettingsDeps } from '../../src/settings/settings.ts'
import { startService } from '../helpers/service.ts'
import { unescape } from '../helpers/unescape.ts'

const settings = suite('settings')

const service = await startService()
const admin = await service.admin()
const user = await service.user('user@example.org')

const put = (json: unknown) => admin.put('/api/config', json)

async function having(values: object, run: () => Promise<void>): Promise<void> {
  const before = (await admin.get('/api/config')).json()
  await okay(put(values))
  try {
    await run()
  } finally {
    await put(before)
  }
}

const brandingKeys = (
  'appName accentColor groundColor groundPicture cornerRadius logo logoDark welcomeText ' +
  'imprintUrl privacyUrl'
).split(' ')

settings('should keep what a later read has found when an earlier one ends after it', async () => {
  const reads: ((rows: { key: string; value: unknown }[]) => void)[] = []
  const sql = () => new Promise((resolve) => void reads.push(resolve))
  const read = new Settings({ database: { sql } } as unknown as SettingsDeps)
  const both = [read.refresh(), read.refresh()]
  reads[1]!([{ key: 'appName', value: 'Later' }])
  await both[1]
  reads[0]!([{ key: 'appName', value: 'Earlier' }])
  await both[0]
  assert.is(read.values.appName, 'Later')
})

settings('should show administrators everything, and others the branding', async () => {
  const all = (await admin.get('/api/config')).json()
  assert.is(all.maxChunkSize, 104_857_600)
  assert.is(all.defaultExpirationVal, 7)
  assert.type(all.version, 'string')
  assert.is(all.baseUrl, 'http://transfer.test')
  for (const path of ['/api/config', '/api/public/branding']) {
    assert.equal(Object.keys((await user.get(path)).json()), brandingKeys)
  }
  const answer = await put(all)
  assert.equal([answer.status, answer.json()], [200, { success: true, unknownKeys: [] }])
  assert.equal((await admin.get('/api/config')).json(), all)
  await having({ appName: 'Renamed', smtpPassword: 'secret' }, async () => {
    const defaults = (await admin.get('/api/config/defaults')).json()
    assert.equal([defaults.appName, defaults.smtpPassword], ['Transfer', ''])
    for (const key of Object.keys(defaults)) assert.ok(key in all, key)
  })
})

settings('should store unknown keys as custom values, and name them', async () => {
  const answer = await put({ 'theme.font': { family: 'Inter', sizes: [1, 2] } })
  assert.equal(answer.json(), { success: true, unknownKeys: ['theme.font'] })
  const all = (await admin.get('/api/config')).json()
  assert.equal(all['theme.font'], { family: 'Inter', sizes: [1, 2] })
  assert.is((await user.get('/api/config')).json()['theme.font'], undefined)
  const path = 'C:\\udeploy\\u0000'
  assert.is((await put({ 'theme.path': path, 'theme.more': { [path]: '😀' } })).status, 200)
  const { 'theme.path': stored, 'theme.more': more } = (await admin.get('/api/config')).json()
  assert.equal([stored, more], [path, { [path]: '😀' }])
  assert.is((await put({ 'theme.path': null, 'theme.more': null })).status, 200)
})

// oxfmt-ignore
const invalid: [key: string, value: unknown][] = [
  ['appName', ''], ['appName', 5], ['appName', 'x'.repeat(61)], ['accentColor', 'red'],
  ['accentColor', ''], ['groundColor', 'red'], ['groundColor', '#12345'],
  ['groundColor', '#fff;}body{display:none'], ['cornerRadius', 'oval'], ['cornerRadius', '1rem'],
  ['logo', 'https://elsewhere.example/logo.png'], ['logo', 'data:text/html;base64,AAAA'],
  ['logoDark', 'data:text/html;base64,AAAA'], ['timeZone', 'Mars/Olympus_Mons'],
  ['timeZone', 'x'.repeat(101)], ['imprintUrl', 'javascript:alert(1)'],
  ['reportUrl', 'http://example.org/report'], ['reportUrl', 'javascript:alert(1)'],
  ['maxChunkSize', '100'], ['maxChunkSize', 0], ['maxFileSize', -1], ['maxShareSize', 1.5],
  ['userQuota', 2 ** 53], ['defaultExpirationUnit', 'days'], ['linkIdLength', 21],
  ['blockedExtensions', 'exe'], ['blockedExtensions', ['a b']], ['draftLifeDays', 0],
  ['smtpHost', 'mail.example.org\r\nx'], ['smtpHost', 'http://mail.example.org'],
  ['smtpPort', 0], ['smtpSecurity', 'ssl'], ['smtpFrom', 'files'],
  ['smtpFrom', 'Files\r\nBcc: x@example.org <files@example.org>'],
  ['smtpFrom', 'Files <files@example.org>, x@example.org'], ['smtpPassword', 5], ['bad key', 1],
  ['big', 'x'.repeat(17_000)], ['nul', 'a\0b'], ['nul', { '\\\0': 1 }], ['half', ['\\\ud83d']],
]

settings('should refuse invalid values, and change nothing', async () => {
  const before = (await admin.get('/api/config')).json()
  for (const [key, value] of invalid) {
    assertError(await put({ welcomeText: 'changed', [key]: value }), 400, 'invalid_input')
  }
  assert.equal((await admin.get('/api/config')).json(), before)
})

settings('should never show a secret again, and keep it when its mask comes back', async () => {
  const secret = () => service.app.services.settings.secret('smtpPassword')
  await having({ smtpPassword: 'hunter2 hunter2' }, async () => {
    const all = (await admin.get('/api/config')).json()
    assert.is(all.smtpPassword, '********')
    assert.is(secret(), 'hunter2 hunter2')
    assert.is((await put(all)).status, 200)
    assert.is((await put({ smtpPassword: '********', smtpUser: 'me' })).status, 200)
    await service.app.services.settings.refresh()
    assert.is(secret(), 'hunter2 hunter2')
    const rows = await service.database.sql`select key, value from settings`
    const seen = [JSON.stringify(rows), JSON.stringify(service.app.services.settings.values)]
    for (const route of ['/api/config', '/api/public/branding', '/api/limits']) {
      for (const client of [admin, user]) seen.push((await client.get(route)).body.toString())
    }
    assert.not.match(seen.join(''), 'hunter2')
    assert.not.match((await user.get('/api/config')).body.toString(), 'smtp')
    assert.is((await put({ smtpPassword: '' })).status, 200)
    assert.equal([secret(), (await admin.get('/api/config')).json().smtpPassword], ['', ''])
  })
})

settings('should require the SMTP password again for another mail server', async () => {
  const secret = () => service.app.services.settings.secret('smtpPassword')
  const mailServer = { smtpHost: 'mail.example.org', smtpPassword: 'hunter2 hunter2' }
  await having(mailServer, async () => {
    const all = (await admin.get('/api/config')).json()
    for (const change of [
      { smtpHost: 'evil.example.org' },
      { smtpPort: 2525 },
      { smtpSecurity: 'none' },
      { smtpHost: 'evil.example.org', smtpPassword: '********' },
      { ...all, smtpHost: 'evil.example.org', smtpUser: 'other' },
    ]) {
      const answer = await put(change)
      assertError(answer, 400, 'invalid_input')
      assert.is(answer.json().field, 'smtpPassword')
    }
    assert.equal((await admin.get('/api/config')).json(), all)
    // Nothing is sent without a server; setting one again asks as well.
    assert.is((await put({ smtpHost: '' })).status, 200)
    assert.is((await put({ smtpHost: 'evil.example.org' })).status, 400)
    const moved = { smtpHost: 'new.example.org', smtpPassword: 'typed again' }
    assert.is((await put(moved)).status, 200)
    assert.is(secret(), 'typed again')
    assert.is((await put({ smtpPassword: '' })).status, 200)
    assert.is((await put({ smtpPort: 2525 })).status, 200, 'there is no secret to protect')
    await put({ smtpPort: 587 })
  })
  await put({ smtpPassword: '' })
})

settings('should treat a secret sealed with another key as unset', async () => {
  const stored = JSON.stringify({ sealed: Buffer.alloc(40, 7).toString('base64') })
  await service.database.sql`
    insert into settings (key, value, updated_at)
    values ('smtpPassword', ${stored}::text::jsonb, now())
    on conflict (key) do update set value = excluded.value`
  await service.app.services.settings.refresh()
  assert.is(service.app.services.settings.secret('smtpPassword'), '')
  assert.is((await admin.get('/api/config')).json().smtpPassword, '')
  await put({ smtpPassword: '' })
})

settings('should remove a custom value that is set to null, but no setting', async () => {
  await put({ note: 'kept', other: 1 })
  const removed = await put({ note: null })
  assert.equal([removed.status, removed.json().unknownKeys], [200, ['note']])
  const all = (await admin.get('/api/config')).json()
  assert.equal(['note' in all, all.other], [false, 1])
  await service.app.services.settings.refresh()
  assert.is('note' in (await admin.get('/api/config')).json(), false)
  const again = await put({ note: null, other: null, never: null })
  assert.is(again.status, 200, 'a missing key can be removed, too')
  const details = await service.database.sql<{ details: { keys: string[] } }[]>`
    select details from audit where event = 'settings.changed' order by id desc limit 1`
  assert.equal(details[0]?.details.keys, ['other'], 'the audit log has the old values')
  assert.is((await put({ appName: null })).status, 400)
})

settings('should store no unsafe keys', async () => {
  const before = (await admin.get('/api/config')).body.toString()
  const answer = await admin.call('PUT', '/api/config', {
    headers: { 'content-type': 'application/json' },
    body: '{"__proto__":{"isAdmin":true},"constructor":1,"prototype":[],"appName":"Transfer"}',
  })
  assert.is(answer.status, 200)
  const rows = await service.database.sql`
    select key from settings where key in ('__proto__', 'constructor', 'prototype')`
  assert.is(rows.length, 0)
  assert.is((await admin.get('/api/config')).body.toString(), before)
})

settings('should let a custom value replace a removed one', async () => {
  const many = (from: number, to: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: to - from }, (_, n) => [`custom${from + n}`, value]))
  const others = Object.keys((await admin.get('/api/config')).json())
  const before = others.filter((key) => ['theme.font'].includes(key)).length
  assert.is((await put(many(0, 100 - before, 1))).status, 200)
  assert.is((await put({ onemore: 1 })).status, 400)
  assert.is((await put({ onemore: 1, custom0: null })).status, 200)
  assert.is((await put({ onemore: null, ...many(0, 100, null) })).status, 200)
  assert.is((await put(many(0, 101, null))).status, 200, 'removing is always possible')
})

settings('should show clients the limits', async () => {
  await having({ maxFileSize: 1000, blockedExtensions: ['.EXE', 'bat'] }, async () => {
    const limits = (await service.client().get('/api/limits')).json()
    assert.is(limits.maxFileSize, 1000)
    assert.equal(limits.blockedExtensions, ['exe', 'bat'])
    assert.is(limits.userQuota, undefined)
  })
})

settings('should refuse blocked extensions by the real name, including double ones', async () => {
  await having({ blockedExtensions: ['exe'] }, async () => {
    for (const [name, status] of [
      ['a.exe', 400],
      ['A.EXE', 400],
      ['a.exe.pdf', 400],
      ['a.exe.', 400],
      ['a.exe ', 400],
      ['folder.exe/a.pdf', 200],
      ['exe', 200],
      ['a.exef', 200],
    ] as const) {
      const shareId = await user.init()
      await user.chunk(shareId, 'f', 0, 'x', { fileName: 'blob' })
      const answer = await user.finalize(shareId, [{ fileId: 'f', originalName: name, size: 1 }])
      assert.is(answer.status, status, `${name}: ${answer.body.toString()}`)
      if (status === 400) assert.is(answer.json().code, 'blocked_extension')
    }
  })
})

settings('should keep an account within its quota when chunks come at once', async () => {
  const sender = await service.user('quota@example.org')
  await having({ userQuota: 500_000 }, async () => {
    const shareIds = [await sender.init(), await sender.init()]
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        sender.chunk(shareIds[n % 2]!, `f${n}`, 0, Buffer.alloc(100_000, n)),
      ),
    )
    const accepted = answers.filter((answer) => answer.status === 200).length
    const refused = answers.filter((answer) => answer.json().code === 'quota_exceeded').length
    assert.is(accepted + refused, 20)
    assert.ok(accepted >= 1 && accepted <= 5, `${accepted} were accepted`)
    const [row] = await service.database.sql<{ bytes: number }[]>`
      select sum(live_bytes) as bytes
      from containers
      join shares on shares.container_id = containers.id
      where shares.id = any(${shareIds})`
    assert.ok(row!.bytes <= 500_000, `${row!.bytes} bytes are used`)
  })
})

settings('should apply a smaller chunk limit at once', async () => {
  await having({ maxChunkSize: 1024 * 1024 }, async () => {
    const shareId = await user.init()
    assert.is((await user.chunk(shareId, 'f', 0, Buffer.alloc(1024 * 1024))).status, 200)
    const larger = await user.chunk(shareId, 'f', 1, Buffer.alloc(1024 * 1024 + 1))
    assert.equal([larger.status, larger.json().limit], [413, 1024 * 1024])
  })
})

settings('should show the branding on pages, escaped', async () => {
  const values = {
    appName: 'A <b>& B',
    welcomeText: '<script>alert(1)</script>',
    accentColor: '#aa0011',
    logo: 'data:image/png;base64,AAAA',
    imprintUrl: 'https://example.org/?a="b"',
  }
  await having(values, async () => {
    const home = (await service.client().get('/')).body.toString()
    assert.match(home, 'A &lt;b&gt;&amp; B')
    assert.match(home, '&lt;script&gt;alert(1)')
    const [, branding] = /<meta name="branding" content="([^"]*)">/.exec(home)!
    assert.equal(JSON.parse(unescape(branding!)), {
      appName: values.appName,
      hasLogo: true,
      hasDarkLogo: false,
      welcomeText: values.welcomeText,
      imprintUrl: values.imprintUrl,
      privacyUrl: '',
    })
    const logo = await service.client().get('/logo')
    assert.equal([logo.headers['content-type'], logo.body], ['image/png', Buffer.alloc(3)])
    assert.match((await service.client().get('/theme.css')).body.toString(), '#aa0011')
    assert.match(home, '<link rel="stylesheet" href="/theme.css">')
  })
  const home = (await service.client().get('/')).body.toString()
  assert.not.match(home, 'theme.css', 'nothing to load')
  assert.is((await service.client().get('/logo')).status, 404)
  assert.is((await service.client().get('/theme.css')).body.length, 0)
})

settings('should show days in its time zone, until a script knows better', async () => {
  const midnight = new Date('2031-05-09T23:30:00Z')
  const shareId = await admin.share({ a: 'a' })
  await service.database.sql`update shares set expires_at = ${midnight} where id = ${shareId}`
  for (const [timeZone, expected] of [
    ['UTC', /Fri,? 9 May 2031/],
    ['Europe/Berlin', /Sat,? 10 May 2031/],
    [' america/new_york ', /Fri,? 9 May 2031/],
    ['', midnight.toDateString().slice(0, 3)],
  ] as const) {
    await having({ timeZone }, async () => {
      assert.match((await service.client().get(`/s/${shareId}`)).body.toString(), expected)
    })
  }
})

settings('should have another logo for dark pages, only beside the first one', async () => {
  const shareId = await admin.share({ a: 'a' })
  const shown = async () => {
    const [page] = (await service.client().get(`/s/${shareId}`)).body.toString().split('</header>')
    return /<span class="brand">(.*)<span class="name">Transfer<\/span>/.exec(page!)?.[1]
  }
  const first = '<img src="/logo" alt="">'
  const dark = '<source media="(prefers-color-scheme: dark)" srcset="/logo-dark">'
  const [logo, logoDark] = ['data:image/png;base64,AAAA', 'data:image/webp;base64,AAAAAAAA']
  const mark = '<img src="/static/icon.svg" width="28" height="28" alt="">'
  assert.is(await shown(), mark)
  await having({ logo }, async () => {
    assert.is(await shown(), `<picture>${first}</picture>`)
    assert.is((await service.client().get('/logo-dark')).status, 404)
  })
  await having({ logo, logoDark }, async () => {
    assert.is(await shown(), `<picture>${dark}${first}</picture>`)
    const image = await service.client().get('/logo-dark')
    assert.equal([image.headers['content-type'], image.body], ['image/webp', Buffer.alloc(6)])
    const headers = { 'if-none-match': String(image.headers['etag']) }
    assert.is((await service.client().call('GET', '/logo-dark', { headers })).status, 304)
  })
  await having({ logoDark }, async () => assert.is(await shown(), mark))
})
