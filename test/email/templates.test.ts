import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { renderEmail, type TemplateData } from '../../src/email/templates.ts'

const emails = suite('email: templates')
const deployment = { appName: 'Transfer', timeZone: 'UTC' }
const bad = '<script>alert("1")</script> & \'x\'\r\nBcc: eve@evil.org\u202eg\u200fpj.exe\0'
const url = 'https://files.example.org/s/abc'
const sender = { name: bad, address: 'ann@example.org' }
const expiresAt = new Date('2026-12-24T18:00:00Z')

const all: TemplateData[] = [
  {
    kind: 'share',
    sender,
    name: bad,
    message: `${bad}\nsecond line`,
    url,
    fileCount: 2,
    size: 1_500_000,
    expiresAt,
    isProtected: true,
  },
  {
    kind: 'added_files',
    sender,
    name: bad,
    url,
    fileCount: 2,
    size: 10,
    expiresAt,
    isProtected: true,
  },
  { kind: 'drop_off', sender, name: bad, url, sizeMax: 1000, expiresAt, isProtected: true },
  {
    kind: 'delivery',
    name: bad,
    guestName: bad,
    guestEmail: 'guest@example.org',
    url,
    note: bad,
    fileCount: 30,
    size: 300,
    firstFiles: Array.from({ length: 30 }, () => ({ name: bad, size: 10 })),
  },
  { kind: 'damaged_file', fileName: bad, name: bad, isDelivery: false, url },
  { kind: 'damaged_file', fileName: bad, name: '', isDelivery: true, url },
  { kind: 'invitation', url, lifeDays: 7 },
  { kind: 'password_reset', url, lifeMinutes: 60 },
  { kind: 'password_changed', at: expiresAt, ip: bad },
  { kind: 'recovery_codes_renewed', at: expiresAt, ip: bad },
  { kind: 'second_factor_disabled', at: expiresAt, ip: bad },
  { kind: 'second_factor_reset', at: expiresAt, ip: bad },
  { kind: 'test' },
]

for (const email of all) {
  emails(`should make every user text harmless in ${email.kind}`, () => {
    const content = renderEmail(email, { ...deployment, appName: bad })
    assert.not.match(content.html, '<script')
    assert.match(content.html, '&lt;script&gt;')
    assert.not.match(content.subject, /[\p{Cc}\u202e\u200f]/u)
    assert.not.match(content.text + content.html, /[\0\u202e]/)
    assert.not.match(content.text, /^Bcc:/m)
    assert.not.match(content.replyTo?.name ?? '', /\p{Cc}/u)
    assert.ok(content.subject.length <= 150)
    if ('url' in email) {
      assert.match(content.text, url)
      assert.match(content.html, `href="${url}"`)
    }
  })
}

emails('should show title, message, number, size and expiry of a share', () => {
  const { subject, text, replyTo } = renderEmail(
    {
      kind: 'share',
      name: 'Fotos für Oma',
      message: 'Liebe Oma,\nschau!',
      url,
      fileCount: 3,
      sender: { name: 'Ann Öz', address: 'ann@example.org' },
      size: 2_345_678,
      expiresAt,
      isProtected: false,
    },
    deployment,
  )
  assert.is(subject, 'Ann Öz sent you “Fotos für Oma”')
  assert.equal(replyTo, { name: 'Ann Öz', address: 'ann@example.org' })
  for (const part of [
    'Ann Öz (ann@example.org) sent you 3 files (2.3 MB).',
    '> Liebe Oma,\n> schau!',
    `Open the files:\n${url}`,
    'expires on 2026-12-24 18:00 UTC',
  ]) {
    assert.match(text, part)
  }
  assert.not.match(text, 'password')
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
    assert.match(content.text.replaceAll(/\s+/g, ' '), sentence)
    assert.not.match(content.text, 'other files')
  })
}

for (const [name, fileCount, subject, sentence] of [
  ['Holiday', 1, 'Ann added 1 file to “Holiday”', 'added 1 file (2.3 MB) to “Holiday”.'],
  ['', 3, 'Ann added 3 files', 'added 3 files (2.3 MB) to an earlier share.'],
] as const) {
  emails(`should show the files added to a share named “${name}”`, () => {
    const content = renderEmail(
      {
        kind: 'added_files',
        sender: { name: 'Ann', address: 'ann@example.org' },
        name,
        url,
        fileCount,
        size: 2_345_678,
        expiresAt: null,
        isProtected: false,
      },
      deployment,
    )
    assert.is(content.subject, subject)
    assert.match(content.text, `Ann (ann@example.org) ${sentence}`)
    assert.match(content.text, `Open the files:\n${url}`)
    assert.not.match(content.text, /password|expires on/)
  })
}

for (const [timeZone, expected] of [
  ['Europe/Berlin', '2026-12-24 19:00 CET'],
  ['America/New_York', '2026-12-24 13:00 GMT-5'],
  ['Asia/Kolkata', '2026-12-24 23:30 GMT+5:30'],
  ['Pacific/Auckland', '2026-12-25 07:00 GMT+13'],
] as const) {
  emails(`should show times in ${timeZone}`, () => {
    const { text } = renderEmail(all[0]!, { ...deployment, timeZone })
    assert.match(text.replaceAll(/\s+/g, ' '), `The link expires on ${expected}.`)
    const notice = renderEmail(
      { kind: 'password_changed', at: expiresAt, ip: null },
      {
        ...deployment,
        timeZone,
      },
    )
    assert.match(notice.text.replaceAll(/\s+/g, ' '), `on ${expected}, on the server itself.`)
  })
}

emails('should list at most twenty files of a delivery', () => {
  const { text } = renderEmail(all[3]!, deployment)
  assert.is(text.match(/^- /gm)?.length, 21)
  assert.match(text, 'and 10 more')
})

emails('should keep any title on one line of bounded length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
      const email: TemplateData = {
        kind: 'drop_off',
        sender,
        name,
        url,
        sizeMax: 0,
        expiresAt: null,
        isProtected: false,
      }
      const { subject } = renderEmail(email, { ...deployment, appName: name })
      assert.not.match(subject, /[\p{Cc}\u2028\u2029]/u)
      assert.ok(Array.from(subject).length <= 150)
    }),
  )
})

emails.run()
