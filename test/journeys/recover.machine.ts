// Files from the bytes on disk alone: the program in docs/segments.md, on real containers.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../helpers/until.ts'
import { okay, type Client } from '../helpers/client.ts'
import { startService, type Service } from '../helpers/service.ts'
import { blockOf, readDoc } from '../helpers/docs.ts'
import { makeFolder } from '../helpers/folder.ts'

interface Scene {
  service: Service
  owner: Client
  /** The folder in which the program runs. */
  folder: string
}

const recover = suite<Scene>('journey: files without the database')

recover.before.each(async (scene) => {
  scene.service = await startService()
  scene.owner = await scene.service.admin()
  scene.folder = makeFolder()
  writeFileSync(path.join(scene.folder, 'recover.py'), blockOf('segments', 'python'))
})
recover.after.each(async (scene) => {
  await scene.service.stop()
})

/** The folder of the only container, once its manifest is there. */
async function containerOf({ service }: Scene): Promise<string> {
  const all = () =>
    readdirSync(service.storageDir)
      .filter((name) => name.length === 2)
      .flatMap((name) => readdirSync(path.join(service.storageDir, name)))
  assert.is(all().length, 1)
  const [container] = all()
  const folder = path.join(service.storageDir, container!.slice(0, 2), container!)
  await until('the manifest is written', () => existsSync(path.join(folder, 'manifest.json')))
  return folder
}

function runProgram({ folder, service }: Scene) {
  return spawnSync('python3', ['recover.py'], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 30_000,
    env: { PATH: process.env['PATH'], STORAGE: service.storageDir, LC_ALL: 'C.UTF-8' },
  })
}

/** Chunks out of order, some sent twice, some large and some small; every kind of name. */
async function sendAll({ owner }: Scene): Promise<Record<string, Buffer>> {
  const pieces = [0, 1, 2, 3].map((place) => Buffer.alloc(400_000 + place, `piece ${place} `))
  const shareId = await owner.init()
  await owner.chunk(shareId, 'large', 2, 'a wrong one, replaced')
  for (const place of [3, 0, 2, 1]) await owner.chunk(shareId, 'large', place, pieces[place]!)
  await owner.chunk(shareId, 'small', 0, 'few')
  await owner.chunk(shareId, 'twin', 0, 'another few')
  await owner.chunk(shareId, 'empty', 0, '')
  const files = {
    'größe/filme 日本.mp4': ['large', Buffer.concat(pieces)],
    'notes.txt': ['small', Buffer.from('few')],
    'NOTES.txt': ['twin', Buffer.from('another few')],
    nothing: ['empty', Buffer.alloc(0)],
  } as const
  const listed = Object.entries(files).map(([originalName, [fileId, bytes]]) => {
    return { fileId, originalName, size: bytes.length }
  })
  await okay(owner.finalize(shareId, listed))
  const names = { 'NOTES.txt': 'NOTES (1).txt' } as Record<string, string>
  return Object.fromEntries(
    Object.entries(files).map(([name, [, bytes]]) => [names[name] ?? name, bytes]),
  )
}

recover('should be identical to what was sent, until the disk changes a byte', async (scene) => {
  const files = await sendAll(scene)
  const container = await containerOf(scene)
  const { status, stdout, stderr } = runProgram(scene)
  assert.is(status, 0, stdout + stderr)
  assert.not.match(stdout, 'DAMAGED')
  const recovered = path.join(scene.folder, 'recovered', path.basename(container))
  for (const [name, bytes] of Object.entries(files)) {
    assert.ok(readFileSync(path.join(recovered, name)).equals(bytes), name)
  }
  assert.is(stdout.trim().split('\n').length, Object.keys(files).length)
  const manifest = JSON.parse(readFileSync(path.join(container, 'manifest.json'), 'utf8'))
  const drawn = blockFields()
  assert.equal(Object.keys(manifest), drawn.slice(0, 4))
  for (const file of manifest.files) assert.equal(Object.keys(file), drawn.slice(4))

  const largest = readdirSync(container)
    .filter((name) => name.endsWith('.seg'))
    .map((name) => path.join(container, name))
    .toSorted((left, right) => statSync(right).size - statSync(left).size)[0]!
  const changed = readFileSync(largest)
  changed[200_000]! ^= 1
  writeFileSync(largest, changed)
  const damaged = runProgram(scene)
  assert.is(damaged.status, 1)
  assert.match(damaged.stdout, /DAMAGED .*filme/)
  assert.is(damaged.stdout.match(/DAMAGED/g)?.length, 1, damaged.stdout)
})

/** Names in the drawing of the manifest, in order. */
function blockFields(): string[] {
  const text = readDoc('segments')
  const drawing = /^```text\n(\{.*?)^```$/ms.exec(text)![1]!
  return [...drawing.matchAll(/^ +"(\w+)":/gm)].map(([, name]) => name!)
}
