// The README's first command on a build: it is ready, takes a file, gives it back identical, stops
// on SIGTERM, and has it after a restart. Needs Node and npm only, and data in a folder of its own.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = path.join(import.meta.dirname, '../..')
const stepMsMax = 120_000
const folder = mkdtempSync(path.join(tmpdir(), 'transfer-first-start-'))
const list = path.join(folder, 'sent.list')
// The database of root runs as another user.
chmodSync(folder, 0o711)

/** `npm start` with an empty environment but for the options. */
async function start() {
  const child = spawn('npm', ['start'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      ADMIN_EMAIL: 'admin@example.org',
      ADMIN_PASSWORD: 'correct horse battery',
      HOST: '127.0.0.1',
      PORT: '0',
      DOCS_PORT: 'off',
      DATA_DIR: path.join(folder, 'data'),
    },
  })
  const ended = once(child, 'exit')
  let output = ''
  const listens = new Promise((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
      if (/^listening on \S+ /m.test(output)) resolve('listening')
    })
  })
  const first = await Promise.race([listens, ended, after(stepMsMax)])
  if (first !== 'listening') throw new Error(`it does not listen: ${first}\n${output}`)
  return {
    base: /^listening on (\S+)/m.exec(output)[1].replace('localhost', '127.0.0.1'),
    async stop() {
      child.kill('SIGTERM')
      const [code] = (await Promise.race([ended, after(stepMsMax)])) ?? ['no end']
      if (code !== 0) throw new Error(`it ended with ${code} after SIGTERM\n${output}`)
    },
  }
}

function after(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms, null).unref())
}

function traffic(what, ...more) {
  const program = path.join(root, 'test/operations/traffic.mjs')
  const args = [program, what, running.base, list, ...more]
  execFileSync(process.execPath, args, { stdio: 'inherit', timeout: stepMsMax })
}

let running = null
try {
  running = await start()
  const { status } = await fetch(`${running.base}/readyz`)
  if (status !== 200) throw new Error(`it is not ready: ${status}`)
  traffic('send', '1', '3')
  await running.stop()
  running = await start()
  traffic('compare')
  await running.stop()
  process.stdout.write('first start: all is well\n')
} catch (error) {
  process.stdout.write(`first start: ${error.stack}\n`)
  process.exitCode = 1
  await running?.stop().catch(() => {})
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
}
