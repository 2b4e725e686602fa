import { existsSync, renameSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../helpers/until.ts'
import { endOf } from '../helpers/child.ts'
import { databaseProcesses, listenTo, spawnCommand } from '../helpers/service-process.ts'
import { Guest, makeLink } from '../helpers/client.ts'
import { Scene } from './scene.ts'

interface Context {
  scene: Scene
  shareId: string
  reverseId: string
}

const alone = suite<Context>('cli: administration without a running service')

alone.before(async (context) => {
  const scene = new Scene()
  context.scene = scene
  const service = await scene.startService()
  const admin = await scene.signIn()
  context.shareId = await admin.share({ 'a.txt': 'kept' })
  for (const name of ['expires', 'left behind']) await admin.share({ 'b.txt': name }, { name })
  await admin.chunk(await admin.init({ name: 'abandoned' }), 'c', 0, 'c')
  context.reverseId = await makeLink(admin)
  const guest = new Guest(scene.client(), context.reverseId)
  await guest.init()
  await guest.chunk('d', 0, 'd')
  assert.is((await service.stop()).code, 0)
})
alone.after(({ scene }) => scene.clear())
alone.after.each(({ scene }) => {
  assert.equal(databaseProcesses(scene.dataDir), [], 'nothing is left running')
})

alone('should manage accounts while the disk of the files is not mounted', async ({ scene }) => {
  const containers = path.join(scene.dataDir, 'storage')
  renameSync(containers, `${containers}.away`)
  try {
    await scene.text(['users', 'list'])
    assert.is((await scene.json(['shares', 'list', '--state', 'complete'])).length, 3)
    assert.not.ok(existsSync(containers), 'nothing is created in its place')
    const failure = await scene.failure(['clean-up'])
    assert.is(failure.code, 'wrong_storage')
    assert.match(failure.error, 'Check that the disk is mounted.')
  } finally {
    renameSync(`${containers}.away`, `${containers}`)
  }
})

alone('should clean up nothing by a doubtful clock, unless told to trust it', async (all) => {
  const { scene } = all
  const before = scene.containers()
  await scene.database(async ({ sql }) => {
    await sql`update shares set expires_at = now() - interval '1 hour' where name = 'expires'`
    await sql`update shares set created_at = now() - interval '9 days' where state = 'draft'`
    await sql`update deliveries set created_at = now() - interval '9 days'`
    await sql`update chunks set created_at = now() - interval '9 days'`
    await sql`update sessions set expires_at = now() - interval '1 hour'`
    await sql`
      update clock_watch
      set boot_id = 'another boot', seen_at = now() - interval '8 days',
        expected_at = now() - interval '8 days'`
    await sql`
      insert into tombstones (container_id, created_at)
      select containers.id, now()
      from containers
      join shares on shares.container_id = containers.id
      where name = 'left behind'`
    await sql`delete from shares where name = 'left behind'`
  })
  const skipping = await scene.run(['clean-up', '--json'])
  assert.is(skipping.code, 1, 'something was left')
  assert.is(skipping.stderr, '')
  const doubted = JSON.parse(skipping.stdout) as any[]
  const outcome = (results: any[], name: string) => results.find((one) => one.name === name)
  for (const name of ['clean up shares', 'clean up deliveries', 'remove ended sessions']) {
    assert.is(outcome(doubted, name)?.skipped, 'clock')
    assert.is(outcome(doubted, name)?.removed, 0)
  }
  assert.is(outcome(doubted, 'remove deleted bytes')?.removed, 1)
  assert.is(scene.containers().length, before.length - 1)

  const trusted = await scene.json(['clean-up', '--trust-clock'])
  assert.is(outcome(trusted, 'clean up shares')?.removed, 2, 'the expired one and the draft')
  assert.is(outcome(trusted, 'clean up deliveries')?.removed, 1)
  assert.is(outcome(trusted, 'remove ended sessions')?.removed, 1)
  assert.is(scene.containers().length, before.length - 4)

  assert.match(await scene.text(['clean-up']), 'expired shares and abandoned drafts: 0\n')
})

alone('should delete the rest, and remove it from disk', async (context) => {
  const { scene, shareId, reverseId } = context
  await scene.text(['shares', 'delete', shareId, '--yes'])
  await scene.text(['reverse', 'delete', reverseId, '--yes'])
  assert.equal(scene.containers(), [])
})

alone('should stop the database it has started at a signal', async ({ scene }) => {
  const child = spawnCommand(['users', 'list', '--json'], scene.env)
  const said = listenTo(child)
  const closed = endOf(child)
  await until('its database runs', () => databaseProcesses(scene.dataDir).length > 0)
  child.kill('SIGTERM')
  assert.equal(await closed, { code: 1, signal: null })
  assert.equal(JSON.parse(said.stderr), { error: 'stopped by SIGTERM', code: 'failed' })
})
