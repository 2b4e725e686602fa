// Commands at a terminal: questions, hidden passwords, tables that fit.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { makeApiToken } from '../helpers/api-token.ts'
import { plantSeed } from '../helpers/seed.ts'
import { databaseProcesses, makeDataDir, removeDataDir } from '../helpers/service-process.ts'
import { Scene } from './scene.ts'
import { atTerminal, hasTerminal } from './terminal.ts'

interface Context {
  scene: Scene
}

const terminal = suite<Context>('cli: at a terminal')
const ctrlC = '\u0003'
const ctrlD = '\u0004'

terminal.before(async (context) => {
  context.scene = new Scene()
  await context.scene.startService()
})
terminal.after(({ scene }) => scene.clear())

const isHere = hasTerminal()
if (isHere) {
  terminal('should ask for a password twice, and never show it', async ({ scene }) => {
    const { code, shown, unasked } = await atTerminal(
      ['users', 'add', 'a@example.org'],
      scene.env,
      [
        ['Password for a@example.org: ', 'not to be seen\r'],
        ['Repeat password: ', 'not to be seen\r'],
      ],
    )
    assert.is(code, 0, shown)
    assert.is(unasked, 0)
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

  for (const [what, key] of [
    ['Ctrl-C', ctrlC],
    ['Ctrl-D', ctrlD],
  ] as const) {
    terminal(`should end at ${what} with nothing changed`, async ({ scene }) => {
      const asked = [['confirm (a@example.org): ', key]] as const
      const { code, shown, unasked } = await atTerminal(['users', 'delete', '2'], scene.env, asked)
      assert.is(unasked, 0)
      assert.is(code, 1, shown)
      assert.match(shown, 'nothing was entered')
      assert.is((await scene.json(['users', 'list'])).length, 2)
    })
  }

  terminal('should not wait for input when it is stopped', async ({ scene }) => {
    const asked = [['confirm (a@example.org): ', 'SIGTERM']] as const
    const { code, shown, unasked } = await atTerminal(['users', 'delete', '2'], scene.env, asked)
    assert.is(unasked, 0)
    assert.is(code, 1, shown)
    assert.match(shown, 'stopped by SIGTERM')
    assert.is((await scene.json(['users', 'list'])).length, 2)
  })

  terminal('should delete an account only after typing its email address', async ({ scene }) => {
    const args = ['users', 'delete', '2']
    const question = 'Type the email address to confirm (a@example.org): '
    const wrong = await atTerminal(args, scene.env, [[question, 'admin@example.org\r']])
    assert.is(wrong.code, 1)
    assert.match(wrong.shown, 'not confirmed: nothing was changed')
    assert.is((await scene.json(['users', 'list'])).length, 2)
    const right = await atTerminal(args, scene.env, [[question, 'a@example.org\r']])
    assert.is(right.code, 0, right.shown)
    assert.is((await scene.json(['users', 'list'])).length, 1)
  })

  terminal('should delete shares after a confirmation', async ({ scene }) => {
    const owner = await scene.signIn()
    const shareId = await owner.share({ 'a.txt': 'hello' })
    const args = ['shares', 'delete', shareId]
    const no = await atTerminal(args, scene.env, [['Type yes: ', 'no\r']])
    assert.is(no.code, 1)
    assert.is((await owner.get(`/api/public/shares/${shareId}`)).status, 200)
    const yes = await atTerminal(args, scene.env, [['Type yes: ', 'yes\r']])
    assert.is(yes.code, 0, yes.shown)
    assert.is((await owner.get(`/api/public/shares/${shareId}`)).status, 404)
  })

  terminal('should not show a secret setting that is typed', async ({ scene }) => {
    const steps = [['smtpPassword: ', 'hunter2\r']] as const
    const { code, shown } = await atTerminal(
      ['settings', 'set', 'smtpPassword=-'],
      scene.env,
      steps,
    )
    assert.is(code, 0, shown)
    assert.not.match(shown, 'hunter2')
    assert.is(await scene.text(['settings', 'get', 'smtpPassword']), '********\n')
  })

  terminal('should fit every list into 80 columns, with whole ids', async ({ scene }) => {
    const name = 'n'.repeat(200)
    const email = `${'e'.repeat(60)}@${'d'.repeat(60)}.example`
    const { client } = await scene.user(email)
    const shareId = await client.share({ 'a.txt': 'hello' }, { name })
    const reverse = (await client.post('/api/reverse', { name })).json()
    const token = await makeApiToken(client, { name: 'n'.repeat(100) })
    await scene.text(['settings', 'set', `welcomeText=${'w'.repeat(500)}`])
    for (const [args, id] of [
      [['users', 'list'], 'eeee…'],
      [['shares', 'list'], shareId],
      [['reverse', 'list'], reverse.id],
      [['tokens', 'list'], token.id],
      [['settings', 'get'], 'wwww…'],
    ] as const) {
      const { code, shown } = await atTerminal(args, scene.env)
      assert.is(code, 0, shown)
      assert.match(shown, id)
      const wide = shown.split('\r\n').filter((line) => Array.from(line).length > 80)
      assert.equal(wide, [], args.join(' '))
    }
    assert.match(await scene.text(['users', 'list']), email, 'in a pipe nothing is shortened')
  })
}

if (isHere) {
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
