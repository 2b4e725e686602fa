// The process that owns the PostgreSQL of a run, killed in the middle of it.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../helpers/until.ts'
import { within } from './bounds.ts'
import { closing, good, isGone, moduleOf, runWith } from './scene.ts'

const databases = suite<{ folder: string }>('shared databases')
// Each starts a PostgreSQL.
within(120_000, databases)
databases.before.each((scene) => {
  scene.folder = mkdtempSync(path.join(tmpdir(), 'transfer-test-runner-'))
})
databases.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }))

const imports = `import path from 'node:path'
import { readFileSync } from 'node:fs'
import { createMigratedDatabase } from ${moduleOf('../helpers/postgres.js')}
`
/** Kills the parent of the server that the database is on, and prints both. */
const killing = `${imports}const a = suite('kills')
a('should make a database, and kill its owner', within(60_000, async () => {
  const { socketDir } = await createMigratedDatabase()
  const dataDir = path.resolve(socketDir, '../..')
  const pid = readFileSync(path.join(dataDir, 'database/pg/postmaster.pid'), 'utf8').split('\\n')[0]
  const owner = Number(readFileSync('/proc/' + pid + '/stat', 'utf8').split(' ')[3])
  process.kill(owner, 'SIGKILL')
  process.stdout.write('\\nserver ' + pid + ' in ' + dataDir + '\\n')
}))
a.run()`
const asking = `${imports}const a = suite('asks')
a('should make a database', within(60_000, () => createMigratedDatabase()))
a.run()`

// Processes are found by /proc.
if (process.platform === 'linux') {
  databases('should end the server when its owner is killed, and fail the run', async (scene) => {
    const options = ['--processes=1']
    const { said, code } = await runWith(options, scene.folder, killing, good)
    assert.match(said, 'kills  \nserver')
    const [, pid, dataDir] = said.match(/server (\d+) in (\S+)/)!
    assert.match(said, 'FAIL  the PostgreSQL of the tests has ended with SIGKILL')
    assert.is(closing(said), '2 passed, 1 failed')
    assert.is(code, 1)
    await until('the server has ended', () => isGone(Number(pid)))
    await until('its folder is gone', () => !existsSync(dataDir!))
  })

  databases('should tell later processes that the owner has ended', async ({ folder }) => {
    const options = ['--processes=1']
    const ends = `process.exit()`
    const { said } = await runWith(options, folder, killing, ends, asking, good)
    assert.match(said, /"should make a database"\n {4}the PostgreSQL of the tests has ended/)
    assert.match(said, 'good  •   (1 / 1)')
    assert.is(closing(said), '2 passed, 3 failed')
  })
}

databases('should leave no server behind after a run', async ({ folder }) => {
  const making = `${imports}const a = suite('makes')
a('should make a database', within(60_000, async () => {
  process.stdout.write('\\nin ' + path.resolve((await createMigratedDatabase()).socketDir, '../..') + '\\n')
}))
a.run()`
  const { said } = await runWith(['--processes=1'], folder, making)
  assert.is(closing(said), '1 passed, 0 failed')
  assert.not.ok(existsSync(said.match(/^in (\S+)$/m)![1]!))
})

databases.run()
