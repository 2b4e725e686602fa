// Extraction tools must see the names and bytes that were put in.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { EntryNames } from '../../../src/blobs/archive/names.ts'
import { bytesOf, layoutOf } from './archives.ts'

const originalNames = [
  'plain.txt',
  'with spaces in it.txt',
  'Ärger mit Übermaß.txt',
  '漢字/かな/한글.txt',
  'party 🎉/👩‍👩‍👧 family.txt',
  'a/b/c/d/e/f.txt',
  'empty.txt',
  'plain.txt',
  'PLAIN.TXT',
  'a',
  'CON.txt',
  'what: ever?.txt',
  `${'long '.repeat(40)}name.tar.gz`,
]

const entryNames = new EntryNames()
const files = originalNames.map((original, index) => ({
  name: entryNames.assign(original),
  content: Buffer.from(original === 'empty.txt' ? '' : `${original}\n`.repeat(index * 300 + 1)),
  modifiedAt: Date.UTC(2023, index % 12, 3, 4, 5, 6) / 1000,
}))

const tools: Array<[title: string, command: string[], keepsTime: boolean]> = [
  ['unzip', ['unzip', '-q', 'ARCHIVE', '-d', 'FOLDER'], true],
  ['unzip -t', ['unzip', '-t', '-q', 'ARCHIVE'], false],
  ['7z', ['7z', 'x', '-y', '-bd', 'ARCHIVE', '-oFOLDER'], true],
  ['bsdtar', ['bsdtar', '-x', '-f', 'ARCHIVE', '-C', 'FOLDER'], true],
  [
    'python3',
    [
      'python3',
      '-c',
      'import sys, zipfile as z; z.ZipFile(sys.argv[1]).extractall(sys.argv[2])',
      'ARCHIVE',
      'FOLDER',
    ],
    false,
  ],
]

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted()
}

const extraction = suite('archives in common tools')
let root = ''
let archive = ''

extraction.before(() => {
  root = mkdtempSync(path.join(tmpdir(), 'transfer-zip-'))
  archive = path.join(root, 'archive.zip')
  const layout = layoutOf(files)
  writeFileSync(archive, bytesOf(layout, files, 0, layout.size))
})

extraction.after(() => rmSync(root, { recursive: true, force: true }))

for (const [title, command, keepsTime] of tools) {
  extraction(`should be accepted by ${title}`, () => {
    const folder = path.join(root, title)
    mkdirSync(folder)
    const [program, ...args] = command.map((word) =>
      word.replace('ARCHIVE', archive).replace('FOLDER', folder),
    )
    const { status, stdout, stderr, error } = spawnSync(program!, args, {
      encoding: 'utf8',
      timeout: 60_000,
      // Far from UTC: times must come from the extended timestamp, not from the DOS fields.
      env: { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', TZ: 'Asia/Tokyo' },
    })
    if (error !== undefined && 'code' in error && error.code === 'ENOENT') {
      process.stdout.write(`\nskipped: extracting with ${title}, which is not installed\n`)
      return
    }
    assert.is(status, 0, `${stdout}${stderr}`)
    if (!args.some((word) => word.includes(folder))) return
    assert.equal(filesBelow(folder), files.map(({ name }) => name).toSorted())
    for (const { name, content, modifiedAt } of files) {
      const extracted = path.join(folder, name)
      assert.ok(readFileSync(extracted).equals(content), name)
      const stat = statSync(extracted)
      if (keepsTime) assert.is(stat.mtimeMs / 1000, modifiedAt, name)
    }
  })
}

extraction.run()
