import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { EmptyFolders } from '../../../src/bytes/receive/folders.ts'
import { EntryNames } from '../../../src/bytes/archive/names.ts'
import { TarLayoutBuilder } from '../../../src/bytes/archive/tar/layout.ts'
import { headerReader } from './archives.ts'
import { read } from './tar/reading.ts'

const empty = suite('EmptyFolders')

/** Paths that end with `/` are folders. */
const histories: Array<[title: string, paths: string[], left: string[]]> = [
  ['a folder', ['a/'], ['a']],
  ['a folder with a file', ['a/', 'a/b'], []],
  ['a folder with a file below', ['a/', 'a/b/c/d'], []],
  ['folders in folders', ['a/', 'a/b/', 'a/b/c/'], ['a/b/c']],
  ['folders beside each other', ['a/', 'a/b/', 'a/c/', 'a/c/x'], ['a/b']],
  ['a name that another one begins with', ['a/', 'ab/x', 'a-/', 'a-/x'], ['a']],
  ['a file of the same name', ['a/', 'a'], ['a']],
  ['files of two folders in turns', ['a/', 'b/', 'b/x', 'a/x', 'b/y', 'c/', 'b/z'], ['c']],
  ['a folder that comes again', ['a/', 'b/', 'a/'], ['a', 'b']],
  ['a folder after its files', ['a/x', 'a/', 'a/y'], []],
  ['files at the top', ['a/', 'x', 'y'], ['a']],
]
for (const [title, paths, left] of histories) {
  empty(`should find those of ${title}`, () => {
    const folders = new EmptyFolders()
    for (const path of paths) {
      if (path.endsWith('/')) folders.add(path.slice(0, -1), path)
      else folders.takeFile(path)
    }
    assert.equal([...folders.entries()].map(([path]) => path).toSorted(), left)
  })
}

const names = suite('EntryNames of folders')

names('should be those of the files around them', () => {
  const assigned = new EntryNames()
  for (const file of ['a', 'b/file', 'when?/x']) assigned.assign(file)
  assert.is(assigned.assignFolder('c/d'), 'c/d')
  assert.is(assigned.assignFolder('c'), null, 'the one around it')
  assert.is(assigned.assignFolder('b'), null, 'it has a file')
  assert.is(assigned.assignFolder('A'), 'A (1)', 'a file has its name')
  assert.is(assigned.assignFolder('when?/CON'), 'when_/_CON')
  assert.is(assigned.assignFolder('C/D'), null, 'the same one on some systems')
  assert.is(assigned.assignFolder('x/'.repeat(80) + 'x'), null, 'too deep')
})

names('should be kept for later files', () => {
  const later = new EntryNames()
  later.keep('a', 'a')
  later.keepFolder('a', 'a (1)')
  later.keepFolder('b/c', 'b/c')
  assert.is(later.assign('a/file'), 'a (1)/file')
  assert.is(later.assign('b/c'), 'b/c (1)')
  assert.is(later.assign('b/c/file'), 'b/c/file')
  assert.is(later.assignFolder('b/c'), null)
})

names('should tell which kept folders are no longer empty', () => {
  const later = new EntryNames()
  later.keep('a/b', 'a/b')
  for (const name of ['one', 'two', 'three/sub', 'four', 'five', 'six']) {
    later.keepFolder(name, name)
  }
  for (const name of ['a/c', 'one/file', 'TWO/file', 'three/file', 'four/sub/file', 'six']) {
    later.assign(name)
  }
  later.assignFolder('five/sub')
  assert.equal(later.filledFolders.toSorted(), ['five', 'four', 'one', 'two'])
})

const layouts = suite('layouts with folders')

layouts('should hold a folder of any name in a tar archive', async () => {
  for (const name of ['a', 'ä', 'n'.repeat(99), 'n'.repeat(100), `${'p'.repeat(154)}/x`]) {
    for (const path of [name, `${name}/${'q/'.repeat(70)}r`]) {
      const builder = new TarLayoutBuilder()
      builder.add({ name: `${path}/`, size: 0, modifiedAt: 1_700_000_000 })
      const layout = builder.build()
      const { entries, error } = await read(headerReader(layout)(0, layout.size))
      assert.is(error, null)
      const found = entries.map((entry) => [entry.kind, entry.path])
      assert.equal(found, [['folder', path]])
    }
  }
})
