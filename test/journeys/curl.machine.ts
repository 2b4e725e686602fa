// curl only, following the README: the printed commands are run here.
import { spawn, spawnSync } from 'node:child_process'
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createHash, createCipheriv } from 'node:crypto'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { endOf } from '../helpers/child.ts'
import { readmeCommands } from '../helpers/readme.ts'
import { startService, type Service } from '../helpers/service.ts'

interface Scene {
  service: Service
  folder: string
  /** The README's blocks, with the address of the service that runs here. */
  blocks: string[]
}

const chunkBytes = 50 * 1024 * 1024
const hasCurl = spawnSync('curl', ['--version']).status === 0

const journey = suite<Scene>('journey: curl')

journey.before(async (scene) => {
  scene.service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
  const base = /^base=.*$/m
  const [first = '', ...others] = readmeCommands('Send a file with curl')
  assert.match(first, base)
  scene.blocks = [first.replace(base, `base=${scene.service.url}`), ...others]
})
journey.after((scene) => scene.service.stop())
journey.before.each((scene) => {
  scene.folder = mkdtempSync(path.join(tmpdir(), 'transfer-test-curl-'))
})
journey.after.each((scene) => rmSync(scene.folder, { recursive: true, force: true }))

/** A file of bytes that do not repeat, so that no chunk can stand for another. */
function writeBytes(file: string, length: number): string {
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16, 7), Buffer.alloc(16))
  const bytes = cipher.update(Buffer.alloc(length))
  writeFileSync(file, bytes)
  return createHash('sha256').update(bytes).digest('hex')
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

/** Runs commands in the scene's folder, any failure ends them. Returns their output. */
async function run(scene: Scene, ...commands: string[]): Promise<string> {
  const child = spawn('bash', ['--norc', '-eu', '-c', commands.join('\n')], { cwd: scene.folder })
  child.stdin.end()
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const { code } = await endOf(child)
  assert.is(code, 0, output)
  return output
}

/** Stores `token` and `share` of one run for the next. */
const keep = 'declare -p base token share > variables'
const resume = '. ./variables'

const tools = [
  ['curl', 'curl -fsSOJ'],
  ['wget', 'wget -q --content-disposition'],
] as const

for (const [tool, command] of tools) {
  if (spawnSync(tool, ['--version']).status !== 0) {
    process.stdout.write(`\nskipped: downloads by ${tool}, which this machine lacks\n`)
    continue
  }
  journey(`should save a link's files under their names with ${tool}`, async (scene) => {
    const owner = await scene.service.user(`${tool}@example.org`)
    const save = async (shareId: string, expected: number) => {
      const cwd = mkdtempSync(path.join(scene.folder, 'saved-'))
      const link = `${scene.service.url}/s/${shareId}/download`
      const child = spawn('bash', ['--norc', '-c', `${command} ${link}`], { cwd })
      assert.is((await endOf(child)).code !== 0, expected !== 0)
      return readdirSync(cwd)
    }
    const shares: [files: Record<string, string>, input: object, saved: RegExp][] = [
      [{ 'notes/list.txt': 'x' }, {}, /^list\.txt$/],
      [{ 'grün ☂.txt': 'x' }, {}, /^gr(u|ü)n [_☂]\.txt$/],
      [{ a: 'x', b: 'y' }, { name: 'Both' }, /^Both\.zip$/],
      [{ a: 'x', b: 'y' }, { name: 'Übersicht' }, /^(U|Ü)bersicht\.zip$/],
    ]
    for (const [files, input, saved] of shares) {
      const names = await save(await owner.share(files, { ...input }), 0)
      assert.is(names.length, 1)
      assert.match(names[0]!, saved)
    }
    const locked = await owner.share({ a: 'x' }, { password: 'open sesame' })
    assert.equal(await save(locked, 1), [])
  })
}

if (!hasCurl) process.stdout.write('\nskipped: the README by curl, which this machine lacks\n')
else {
  journey('should do what the README prints, to the letter', async (scene) => {
    const [send = '', download = '', named = '', goOn = '', ...more] = scene.blocks
    const [folder = '', remove = '', ...rest] = more
    assert.equal(rest, [], 'every block is run here')
    const hash = writeBytes(path.join(scene.folder, 'holiday.mp4'), 2 * chunkBytes + 5_000_000)
    const sent = await run(scene, send, keep)
    const [, shareId] = /"shareUrl":"http:\/\/transfer\.test\/s\/([\w-]+)"/.exec(sent)!

    const seen = await run(scene, resume, download)
    assert.match(seen, '"original_name":"holiday.mp4"')
    const archive = path.join(scene.folder, 'everything.zip')
    const whole = hashOf(archive)
    assert.is(hashOf(path.join(scene.folder, 'holiday.mp4')), hash)
    assert.ok(readFileSync(archive).includes(readFileSync(path.join(scene.folder, 'holiday.mp4'))))

    await run(scene, resume, named)
    assert.is(hashOf(path.join(scene.folder, 'received/holiday.mp4')), hash)

    truncateSync(archive, 60_000_000)
    await run(scene, resume, goOn)
    assert.is(hashOf(archive), whole)

    const link = await run(scene, resume, folder)
    assert.match(link, /^http:\/\/transfer\.test\/s\/[\w-]+$/m)

    await run(scene, resume, remove)
    const answer = await fetch(`${scene.service.url}/api/public/shares/${shareId}`)
    assert.is(answer.status, 404)
  })

  for (const name of ['@me "and" you.txt', '<b>.txt', '-n a;type=b.txt']) {
    journey(`should send a file with the name ${name}`, async (scene) => {
      const [send = ''] = scene.blocks
      const named = send.replace('file=holiday.mp4', `file='${name}'`)
      assert.is.not(named, send)
      const hash = writeBytes(path.join(scene.folder, name), 3000)
      await run(scene, named, keep)
      const seen = await run(scene, resume, 'curl -fsS "$base/api/public/shares/$share"')
      const [file] = JSON.parse(seen).files
      assert.is(file.original_name, name)
      await run(scene, resume, `curl -fsS -o back "$base/api/shares/$share/files/${file.id}"`)
      assert.is(hashOf(path.join(scene.folder, 'back')), hash)
    })
  }
}
