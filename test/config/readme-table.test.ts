// The tables of the README and of docs/ that repeat a table of the source are generated. `npm run
// docs:config` runs this test with WRITE_README=1, which writes what it otherwise only
// compares.

// The numbers of docs/limits.md are compared with the constants, settings and options that they
// quote.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { metrics } from '../../src/admin/metrics/table.ts'
import { docOf, events, targetKindOf } from '../../src/audit/events.ts'
import { chunkIndexMax } from '../../src/bytes/receive/upload-operations.ts'
import { leaseLifeMs } from '../../src/shares/downloads/counting.ts'
import { type Budgets, budgetsOf } from '../../src/config/budgets.ts'
import { type Option, options } from '../../src/config/options.ts'
import { addressesMax } from '../../src/email/addresses.ts'
import { CodedError, errorCodes } from '../../src/lib/errors.ts'
import { packageRoot } from '../../src/lib/package-root.ts'
import type { Setting } from '../../src/settings/setting.ts'
import { expirationValMax, settingKeys, settingsTable } from '../../src/settings/table.ts'
import { unlockLifeMs } from '../../src/shares/link-proofs.ts'
import { readDoc } from '../helpers/docs.ts'

const tableOf = (head: string, rows: readonly (readonly string[])[]): string[] => {
  const lines = [rows[0]!.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return [head, ...lines]
}

const inCode = (text: string) => `\`${text}\``

const optionRows = Object.values<Option<unknown>>(options).map(
  ({ env, defaultText, doc, secret }) => {
    const standard = /^$| /.test(defaultText) ? defaultText : inCode(defaultText)
    return [inCode(env), standard, `${doc}${secret ? ' Secret.' : ''}`]
  },
)
const settingRows = settingKeys.map((key) => {
  const { default: standard, doc, isPublic, isSecret }: Setting<unknown> = settingsTable[key]
  const note = isPublic ? ' Public.' : isSecret ? ' Secret.' : ''
  return [inCode(key), inCode(JSON.stringify(standard)), doc.replaceAll('<', '\\<') + note]
})
const errorRows = errorCodes.map((code) => {
  const { status, message } = new CodedError(code)
  return [String(status), inCode(code), message]
})
const metricRows = Object.values(metrics).map(({ name, kind, labels, help }) => {
  return [inCode(name), kind, labels.map(inCode).join(', '), help]
})
const eventRows = events.map((event) => [inCode(event), inCode(targetKindOf(event)), docOf(event)])

/** Tables in files, between `<!-- name: … -->` and `<!-- /name -->`. */
const places: readonly (readonly [file: string, name: string, table: string[]])[] = [
  ['README.md', 'options', tableOf('| Option | Default | |', optionRows)],
  ['docs/options.md', 'options', tableOf('| Option | Default | |', optionRows)],
  ['docs/settings.md', 'settings', tableOf('| Setting | Default | |', settingRows)],
  ['docs/errors.md', 'errors', tableOf('| Status | Code | Message |', errorRows)],
  ['docs/monitoring.md', 'metrics', tableOf('| Metric | Type | Labels | |', metricRows)],
  ['docs/audit.md', 'events', tableOf('| Event | Target | What happened |', eventRows)],
]

const tables = suite('config: tables of the README and the documentation')

for (const [file, name, rows] of places) {
  tables(`should match the source: ${name} in ${file}`, () => {
    const whole = path.join(packageRoot, file)
    const text = readFileSync(whole, 'utf8')
    const place = new RegExp(`(<!-- ${name}: .* -->\n\n?)[^]*?(\n\n?<!-- /${name} -->)`)
    assert.match(text, place, `${file} has a place for the table`)
    for (const row of rows) assert.is(row.split('|').length, rows[0]!.split('|').length, row)
    const table = rows.join('\n')
    const current = text.replace(place, (_all, begin, end) => begin + table + end)
    if (process.env['WRITE_README']) writeFileSync(whole, current)
    else assert.ok(text === current, 'it is out of date: `npm run docs:config` rewrites it')
  })
}

const limits = suite('config: documented limits')
const page = readDoc('limits')

/** A constant as written in its file; exported ones are imported above. */
function written(file: string, pattern: RegExp): number {
  const text = readFileSync(path.join(packageRoot, 'src', file), 'utf8')
  const [, expression] = pattern.exec(text) ?? []
  assert.ok(expression, `${file} has no ${pattern.source}`)
  const factors = expression!.replaceAll('_', '').split('*').map(Number)
  return factors.reduce((product, factor) => product * factor, 1)
}

const mebibyte = 1024 * 1024
const hourMs = 3_600_000
const text = (value: number) => value.toLocaleString('en-US')
const { maxChunkSize, draftLifeDays, sessionLifeDays, auditDays } = settingsTable

// oxfmt-ignore
const rows: [row: string, value: string][] = [
  ['Chunk', `${maxChunkSize.default / mebibyte} MiB`],
  ['Chunks of a file', text(chunkIndexMax + 1)], ['File, share, account', 'no limit'],
  ['Chunks sent again',
    `${written('bytes/receive/commit.ts', /rewriteBytesMax = ([\d_ *]+)/) / mebibyte} MiB`],
  ['Free disk space',
    `${written('bytes/upkeep/free-space.ts', /floorBytesMin = ([\d_ *]+)/) / mebibyte} MiB`],
  ['Free disk space', `${written('bytes/upkeep/free-space.ts', /floorShare = ([\d.]+)/) * 100} %`],
  ['Name of a file',
    `${written('bytes/receive/file-rules.ts', /partBytesMax = (\d+)/)} bytes between slashes`],
  ['Name of a file',
    `${text(written('bytes/receive/file-rules.ts', /pathLengthMax = (\d+)/))} characters in all`],
  ['Name of a share', `${written('shares/schemas.ts', /nameMax = ([\d_]+)/)} characters`],
  ['Message', `${text(written('shares/schemas.ts', /messageMax = ([\d_]+)/))} characters`],
  ['Recipients',
    `${text(written('shares/schemas.ts', /recipientsMax = ([\d_ *]+)/))} characters`],
  ['Recipients', `first ${addressesMax} addresses`], ['Link', `${text(expirationValMax)} units`],
  ['JSON body', `${written('http/json-splitter.ts', /depthMax = (\d+)/)} levels`],
  ['Unfinished upload', `${draftLifeDays.default} days`],
  ['Session', `${sessionLifeDays.default} in total`],
  ['Unlocked share', `${unlockLifeMs / hourMs} hour`],
  ['Resuming a download without counting it', `${leaseLifeMs / hourMs} hours`],
  ['Audit log', `${auditDays.default} days`],
  ['API tokens', `${written('accounts/api-tokens/api-tokens.ts', /tokensMax = (\d+)/)} for each`],
  ['Recovery codes', `${written('accounts/second-factor/enrolment.ts', /CodeCount = (\d+)/)}`],
  ['JSON body', `${written('http/operation.ts', /jsonBytesMax = ([\d_ *]+)/) / 1024} KiB`],
  ['JSON body', `${written('http/operation.ts', /textBytesMax = ([\d_ *]+)/) / 1024} KiB with`],
  ['JSON body',
    `${written('settings/operations.ts', /configBytesMax = ([\d_ *]+)/) / mebibyte} MiB`],
  ['JSON body',
    `${written('http/json-body.ts', /const listBytesMax = ([\d_ *]+)/) / mebibyte} MiB`],
  ['JSON body', `${text(written('http/json-body.ts', /listItemsMax = ([\d_]+)/))} files`],
  ['Header fields',
    `${written('http/listener.ts', /headersTimeoutMs = ([\d_]+)/) / 1000} seconds`],
  ['Concurrent downloads', `${text(budgetsOf(Infinity).downloadsMax)} downloads`],
  ['Memory for transfers', `${budgetsOf(Infinity).downloadBytes / mebibyte} MiB out`],
  ['Concurrent uploads',
    `${written('bytes/receive/uploads.ts', /permitsPerClientMax: (\d+)/)} uploads`],
]
for (const [name, value] of rows) {
  limits(`should match the source: ${name}, ${value}`, () => {
    const row = page.split('\n').find((line) => line.startsWith(`| ${name} |`))
    assert.ok(row, `the page has a row "${name}"`)
    assert.match(row!, value)
  })
}

const rates: [row: string, standard: string][] = [
  ['Sign-ins', options.rateLimitLogin.defaultText],
  ['Password resets and sign-ups', options.rateLimitReset.defaultText],
  ['Chunks', options.rateLimitUpload.defaultText],
  ['Downloads', options.rateLimitDownload.defaultText],
]
for (const [name, standard] of rates) {
  limits(`should match the default: ${name}, ${standard}`, () => {
    const [, count, time] = /^(\d+)\/(\w+)$/.exec(standard)!
    const words = time === '15m' ? '15 minutes' : 'an hour'
    assert.match(page, `| ${name} | ${text(Number(count))} in ${words}`)
  })
}

const sizes = [192, 256, 384, 512]
const inMebibytes = (bytes: number) => `${bytes / mebibyte} MiB`
const ofMemory: [row: string, figure: (given: Budgets) => string][] = [
  ['Concurrent uploads', (given) => text(given.uploadBytes / (256 * 1024))],
  ['Memory for uploads, and for downloads', (given) => inMebibytes(given.uploadBytes)],
  ['Memory for uploads, and for downloads', (given) => inMebibytes(given.downloadBytes)],
  ['Concurrent downloads', (given) => text(given.downloadsMax)],
  ['Connections', (given) => text(Math.min(given.connectionsMax, 4096))],
  ['Passwords checked at once', (given) => text(given.hashesMax)],
  ['JSON bodies above 4 KiB', (given) => text(given.jsonBodiesMax)],
  ['Lists above 1 MiB', (given) => text(given.longBodiesMax)],
  ['Concurrent responses above 64 KiB', (given) => text(given.longAnswersMax)],
  ['Layouts of archives, kept', (given) => inMebibytes(given.archiveCacheBytes)],
  ['Selected files while archives are sent', (given) => inMebibytes(given.selectionBytes)],
  ['Growth of the JavaScript heap during uploads', (given) => inMebibytes(given.heapGrowthBytes)],
  ['Database connections', (given) => text(given.database.connectionsMax)],
  ['PostgreSQL: `shared_buffers`', (given) => inMebibytes(given.database.sharedBytes)],
  ['PostgreSQL: `work_mem`', (given) => inMebibytes(given.database.workBytes)],
  ['PostgreSQL: `maintenance_work_mem`', (given) => inMebibytes(given.database.maintenanceBytes)],
]
for (const [name, figure] of ofMemory) {
  limits(`should match the budgets: ${name}`, () => {
    const figures = sizes.map((size) => figure(budgetsOf(size * mebibyte)))
    assert.match(page, `| ${name} | ${figures.join(' | ')} |`)
  })
}

limits('should leave a backup the time that its page promises', () => {
  const graceMs = written('bytes/upkeep/unused-segments.ts', /graceMs = ([\d_ *]+)/)
  assert.is(graceMs, 5 * 60_000)
  for (const id of ['backup', 'segments']) assert.match(readDoc(id), 'five minutes')
})
