import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { randomRowId } from '../../src/lib/random-id.ts'
import { containerFolder, segmentFile } from '../../src/bytes/segments/files-on-disk.ts'
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

if (hasTerminal()) {
  verify('should ask before it removes anything', async (context) => {
    await (await context.scene.signIn()).share({ 'a.txt': 'aaa' })
    const segment = await segmentOf(context, 'a.txt')
    // A folder without a row, and a segment without a row beside a real one.
    const folder = containerFolder(context.containers, randomRowId())
    mkdirSync(folder, { recursive: true })
    const copy = path.join(path.dirname(segment), `${randomRowId()}.seg`)
    copyFileSync(segment, copy)
    const orphans = [folder, copy]
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
