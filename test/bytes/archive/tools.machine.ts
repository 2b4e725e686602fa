// Extraction tools must see the names and bytes that were put in.
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { EntryNames } from '../../../src/bytes/archive/names.ts'
import { TarLayoutBuilder } from '../../../src/bytes/archive/tar/layout.ts'
import { bytesOf, layoutOf, tarLayoutOf } from './archives.ts'

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
  `${'Ü'.repeat(125)}.jpeg`,
  // Lengths around the fields of a tar header.
  ...[99, 100, 101].map((length) => 'n'.repeat(length)),
  ...[154, 155, 156].map((length) => `${'p'.repeat(length)}/name`),
  `${'p'.repeat(155)}/${'n'.repeat(100)}`,
  `${'p'.repeat(155)}/${'n'.repeat(101)}`,
  `${'folder/'.repeat(40)}deep.txt`,
  // The longest path: three folders and a name.
  `${`${'d'.repeat(255)}/`.repeat(3)}${'l'.repeat(255)}`,
  `${'ö'.repeat(127)}/${'漢'.repeat(85)}/🎉.txt`,
]

const entryNames = new EntryNames()
const files = originalNames.map((original, index) => ({
  name: entryNames.assign(original),
  content: Buffer.from(original === 'empty.txt' ? '' : `${original}\n`.repeat(index * 300 + 1)),
  modifiedAt: Date.UTC(2023, index % 12, 3, 4, 5, 6) / 1000,
}))

const python = (module: string, call: string) => [
  'python3',
  '-c',
  `import sys, ${module} as m; ${call}.extractall(sys.argv[2])`,
  'ARCHIVE',
  'FOLDER',
]

interface Tool {
  readonly title: string
  readonly format: 'zip' | 'tar'
  readonly command: readonly string[]
  readonly keepsTime?: boolean
  /** Whether it only reads. */
  readonly onlyTests?: boolean
}

const tools: readonly Tool[] = [
  {
    title: 'unzip',
    format: 'zip',
    command: ['unzip', '-q', 'ARCHIVE', '-d', 'FOLDER'],
    keepsTime: true,
  },
  { title: 'unzip -t', format: 'zip', command: ['unzip', '-tq', 'ARCHIVE'], onlyTests: true },
  ...(['zip', 'tar'] as const).flatMap((format): Tool[] => [
    {
      title: `7z (${format})`,
      format,
      command: ['7z', 'x', '-y', '-bd', 'ARCHIVE', '-oFOLDER'],
      keepsTime: true,
    },
    {
      title: `bsdtar (${format})`,
      format,
      command: ['bsdtar', '-x', '-f', 'ARCHIVE', '-C', 'FOLDER'],
      keepsTime: true,
    },
  ]),
  {
    title: 'python3 zipfile',
    format: 'zip',
    command: python('zipfile', 'm.ZipFile(sys.argv[1])'),
  },
  {
    title: 'python3 tarfile',
    format: 'tar',
    command: python('tarfile', 'm.open(sys.argv[1])'),
    keepsTime: true,
  },
  {
    title: 'python3 tarfile as a stream',
    format: 'tar',
    command: python('tarfile', 'm.open(sys.argv[1], "r|")'),
    keepsTime: true,
  },
  {
    title: 'GNU tar',
    format: 'tar',
    command: ['tar', '-x', '-f', 'ARCHIVE', '-C', 'FOLDER'],
    keepsTime: true,
  },
  {
    title: 'GNU tar in a pipe',
    format: 'tar',
    command: ['sh', '-c', 'cat "$1" | tar -x -C "$2"', 'sh', 'ARCHIVE', 'FOLDER'],
    keepsTime: true,
  },
  {
    title: 'bsdtar in a pipe',
    format: 'tar',
    command: ['sh', '-c', 'cat "$1" | bsdtar -x -f - -C "$2"', 'sh', 'ARCHIVE', 'FOLDER'],
    keepsTime: true,
  },
]

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted()
}

const extraction = suite('archives in common tools')
let root = ''

extraction.before(() => {
  root = mkdtempSync(path.join(tmpdir(), 'transfer-zip-'))
  for (const [format, layout] of [
    ['zip', layoutOf(files)],
    ['tar', tarLayoutOf(files)],
  ] as const) {
    writeFileSync(path.join(root, `archive.${format}`), bytesOf(layout, files, 0, layout.size))
  }
})

extraction.after(() => rmSync(root, { recursive: true, force: true }))

for (const { title, format, command, keepsTime = false, onlyTests = false } of tools) {
  extraction(`should be accepted by ${title}`, () => {
    const folder = path.join(root, title.replaceAll(' ', '-'))
    mkdirSync(folder)
    const [program, ...args] = command.map((word) =>
      word.replace('ARCHIVE', path.join(root, `archive.${format}`)).replace('FOLDER', folder),
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
    assert.not.match(stderr, /warning|lone zero|unexpected/i)
    if (onlyTests) return
    assert.equal(filesBelow(folder), files.map(({ name }) => name).toSorted())
    for (const { name, content, modifiedAt } of files) {
      const extracted = path.join(folder, name)
      assert.ok(readFileSync(extracted).equals(content), name)
      const stat = statSync(extracted)
      if (keepsTime) assert.is(stat.mtimeMs / 1000, modifiedAt, name)
    }
  })
}

const listings: ReadonlyArray<readonly string[]> = [
  ['tar', '-tvf', 'ARCHIVE'],
  ['bsdtar', '-tvf', 'ARCHIVE'],
  ['7z', 'l', 'ARCHIVE'],
  [
    'python3',
    '-c',
    'import sys, tarfile; [print(m.size, m.name) for m in tarfile.open(sys.argv[1])]',
    'ARCHIVE',
  ],
]
for (const command of listings) {
  extraction(`should tell ${command[0]} the size of a file over 8 GiB in tar`, () => {
    const size = 9 * 2 ** 30 + 1
    const builder = new TarLayoutBuilder()
    builder.add({ name: 'Größe', size, modifiedAt: 0 })
    builder.add({ name: 'behind it', size: 0, modifiedAt: 0 })
    const layout = builder.build()
    const archive = path.join(root, 'huge.tar')
    const file = openSync(archive, 'w')
    // The content is a hole.
    ftruncateSync(file, layout.size)
    let at = 0
    for (const piece of layout.pieces(0, layout.size)) {
      if (piece.kind === 'bytes') writeSync(file, piece.bytes, 0, piece.bytes.length, at)
      at += piece.kind === 'bytes' ? piece.bytes.length : piece.length
    }
    closeSync(file)
    const [program = '', ...args] = command.map((word) => word.replace('ARCHIVE', archive))
    const { status, stdout, stderr, error } = spawnSync(program, args, {
      encoding: 'utf8',
      timeout: 60_000,
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    })
    rmSync(archive)
    if (error !== undefined && 'code' in error && error.code === 'ENOENT') {
      process.stdout.write(`\nskipped: listing with ${program}, which is not installed\n`)
      return
    }
    assert.is(status, 0, `${stdout}${stderr}`)
    assert.match(stdout, new RegExp(`${size}.*Größe`))
    assert.match(stdout, 'behind it')
  })
}
