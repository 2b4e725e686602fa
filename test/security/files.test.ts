// Names from clients and the file system. See security.md, part 1: the ids are the suites' names.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertError } from '../contract/shapes.ts'
import type { Client } from '../helpers/client.ts'
import { type Service, startService } from '../helpers/service.ts'

let service: Service
let owner: Client
let anonymous: Client
let surroundings: string

async function start(): Promise<void> {
  service = await startService()
  surroundings = path.dirname(service.storageDir)
  // A sibling whose name begins with that of the containers' folder, and a file beside both.
  writeFileSync(path.join(surroundings, 'beside.txt'), 'beside')
  mkdirSync(`${service.storageDir}-x`)
  writeFileSync(path.join(`${service.storageDir}-x`, 'config.mjs'), 'sibling')
  owner = await service.admin()
  anonymous = service.client()
}

async function stop(): Promise<void> {
  await service.stop()
}

/** Every file and folder below, with the contents of the files outside of the containers. */
function tree(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted()
}

function outside(): string[] {
  return tree(surroundings)
    .filter((name) => !name.startsWith(`${service.storageDir}/`))
    .map((name) => (statSync(name).isFile() ? `${name} ${readFileSync(name, 'utf8')}` : name))
}

// prettier-ignore
const hostile = [
  '../x', '../../../../../../../../tmp/x', '../containers-x/config.mjs', '/etc/x', 'C:\\x',
  'a\\..\\..\\x', 'x\0.txt', '..', '.', '%2e%2e%2fx', 'x'.repeat(200), 'CON', 'storage-root.json',
]

const names = suite('security: CVE-2025-22137, CVE-2026-24897, CVE-2026-41180, CVE-2025-52900')
names.before(start)
names.after(stop)

names('should keep names from clients away from the file system', async () => {
  const before = outside()
  const shareId = await owner.init({ name: '../../x' })
  const listed = []
  for (const [place, name] of hostile.entries()) {
    const sent = await owner.chunk(shareId, name, 0, `content ${place}`, { fileName: name })
    assert.ok([200, 400].includes(sent.status), sent.body.toString())
    if (sent.status === 200)
      listed.push({
        fileId: name,
        originalName: `file-${place}`,
        size: 9 + String(place).length - 1,
      })
    const file = { fileId: name, originalName: name, size: 1 }
    const refused = await owner.finalize(shareId, [file])
    assert.ok([400].includes(refused.status), refused.body.toString())
    const other = await owner.chunk(encodeURIComponent(name), 'f', 0, 'x')
    assert.ok([404, 405].includes(other.status), `${name} ${other.status}`)
  }
  const finalized = await owner.finalize(shareId, listed)
  assert.is(finalized.status, 200, finalized.body.toString())
  assert.equal(outside(), before)
  const made = tree(service.storageDir).filter((name) => statSync(name).isFile())
  for (const name of made) {
    if (path.basename(name) === 'storage-root.json') continue
    const relative = path.relative(service.storageDir, name)
    assert.match(
      relative,
      /^[0-9a-f]{2}\/[0-9a-f-]{36}\/([0-9a-f-]{36}\.seg|manifest\.json(\.new)?)$/,
    )
  }
})

names('should store nothing that other users of the machine may read', async () => {
  const shareId = await owner.share({ a: Buffer.alloc(400_000), b: 'small' })
  assert.is((await anonymous.get(`/api/public/shares/${shareId}`)).status, 200)
  const containers = tree(service.storageDir)
  assert.ok(containers.length > 2)
  for (const name of containers) {
    assert.is(statSync(name).mode & 0o077, 0, `${name} ${statSync(name).mode.toString(8)}`)
  }
})

// ---

const served = suite('security: CVE-2023-37474')
served.before(start)
served.after(stop)

served('should serve only files in the static folder', async () => {
  assert.is((await anonymous.get('/static/icon.svg')).status, 200)
  for (const name of [
    '..%2fpackage.json',
    '%2e%2e%2fpackage.json',
    '%2e%2e/package.json',
    '..%5cpackage.json',
    '....//package.json',
    '%252e%252e%252fpackage.json',
    '%c0%ae%c0%ae%c0%afpackage.json',
    'icon.svg%00.css',
    'icon.svg%2f..%2f..%2fpackage.json',
    'app%2fmanifest.json',
    'app/manifest.json',
    'app/..%2ficon.svg',
    '/etc/passwd',
    '.hidden',
    'ICON.SVG',
  ]) {
    assertError(await anonymous.get(`/static/${name}`), 404)
  }
})
