import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { collectHandles, reopen, type Handle } from '../../../src/web/upload/handles.ts'
import { identityOf } from '../../../src/web/upload/manifest.ts'
import type { FileRecord, UploadRecord } from '../../../src/web/upload/types.ts'
import type { BrowserFile } from '../../../src/web/upload/walk.ts'
import { mib, Scene, pathsOf } from './scene.ts'
import { pluck } from '../../helpers/client.ts'

const handles = suite('web: upload handles')

const noPause = async () => {}

/** A handle, and how often it asked for permission. */
class FakeHandle implements Handle {
  readonly kind: 'file' | 'directory'
  readonly name: string
  asked = 0
  readonly #permission: { readonly now: string; readonly asked?: string }
  readonly #inner: readonly Handle[]
  readonly #size: number

  constructor(
    name: string,
    content: number | readonly Handle[] = 3,
    permission: { now: string; asked?: string } = { now: 'granted' },
  ) {
    const isFile = typeof content === 'number'
    this.kind = isFile ? 'file' : 'directory'
    this.name = name
    this.#size = isFile ? content : 0
    this.#inner = isFile ? [] : content
    this.#permission = permission
  }

  async getFile(): Promise<BrowserFile> {
    if (this.#size < 0) throw new Error('NotFoundError')
    const { name } = this
    const slice = () => new Blob([])
    return { name, size: this.#size, lastModified: 7, type: 'text/plain', slice }
  }

  async *values(): AsyncGenerator<Handle> {
    for (const handle of this.#inner) yield handle
  }

  async queryPermission(): Promise<string> {
    return this.#permission.now
  }

  async requestPermission(): Promise<string> {
    this.asked += 1
    if (!this.#permission.asked) throw new Error('SecurityError')
    return this.#permission.asked
  }
}

function recordOf(origins: readonly Handle[], files: Record<string, number>): UploadRecord {
  const kept = Object.entries(files).map(([path, size]): FileRecord => {
    return { id: identityOf(path, size, 7), path, size, lastModified: 7, type: '', key: 'k' }
  })
  const target = { kind: 'share', shareId: 'one', uploadToken: null } as const
  return { id: 'share:one', target, files: kept, origins, wishes: {}, savedAt: 1 }
}

handles('should read folders with any number of entries, and list unreadable ones', async () => {
  const many = Array.from({ length: 250 }, (_, place) => new FakeHandle(`${place}.txt`))
  const top = new FakeHandle('top', [
    new FakeHandle('in', many),
    new FakeHandle('gone.txt', -1),
    new FakeHandle('empty', []),
  ])
  const alone = new FakeHandle('alone.txt')
  const { files, problems, emptyFolders } = await collectHandles([top, alone], noPause)
  assert.is(files.length, 251)
  assert.is(files[249]!.path, 'top/in/249.txt')
  assert.is(files[0]!.origin, top)
  assert.is(files[250]!.origin, alone)
  assert.equal(pathsOf(problems), ['top/gone.txt'])
  assert.equal(emptyFolders, ['top/empty'])
})

handles('should find again the chosen files, and nothing else of their folder', async () => {
  const top = new FakeHandle('top', [new FakeHandle('a', 3), new FakeHandle('new', 3)])
  const files = await reopen(recordOf([top], { 'top/a': 3, 'top/gone': 5 }))
  assert.equal(pathsOf(files), ['top/a'])
})

handles('should include changed files, and files that have another name', async () => {
  const origins = [new FakeHandle('a', 30), new FakeHandle('b', 4)]
  const record = recordOf(origins, { a: 3, b: 4 })
  const [first, second] = record.files
  const files = await reopen({ ...record, files: [first!, { ...second!, path: 'b (2)' }] })
  assert.equal(pathsOf(files), ['a', 'b'])
})

handles('should ask for missing permission, and accept one refusal for all', async () => {
  const asking = { now: 'prompt', asked: 'granted' }
  const refusing = { now: 'prompt', asked: 'denied' }
  const all = [
    new FakeHandle('a', 3),
    new FakeHandle('b', 3, asking),
    new FakeHandle('c', 3, refusing),
    new FakeHandle('d', 3, asking),
  ]
  const files = await reopen(recordOf(all, { a: 3, b: 3, c: 3, d: 3 }))
  assert.equal(pathsOf(files), ['a', 'b'])
  assert.equal(pluck(all, 'asked'), [0, 1, 1, 0])
})

handles('should return nothing without stored handles or permission', async () => {
  const mute = new FakeHandle('a', 3, { now: 'prompt' })
  assert.equal(await reopen(recordOf([mute], { a: 3 })), [])
  const { origins: _none, ...record } = recordOf([], { a: 3 })
  assert.equal(await reopen(record), [])
})

handles('should store the origin of files with their upload across visits', async () => {
  const scene = new Scene()
  const kept = () => [...scene.store.records.values()][0]?.origins
  const origin = { kind: 'directory', name: 'top' } as const
  const file = { ...fakeOf('top/a'), origin }
  scene.upload.add([file, { ...fakeOf('top/b'), origin }, fakeOf('c')])
  await scene.clock.pass(1000)
  assert.equal(kept(), [origin])
  scene.reload()
  scene.upload.add([fakeOf('d')])
  await scene.clock.pass(1000)
  assert.equal(kept(), [origin])
})

function fakeOf(path: string) {
  const slice = () => new Blob([])
  const file = { name: path, size: mib, lastModified: 1, slice }
  return { path, file, size: mib, lastModified: 1, type: '' }
}
