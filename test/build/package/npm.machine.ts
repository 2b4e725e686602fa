// The npm package of this build: what is in it, and that it runs where only Node is.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { packageRoot, version } from '../../../src/lib/package-root.ts'
import { Client } from '../../helpers/client.ts'
import { makeFolder } from '../../helpers/folder.ts'
import { mainFile } from '../../helpers/main-file.ts'
import { makeDataDir, removeDataDir, runCommand } from '../../helpers/service-process.ts'
import { ServiceProcess } from '../../helpers/service-process.ts'

const bytesMax = 2_000_000
const admin = { email: 'admin@example.org', password: 'correct horse battery' }
const bare = { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin` }

const npm = suite('package: npm')
let folder: string
let dataDir: string
let file: string
/** Empty where npm's registry cannot be reached. */
let program: string[] = []

npm.before(async () => {
  folder = makeFolder()
  // Root's database user must be able to read it.
  chmodSync(folder, 0o755)
  dataDir = makeDataDir()
  file = await pack()
  program = install()
})
npm.after(() => removeDataDir(dataDir))

/** `npm run package` builds into dist/, which tests leave alone: they pack the build of the tests. */
async function pack(): Promise<string> {
  const source = path.join(folder, 'source')
  const take = (from: string, name: string) => {
    cpSync(path.resolve(packageRoot, from), path.join(source, name), { recursive: true })
  }
  for (const name of ['package.json', 'README.md', 'LICENSE', 'sql', 'static', 'src']) {
    take(name, name)
  }
  take(path.dirname(mainFile), 'dist')
  const script = path.join(packageRoot, 'src/build/package/npm.mjs')
  const { makeNpmPackage } = (await import(script)) as {
    makeNpmPackage: (source: string, staged: string, target: string) => string
  }
  mkdirSync(path.join(folder, 'target'))
  return makeNpmPackage(source, path.join(folder, 'staged'), path.join(folder, 'target'))
}

/**
 * As `npm install --global` does, without the scripts of packages: newer npm asks before them. The
 * machine's configuration of npm, which another prefix would replace, may name the authority of a
 * proxy.
 */
function install(): string[] {
  const prefix = path.join(folder, 'installed')
  const command = `umask 022; exec npm install --global --prefix "$1" --omit=dev \
    --globalconfig "$(npm config get globalconfig)" \
    --ignore-scripts --prefer-offline --no-audit --no-fund "$2"`
  const { HOME = folder } = process.env
  const { status, stderr } = spawnSync('sh', ['-c', command, 'sh', prefix, file], {
    env: { ...bare, HOME },
    encoding: 'utf8',
    timeout: 150_000,
  })
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED/.test(stderr)) {
    process.stdout.write("\nskipped: installing the npm package: npm's registry is not there\n")
    return []
  }
  assert.is(status, 0, stderr)
  return [path.join(prefix, 'bin/transfer')]
}

function whenInstalled(name: string, test: () => Promise<void>): void {
  npm(name, async () => {
    if (program.length > 0) await test()
  })
}

npm('should contain what runs and nothing else, in at most 2 MB', () => {
  const names = execFileSync('tar', ['tzf', file], { encoding: 'utf8' }).trim().split('\n')
  const ours = /^package\/(?:(?:dist|sql|static)\/|(?:package\.json|README\.md|LICENSE)$)/
  assert.equal(
    names.filter((name) => !ours.test(name)),
    [],
  )
  assert.not.ok(names.some((name) => /\.(?:map|ts)$|\/node_modules\//.test(name)))
  const { size } = statSync(file)
  assert.ok(size <= bytesMax, `${size} bytes, ${bytesMax} at most`)
})

npm('should have no scripts, of which npm would warn', () => {
  const text = execFileSync('tar', ['xzOf', file, 'package/package.json'], { encoding: 'utf8' })
  const { scripts, devDependencies, bin } = JSON.parse(text) as Record<string, unknown>
  assert.equal([scripts, devDependencies], [undefined, undefined])
  assert.equal(bin, { transfer: 'dist/main.js' })
})

whenInstalled('should run on a bare Node, and send a file', async () => {
  const { stdout } = await runCommand(['--version'], bare, '', program)
  assert.is(stdout, `transfer ${version}\n`)
  const manual = path.join(folder, 'installed/share/man/man1/transfer.1')
  assert.ok(statSync(manual).isFile())
  const env = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }
  const service = await ServiceProcess.start({ ...bare, DATA_DIR: dataDir, ...env }, program)
  const client = new Client(service.url)
  try {
    client.token = (await client.post('/api/auth/login', admin)).json().token
    const content = Buffer.alloc(300_000, 'a file ')
    const shareId = await client.share({ 'a.txt': content })
    assert.ok((await client.download(shareId)).body.equals(content))
  } finally {
    await service.clear()
  }
})

whenInstalled('should say at its start what is missing for passwords', async () => {
  const module = path.join(folder, 'installed/lib/node_modules/transfer-service/node_modules')
  for (const name of readdirSync(path.join(module, '@node-rs'))) {
    if (name.startsWith('argon2-')) rmSync(path.join(module, '@node-rs', name), { recursive: true })
  }
  const env = { ...bare, DATA_DIR: dataDir }
  const { code, stderr } = await runCommand(['serve'], env, '', program)
  assert.is(code, 78)
  const said = 'is not installed, and passwords need it\\. Install again .*\\.'
  assert.match(stderr, new RegExp(`^@node-rs/argon2-\\S+ ${said}\n$`))
})
