import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { collectDropped, collectPicked } from '../../../src/web/upload/walk.ts'
import type { BrowserFile, DroppedEntry, DroppedItem } from '../../../src/web/upload/walk.ts'
import { pathsOf } from './scene.ts'

const walk = suite('web: upload folders')

function file(name: string, webkitRelativePath = ''): BrowserFile {
  const slice = () => new Blob([])
  return { name, size: 3, lastModified: 7, type: 'text/plain', webkitRelativePath, slice }
}

function fileEntry(name: string, isReadable = true): DroppedEntry {
  return {
    name,
    isFile: true,
    isDirectory: false,
    file: (found, failed) => (isReadable ? found(file(name)) : failed(new Error('NotFoundError'))),
  }
}

/** Returns its entries a hundred at a time, like browsers. */
function folder(name: string, entries: DroppedEntry[], isReadable = true): DroppedEntry {
  return {
    name,
    isFile: false,
    isDirectory: true,
    createReader() {
      let place = 0
      return {
        readEntries(found, failed) {
          if (!isReadable) return failed(new Error('NotAllowedError'))
          found(entries.slice(place, (place += 100)))
        },
      }
    },
  }
}

function item(entry: DroppedEntry | null): DroppedItem {
  return { kind: 'file', getAsFile: () => null, webkitGetAsEntry: () => entry }
}

const noPause = async () => {}

walk('should return every file of a folder with its path', async () => {
  const many = Array.from({ length: 250 }, (_, place) => fileEntry(`${place}.txt`))
  const { files, problems } = await collectDropped(
    [item(folder('top', [folder('in', many), fileEntry('u\u0308')])), item(fileEntry('alone'))],
    noPause,
  )
  assert.is(files.length, 252)
  assert.is(files[249]!.path, 'top/in/249.txt')
  assert.is(files[250]!.path, 'top/\u00FC')
  const alone = { path: 'alone', file: null, size: 3, lastModified: 7, type: 'text/plain' }
  assert.equal({ ...files[251], file: null }, alone)
  assert.equal(problems, [])
})

walk('should read the items during the event', () => {
  let isOver = false
  const late: DroppedItem = {
    kind: 'file',
    getAsFile: () => null,
    webkitGetAsEntry: () => (isOver ? null : fileEntry('a')),
  }
  const collecting = collectDropped([late, late], noPause)
  isOver = true
  return collecting.then(({ files }) => assert.is(files.length, 2))
})

walk('should list unreadable entries, and return the rest', async () => {
  const { files, problems, emptyFolders } = await collectDropped(
    [
      item(folder('top', [fileEntry('link', false), folder('secret', [], false), fileEntry('a')])),
      item(folder('bare', [folder('hollow', []), folder('icons', [fileEntry('.DS_Store')])])),
      item(null),
      { kind: 'string', getAsFile: () => null },
    ],
    noPause,
  )
  assert.equal(pathsOf(files), ['top/a'])
  assert.equal(pathsOf(problems), ['top/link', 'top/secret', ''])
  assert.ok(problems.every(({ problem }) => problem.code === 'unreadable'))
  assert.equal(emptyFolders, ['bare/hollow', 'bare/icons'])
})

walk('should end in a cycle of folders', async () => {
  const inner: DroppedEntry[] = [fileEntry('a')]
  const ring = folder('ring', inner)
  inner.push(ring)
  const { files, problems } = await collectDropped([item(ring)], noPause)
  assert.is(files.length, 100)
  assert.equal([problems.length, problems[0]?.problem.code], [1, 'too_deep'])
})

walk('should return a chosen folder by relative paths, without clutter and escapes', async () => {
  const chosen = [
    file('a.txt', 'top/a.txt'),
    file('.DS_Store', 'top/.DS_Store'),
    file('Thumbs.db', 'top/in/Thumbs.db'),
    file('x', 'top/../x'),
    file('single.txt'),
  ]
  const { files, problems } = await collectPicked(chosen, noPause)
  assert.equal(pathsOf(files), ['top/a.txt', 'single.txt'])
  assert.equal([pathsOf(problems), problems[0]?.problem.code], [['top/../x'], 'refused_name'])
})

walk('should return single files in browsers without entries', async () => {
  const old: DroppedItem = { kind: 'file', getAsFile: () => file('a') }
  const { files } = await collectDropped([old], noPause)
  assert.equal(pathsOf(files), ['a'])
})
