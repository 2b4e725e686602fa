import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { plantSeed } from '../helpers/seed.ts'
import { databaseProcesses, makeDataDir, removeDataDir } from '../helpers/service-process.ts'
import { Scene } from './scene.ts'
import { atTerminal, hasTerminal } from './terminal.ts'

const terminal = suite<{ scene: Scene }>('cli: at a terminal')
const ctrlC = '\u0003'
const ctrlD = '\u0004'

terminal.before(async (context) => {
  context.scene = new Scene()
  await context.scene.startService()
})
terminal.after(({ scene }) => scene.clear())

if (hasTerminal()) {
  terminal('should ask for a password twice, and never show it', async ({ scene }) => {
    const steps = [
      ['Password for a@example.org: ', 'not to be seen\r'],
      ['Repeat password: ', 'not to be seen\r'],
    ] as const
    const add = ['users', 'add', 'a@example.org']
    const { code, shown, unasked } = await atTerminal(add, scene.env, steps)
    assert.equal([code, unasked], [0, 0], shown)
    assert.not.match(shown, 'seen')
    assert.match(shown, 'created user 2: a@example.org')
    await scene.signIn({ email: 'a@example.org', password: 'not to be seen' })
  })

  terminal('should change nothing when the two differ', async ({ scene }) => {
    const { code, shown } = await atTerminal(['users', 'passwd', 'a@example.org'], scene.env, [
      ['New password for a@example.org: ', 'one password\r'],
      ['Repeat password: ', 'another password\r'],
    ])
    assert.is(code, 1)
    assert.match(shown, 'the passwords differ: nothing was changed')
    await scene.signIn({ email: 'a@example.org', password: 'not to be seen' })
  })

  for (const [what, typed, said] of [
    ['Ctrl-C', ctrlC, 'nothing was entered'],
    ['Ctrl-D', ctrlD, 'nothing was entered'],
    ['a signal', 'SIGTERM', 'stopped by SIGTERM'],
    ['another address', 'admin@example.org\r', 'not confirmed: nothing was changed'],
  ] as const) {
    terminal(`should end at ${what} with nothing changed`, async ({ scene }) => {
      const asked = [['confirm (a@example.org): ', typed]] as const
      const { code, shown, unasked } = await atTerminal(['users', 'delete', '2'], scene.env, asked)
      assert.equal([code, unasked], [1, 0], shown)
      assert.match(shown, said)
      assert.is((await scene.json(['users', 'list'])).length, 2)
    })
  }

  terminal('should delete an account only after typing its email address', async ({ scene }) => {
    const args = ['users', 'delete', '2']
    const question = 'Type the email address to confirm (a@example.org): '
    const right = await atTerminal(args, scene.env, [[question, 'a@example.org\r']])
    assert.is(right.code, 0, right.shown)
    assert.is((await scene.json(['users', 'list'])).length, 1)
  })

  terminal('should end when its terminal closes', async () => {
    const dataDir = makeDataDir()
    try {
      plantSeed(dataDir)
      const env = { DATA_DIR: dataDir, PORT: '0', DOCS_PORT: 'off' }
      const { code, shown } = await atTerminal(['serve'], env, [['listening on', 'SIGHUP']])
      assert.is(code, 0, shown)
      assert.equal(databaseProcesses(dataDir), [])
    } finally {
      await removeDataDir(dataDir)
    }
  })
}
