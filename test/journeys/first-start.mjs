// The README's first command on a build: it is ready, takes a file, gives it back identical, stops
// on SIGTERM, and has it after a restart. Needs Node and npm only, and data in a folder of its own.
import { spawn } from 'node:child_process'
import { createHash, randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const stepMsMax = 120_000
const email = 'admin@example.org'
const password = 'correct horse battery'
const sizes = [3_000_000, 1_500_000]

const folder = mkdtempSync(path.join(tmpdir(), 'transfer-first-start-'))
// The database of root runs as another user.
chmodSync(folder, 0o711)
let base = ''
const hashOf = (data) => createHash('sha256').update(data).digest('hex')

/** `npm start` with an empty environment but for the options. */
async function start() {
  const child = spawn('npm', ['start'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      ADMIN_EMAIL: email,
      ADMIN_PASSWORD: password,
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
  base = /^listening on (\S+)/m.exec(output)[1].replace('localhost', '127.0.0.1')
  return {
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

async function call(method, target, { token, json, body = json && JSON.stringify(json) } = {}) {
  const answer = await fetch(base + target, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(json ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body } : {}),
  })
  if (!answer.ok) throw new Error(`${method} ${target}: ${answer.status} ${await answer.text()}`)
  return answer
}

async function send(data) {
  const login = await call('POST', '/api/auth/login', { json: { email, password } })
  const { token } = await login.json()
  const draft = await call('POST', '/api/shares/init', { token, json: { name: 'First' } })
  const { shareId } = await draft.json()
  let offset = 0
  for (const [index, size] of sizes.entries()) {
    const body = new FormData()
    body.set('chunk', new Blob([data.subarray(offset, offset + size)]))
    body.set('chunkIndex', String(index))
    body.set('fileName', 'first.bin')
    body.set('fileId', 'f')
    await call('POST', `/api/shares/${shareId}/chunk`, { token, body })
    offset += size
  }
  const files = [{ fileId: 'f', fileName: 'first.bin', originalName: 'first.bin', size: offset }]
  await call('POST', `/api/shares/${shareId}/finalize`, { token, json: { files } })
  return shareId
}

async function isIdentical(shareId, data) {
  const shown = await (await call('GET', `/api/public/shares/${shareId}`)).json()
  const answer = await call('GET', `/api/shares/${shareId}/files/${shown.files[0].id}`)
  if (hashOf(Buffer.from(await answer.arrayBuffer())) !== hashOf(data)) {
    throw new Error('the file came back different')
  }
}

let running = null
try {
  const data = randomFillSync(Buffer.alloc(sizes.reduce((sum, size) => sum + size)))
  running = await start()
  await call('GET', '/readyz')
  const shareId = await send(data)
  await isIdentical(shareId, data)
  await running.stop()
  running = await start()
  await isIdentical(shareId, data)
  await running.stop()
  process.stdout.write('first start: all is well\n')
} catch (error) {
  process.stdout.write(`first start: ${error.stack}\n`)
  process.exitCode = 1
  await running?.stop().catch(() => {})
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
}
