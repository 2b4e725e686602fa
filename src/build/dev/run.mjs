// `npm run dev`: builds into dist-dev/, runs the service on the data in data-dev/, and builds and
// starts it again when the sources change. Boot options come from the environment as usual;
// arguments are passed to node (`npm run dev -- --inspect`).
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Builds, startFile } from './builds.mjs'
import { DevService } from './service.mjs'
import { watchFolders } from './watch.mjs'

/** npm forwards a Ctrl-C that has already come from the terminal. */
const sameKeyMs = 500

process.chdir(fileURLToPath(new URL('../../..', import.meta.url)))
const port = Number(process.env.PORT || 8080)
const host = process.env.HOST || '127.0.0.1'
const dataDir = process.env.DATA_DIR || path.resolve('data-dev')
const email = process.env.ADMIN_EMAIL || 'dev@example.com'
const password = process.env.ADMIN_PASSWORD || keepPassword()

const say = (text) => process.stdout.write(`dev: ${text}\n`)
const builds = await Builds.open()
const service = new DevService(
  [...process.argv.slice(2), '--enable-source-maps', startFile, 'serve'],
  {
    ...process.env,
    // With a debugger, main.cts sets it too late.
    UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE || '16',
    PORT: String(port),
    HOST: host,
    DATA_DIR: dataDir,
    ADMIN_EMAIL: email,
    ADMIN_PASSWORD: password,
  },
)

let isEnding = false
let work = update(true)
const unwatch = watchFolders(['src', 'sql', 'docs', 'static'], (names) => {
  const changed = [...names].filter((name) => !isIn(name, 'static/app'))
  if (changed.length === 0) return
  work = work.then(() => update(changed.some((name) => !isIn(name, 'src/web'))))
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end)
say(`sign in as ${email}, password ${password}`)

async function update(withDocs) {
  if (isEnding || !(await builds.build(withDocs)) || isEnding) return
  say('starting the service')
  await service.stop()
  if (!isEnding) service.start()
}

/** Ends at once when called again. */
function end() {
  if (isEnding) return
  isEnding = true
  unwatch()
  setTimeout(() => process.on('SIGINT', () => service.kill()), sameKeyMs).unref()
  work = work.then(async () => {
    await service.stop()
    await builds.close()
  })
}

/** Made at the first start, and kept beside its data. */
function keepPassword() {
  const name = path.join(dataDir, 'dev-password')
  if (!existsSync(name)) {
    mkdirSync(dataDir, { recursive: true })
    // Lets the database's user pass when root runs this.
    chmodSync(dataDir, 0o711)
    writeFileSync(name, `${randomBytes(9).toString('base64url')}\n`, { mode: 0o600 })
  }
  return readFileSync(name, 'utf8').trim()
}

function isIn(name, folder) {
  return name === folder || name.startsWith(`${folder}/`)
}
