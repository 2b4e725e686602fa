import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { renderEmail, type TemplateData } from '../../src/email/templates.ts'
import { baseUrl, deployment, emailsWith, sampleEmails, sampleShare } from './samples.ts'

const emails = suite('email: templates')
const bad = '<script>alert("1")</script> & \'x\'\r\nBcc: eve@evil.org\u202eg\u200fpj.exe\0'
const at = new Date('2026-12-24T18:00:00Z')
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
  assert.match(text, 'The link needs a password. Ask Ann Öz for it.')
  assert.not.match(text + html, 'beach')
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
  ['Holiday', 1, 'Ann added 1 file to “Holiday”', 'added 1 file to “Holiday”.'],
  ['', 3, 'Ann added 3 files', 'added 3 files to an earlier share.'],
] as const) {
  emails(`should show the files added to a share named “${name}”`, () => {
    const sender = { name: 'Ann', address: 'ann@example.org' }
    const content = renderEmail(
      { ...sampleShare, kind: 'added_files', sender, name, fileCount, expiresAt: null },
      deployment,
    )
    assert.is(content.subject, subject)
    assert.match(flat(content.text), `Ann (ann@example.org) ${sentence}`)
    assert.match(content.text, `Open the files:\n${url}`)
    assert.not.match(content.text, /password|expires/)
  })
}

for (const [timeZone, expected] of [
  ['Europe/Berlin', 'Thu, 24 Dec 2026, 19:00 CET'],
  ['America/New_York', 'Thu, 24 Dec 2026, 13:00 GMT-5'],
  ['Asia/Kolkata', 'Thu, 24 Dec 2026, 23:30 GMT+5:30'],
  ['Pacific/Auckland', 'Fri, 25 Dec 2026, 07:00 GMT+13'],
] as const) {
  emails(`should show times in ${timeZone}`, () => {
    const there = { ...deployment, timeZone }
    assert.match(flat(renderEmail(sampleShare, there).text), `expires ${expected}`)
    const notice = renderEmail({ kind: 'password_changed', at, ip: null }, there)
    assert.match(flat(notice.text), `on ${expected}, on the server itself.`)
  })
}

emails('should list twenty files of a delivery as text, and five in the card', () => {
  const firstFiles = Array.from({ length: 30 }, (_, index) => ({ name: `${index}.txt`, size: 10 }))
  const [delivery] = sampleEmails.filter(({ kind }) => kind === 'delivery')
  const email = { ...delivery, firstFiles, fileCount: 10_000 } as TemplateData
  const { text, html } = renderEmail(email, deployment)
  assert.is(text.match(/^- /gm)?.length, 21)
  assert.match(text, '+9,980 more')
  assert.is(html.match(/<bdi>/g)?.length, 5)
  assert.match(html, '+9,995 more')
})

emails('should write every email in German, too, and name the language', () => {
  for (const email of sampleEmails) {
    const english = renderEmail(email, deployment)
    const german = renderEmail(email, { ...deployment, language: 'de', timeZone: 'Europe/Berlin' })
    assert.equal([english.language, german.language], ['en', 'de'])
    assert.match(german.html, '<html lang="de" dir="ltr">')
    assert.is.not(german.subject, english.subject)
    assert.not.match(german.text, / (the|your|you|was) /i, email.kind)
    assert.not.match(german.text, /undefined|NaN|\[object/)
  }
  const { text } = renderEmail(sampleShare, {
    ...deployment,
    language: 'de',
    timeZone: 'Europe/Berlin',
  })
  assert.match(text, 'Ann Öz (ann@example.org) sendet Ihnen Dateien.')
  assert.match(flat(text), '3 Dateien · 2,3 MB · bis Do., 24. Dez. 2026, 19:00 MEZ')
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

emails('should keep any title on one line of bounded length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
      const { subject } = renderEmail({ ...sampleShare, name }, { ...deployment, appName: name })
      assert.not.match(subject, /[\p{Cc}\u2028\u2029]/u)
      assert.ok(Array.from(subject).length <= 150)
    }),
  )
})

emails.run()
