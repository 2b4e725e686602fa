// Common tools must see the names and bytes that were put into archives, and what they pack must
// yield the names and bytes that were packed.
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { EntryNames } from '../../../src/bytes/archive/names.ts'
import { TarLayoutBuilder } from '../../../src/bytes/archive/tar/layout.ts'
import { bytesOf, layoutOf, tarLayoutOf } from './archives.ts'
import { makeFolder } from '../../helpers/folder.ts'
import { fill, run, tools } from '../../helpers/unpack.ts'
import { readEachWay } from './tar/reading.ts'

const originalNames = [
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
  `${'long '.repeat(40)}name.tar.gz`,
  // Lengths around the fields of a tar header.
  ...[99, 100, 101].map((length) => 'n'.repeat(length)),
  ...[154, 155, 156].map((length) => `${'p'.repeat(length)}/name`),
  `${'p'.repeat(155)}/${'n'.repeat(101)}`,
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

let root = ''

const machine = suite('archives in common tools')
machine.before(() => {
  // Far from UTC: times must come from the extended timestamp, not from the DOS fields.
  process.env['TZ'] = 'Asia/Tokyo'
  root = makeFolder()
})

/** Runs a tool on an archive of ours. Returns its output, or null where the tool is missing. */
async function runOn(
  archive: string,
  command: readonly string[],
  folder = '',
): Promise<string | null> {
  const ran = await run(fill(command, archive, folder), 'archives in other programs')
  if (ran === null) return null
  assert.is(ran.code, 0, ran.output)
  assert.not.match(ran.output, /warning|lone zero|unexpected/i)
  return ran.output
}

const inPython = 'import sys, tarfile as m; m.open(sys.argv[1], "r|").extractall(sys.argv[2])'
const extracting = [
  ...tools.map(({ title, extract }) => ['zip', title, extract] as const),
  ...tools.slice(1, 3).map(({ title, extract }) => ['tar', title, extract] as const),
  ['tar', 'python3', ['python3', '-c', inPython, 'ARCHIVE', 'FOLDER']],
  ['tar', 'tar', ['tar', '-x', '-f', 'ARCHIVE', '-C', 'FOLDER']],
] as const
for (const [format, title, command] of extracting) {
  machine(`should extract a ${format} with ${title}`, async () => {
    const layout = format === 'zip' ? layoutOf(files) : tarLayoutOf(files)
    const archive = path.join(root, `archive.${format}`)
    fs.writeFileSync(archive, bytesOf(layout, files, 0, layout.size))
    const folder = makeFolder()
    if ((await runOn(archive, command, folder)) === null) return
    const found = fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    assert.equal(found.toSorted(), files.map(({ name }) => name).toSorted())
    for (const { name, content, modifiedAt } of files) {
      assert.ok(fs.readFileSync(path.join(folder, name)).equals(content), name)
      // Python's zipfile leaves times alone.
      if (format === 'zip' && title === 'python3') continue
      assert.is(fs.statSync(path.join(folder, name)).mtimeMs / 1000, modifiedAt, name)
    }
  })
}

const printSizes = 'import sys, tarfile; [print(m.size, m.name) for m in tarfile.open(sys.argv[1])]'
for (const command of [
  ['tar', '-tvf', 'ARCHIVE'],
  ['bsdtar', '-tvf', 'ARCHIVE'],
  ['7z', 'l', 'ARCHIVE'],
  ['python3', '-c', printSizes, 'ARCHIVE'],
]) {
  machine(`should list a file over 8 GiB in tar with ${command[0]}`, async () => {
    const size = 9 * 2 ** 30 + 1
    const builder = new TarLayoutBuilder()
    builder.add({ name: 'Größe', size, modifiedAt: 0 })
    builder.add({ name: 'behind it', size: 0, modifiedAt: 0 })
    const layout = builder.build()
    const archive = path.join(root, 'huge.tar')
    const file = fs.openSync(archive, 'w')
    // The content is a hole.
    fs.ftruncateSync(file, layout.size)
    let at = 0
    for (const piece of layout.pieces(0, layout.size)) {
      if (piece.kind === 'bytes') fs.writeSync(file, piece.bytes, 0, piece.bytes.length, at)
      at += piece.kind === 'bytes' ? piece.bytes.length : piece.length
    }
    fs.closeSync(file)
    const listed = await runOn(archive, command)
    fs.rmSync(archive)
    if (listed !== null) assert.match(listed, new RegExp(`${size}.*Größe[^]*behind it`))
  })
}

const packInPython = `
import sys, tarfile
form = getattr(tarfile, sys.argv[1])
with tarfile.open(fileobj=sys.stdout.buffer, mode='w|', format=form) as archive:
    for name in sys.argv[2:]:
        archive.add(name, recursive=False)
`
/** The archive that a tool makes of these names; null where the tool is missing. */
function pack([program = '', ...args]: readonly string[], cwd: string): Buffer | null {
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, maxBuffer: 2 ** 26 })
  if (status === null) {
    process.stdout.write(`\nskipped: archives of ${program}, which is not installed\n`)
    return null
  }
  assert.is(status, 0, stderr.toString())
  return stdout
}

// Names come one by one, so that their order is known.
const gnu = (...options: string[]) => ['tar', ...options, '--no-recursion', '-cf', '-', '--']
const bsd = (form: string) => ['bsdtar', form, '--no-read-sparse', '-n', '-cf', '-', '--']
const py = (format: string) => ['python3', '-c', packInPython, format]

/** Whether names of any length fit, and whether times have fractions. */
const packing: ReadonlyArray<
  readonly [string, readonly string[], isLong: boolean, isExact: boolean]
> = [
  ['tar --format=ustar', gnu('--format=ustar'), false, false],
  ['tar --format=oldgnu', gnu('--format=oldgnu'), true, false],
  ['tar --format=gnu -V', gnu('--format=gnu', '-b', '1', '-V', 'label'), true, false],
  ['tar --format=pax -V', gnu('--format=pax', '-V', 'label'), true, true],
  ['python3 USTAR_FORMAT', py('USTAR_FORMAT'), false, false],
  ['python3 GNU_FORMAT', py('GNU_FORMAT'), true, false],
  ['python3 PAX_FORMAT', py('PAX_FORMAT'), true, true],
  ['bsdtar --format=ustar', bsd('--format=ustar'), false, false],
  ['bsdtar --format=gnutar', bsd('--format=gnutar'), true, false],
  ['bsdtar --format=pax', bsd('--format=pax'), true, true],
]
for (const [title, command, isLong, isExact] of packing) {
  machine(`should read what ${title} packs`, async () => {
    const folder = makeFolder()
    const time = 1_700_000_000.25
    const packed = files
      .filter(({ name }) => isLong || Buffer.byteLength(name) < 98)
      .map(({ name, content }) => ({ name, content: content.subarray(0, 3000) }))
    for (const { name, content } of packed) {
      fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
      fs.writeFileSync(path.join(folder, name), content)
      fs.utimesSync(path.join(folder, name), time, time)
    }
    fs.mkdirSync(path.join(folder, 'no files'))
    fs.symlinkSync('plain.txt', path.join(folder, 'symbolic'))
    fs.linkSync(path.join(folder, 'plain.txt'), path.join(folder, 'hard'))
    const names = packed.map(({ name }) => `./${name}`)
    const archive = pack([...command, '.', ...names, 'no files', 'symbolic', 'hard'], folder)
    if (archive === null) return
    const { entries, skipped, links, error } = await readEachWay(archive)
    assert.is(error, null)
    assert.equal([links, skipped], [[['hard', 'plain.txt']], [['symbolic', 'symbolic link']]])
    const found = entries.map((entry) => [entry.path, entry.kind])
    assert.equal(found, [...packed.map(({ name }) => [name, 'file']), ['no files', 'folder']])
    for (const [place, { content }] of packed.entries()) {
      assert.ok(entries[place]!.content.equals(content))
      const seconds = isExact ? time : Math.floor(time)
      assert.is(entries[place]!.modifiedAt?.getTime(), seconds * 1000)
    }
  })
}
