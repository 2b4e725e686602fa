// `transfer verify` as a process, beside a service and without one.
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { randomRowId } from '../../src/lib/random-id.ts'
import { containerFolder, segmentFile } from '../../src/blobs/segments/container-folder.ts'
import { endOf } from '../helpers/child.ts'
import { randomContent } from '../helpers/content.ts'
import { mainFile } from '../helpers/main-file.ts'
import { removeDataDir, runCommand } from '../helpers/service-process.ts'
import { until } from '../helpers/until.ts'
import { evilName, evilShown, Scene } from './scene.ts'
import { atTerminal, hasTerminal } from './terminal.ts'

interface Context {
  scene: Scene
  containers: string
}

const verify = suite<Context>('cli: verify')

verify.before.each(async (context) => {
  context.scene = new Scene()
  context.containers = path.join(context.scene.dataDir, 'storage')
  await context.scene.startService()
})
verify.after.each(({ scene }) => scene.clear())

async function segmentOf({ scene, containers }: Context, name: string): Promise<string> {
  const [row] = await scene.database(
    ({ sql }) => sql<{ containerId: string; segmentId: string }[]>`
      select container_id, segment_id
      from files join extents on file_id = files.id
      where original_name = ${name}`,
  )
  return segmentFile(containers, row!.containerId, row!.segmentId)
}

verify('should find nothing in a healthy store, with or without a service', async (context) => {
  const { scene } = context
  const admin = await scene.signIn()
  await admin.share({ 'a.bin': randomContent(2_000_000, 'a') })
  assert.is(await scene.text(['verify']), 'checked 2.0 MB: no problems found\n')
  assert.is((await scene.service!.stop()).code, 0)
  const report = await scene.json(['verify', '--rate', '1000'])
  assert.equal(report.counts, { missing: 0, short: 0, rotten: 0, orphaned: 0 })
  assert.equal([report.checked_bytes, report.removed, report.findings], [2_000_000, 0, []])
})

verify('should print findings, a line each, and exit with 1', async (context) => {
  const { scene } = context
  const admin = await scene.signIn()
  const shareId = await admin.share({ 'b.txt': 'aaa' }, { name: evilName })
  const segment = await segmentOf(context, 'b.txt')
  const bytes = readFileSync(segment)
  bytes[0]! ^= 1
  writeFileSync(segment, bytes)
  const { code, stdout } = await scene.run(['verify'])
  assert.is(code, 1)
  const [line, summary] = stdout.trimEnd().split('\n')
  assert.match(line!, `rotten  share ${shareId}`)
  assert.match(line!, `“${evilShown}”  file “b.txt”`)
  assert.is(summary, 'checked 3 B: 1 rotten')
  assert.is((await admin.get(`/api/shares/${shareId}/download`)).status, 410)
  const again = await scene.run(['verify', '--json'])
  assert.is(again.code, 1)
  const report = JSON.parse(again.stdout)
  assert.is(report.counts.rotten, 1)
  assert.equal(report.findings[0].share, { id: shareId, name: evilName })
})

/** A backup is verified from its beginning, regardless of progress in the original. */
async function checkCopy(scene: Scene): Promise<void> {
  const copyDir = mkdtempSync(path.join(tmpdir(), 'transfer-test-copy-'))
  chmodSync(copyDir, 0o711)
  assert.is((await scene.service!.stop()).code, 0)
  assert.is(spawnSync('cp', ['-a', `${scene.dataDir}/.`, copyDir]).status, 0)
  const { stdout } = await runCommand(['verify'], { ...scene.env, DATA_DIR: copyDir })
  assert.is(stdout, 'checked 8.0 MB: no problems found\n')
  await removeDataDir(copyDir)
  await scene.startService()
}

verify('should continue where it was killed, unless told to start over', async (context) => {
  const { scene } = context
  const admin = await scene.signIn()
  const files = Array.from({ length: 8 }, (_, n) => [`f${n}`, randomContent(1_000_000, n)])
  await admin.share(Object.fromEntries(files))
  const env = { PATH: process.env['PATH'], ...scene.env }
  const child = spawn(process.execPath, [mainFile, 'verify', '--rate', '1'], { env })
  const checked = () =>
    scene.database(async ({ sql }) => {
      const [run] = await sql<{ bytesChecked: number }[]>`select bytes_checked from verify_runs`
      return run?.bytesChecked ?? 0
    })
  await until('part of it is read', async () => (await checked()) >= 2_000_000)
  child.kill('SIGKILL')
  await endOf(child)
  const before = await checked()
  assert.ok(before < 8_000_000, String(before))
  await checkCopy(scene)
  const text = await scene.text(['verify'])
  const resumed = /^resuming after ([2-7]\.0 MB) \(--restart starts over\)\n/.exec(text)?.[1]
  assert.ok(resumed, text)
  const summary = `checked 8.0 MB (${resumed} of it before resuming): no problems found\n`
  assert.ok(text.endsWith(`\n${summary}`), text)
  assert.is(await scene.text(['verify']), 'checked 8.0 MB: no problems found\n')

  const second = spawn(process.execPath, [mainFile, 'verify', '--rate', '1'], { env })
  await until('it has started', async () => {
    const open = await scene.database(
      ({ sql }) => sql`select 1 from verify_runs where finished_at is null`,
    )
    return open.length > 0
  })
  const busy = await scene.failure(['verify'])
  assert.match(busy.error, 'already running')
  second.kill('SIGINT')
  assert.is((await endOf(second)).code, 1)
  assert.is(await scene.text(['verify', '--restart']), 'checked 8.0 MB: no problems found\n')
})

/** A folder without a row, and a segment without a row beside a real one. */
async function leaveOrphans(context: Context): Promise<string[]> {
  const admin = await context.scene.signIn()
  await admin.share({ 'a.txt': 'aaa' })
  const segment = await segmentOf(context, 'a.txt')
  const folder = containerFolder(context.containers, randomRowId())
  mkdirSync(folder, { recursive: true })
  const copy = path.join(path.dirname(segment), `${randomRowId()}.seg`)
  copyFileSync(segment, copy)
  return [folder, copy]
}

verify('should remove orphans only when allowed to', async (context) => {
  const { scene } = context
  const orphans = await leaveOrphans(context)
  const refused = await scene.run(['verify', '--repair'])
  assert.is(refused.code, 2)
  assert.match(refused.stderr, 'add --yes')
  const looked = await scene.run(['verify'])
  assert.is(looked.code, 1)
  assert.match(looked.stdout, /^orphaned  folder /m)
  assert.ok(orphans.every((name) => existsSync(name)))
  const repaired = await scene.run(['verify', '--repair', '--yes'])
  assert.is(repaired.code, 1)
  assert.match(repaired.stdout, 'removed 2 of 2 orphaned')
  assert.not.ok(orphans.some((name) => existsSync(name)))
  assert.is(await scene.text(['verify']), 'checked 3 B: no problems found\n')
})

if (hasTerminal()) {
  verify('should ask before it removes anything', async (context) => {
    const orphans = await leaveOrphans(context)
    const question = 'Type remove to permanently delete 2 orphans: '
    const asked = (typed: string) =>
      atTerminal(['verify', '--repair'], context.scene.env, [[question, typed]])
    const no = await asked('no\r')
    assert.is(no.code, 1)
    assert.match(no.shown, 'nothing was removed')
    assert.match(no.shown, 'checked 3 B: 2 orphaned')
    assert.ok(orphans.every((name) => existsSync(name)))
    const yes = await asked('remove\r')
    assert.match(yes.shown, 'removed 2 of 2 orphaned')
    assert.not.ok(orphans.some((name) => existsSync(name)))
  })
}

for (const rate of ['0', '-1', 'x', '1.5']) {
  verify(`should refuse a rate of ${rate}`, async ({ scene }) => {
    const { code, stderr } = await scene.run(['verify', `--rate=${rate}`])
    assert.is(code, 2)
    assert.match(stderr, 'megabytes per second')
  })
}

verify.run()
