// Archives as tools pack them must yield the names and bytes that were packed.
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { read, readEachWay, type Result } from './reading.ts'

const python = `
import sys, tarfile
form = getattr(tarfile, sys.argv[1])
with tarfile.open(fileobj=sys.stdout.buffer, mode='w|', format=form) as archive:
    for name in sys.argv[2:]:
        archive.add(name, recursive=False)
`
// Names come one by one, so that their order is known.
const gnu = (...options: string[]) => ['tar', ...options, '--no-recursion', '-cf', '-', '--']
const bsd = (form: string) => ['bsdtar', form, '--no-read-sparse', '-n', '-cf', '-', '--']
const py = (format: string) => ['python3', '-c', python, format]

interface Tool {
  readonly title: string
  readonly command: readonly string[]
  /** Whether names of any length fit. */
  readonly long: boolean
  /** Whether times have fractions. */
  readonly exact?: boolean
}

const tools: readonly Tool[] = [
  { title: 'tar --format=v7', command: gnu('--format=v7'), long: false },
  { title: 'tar --format=ustar', command: gnu('--format=ustar'), long: false },
  { title: 'tar --format=oldgnu', command: gnu('--format=oldgnu'), long: true },
  { title: 'tar --format=gnu', command: gnu('--format=gnu'), long: true },
  { title: 'tar --format=gnu -b 1', command: gnu('--format=gnu', '-b', '1'), long: true },
  { title: 'tar --format=gnu -V', command: gnu('--format=gnu', '-V', 'label'), long: true },
  { title: 'tar --format=pax', command: gnu('--format=pax'), long: true, exact: true },
  {
    title: 'tar --format=pax -V',
    command: gnu('--format=pax', '-V', 'a'),
    long: true,
    exact: true,
  },
  { title: 'python3 USTAR_FORMAT', command: py('USTAR_FORMAT'), long: false },
  { title: 'python3 GNU_FORMAT', command: py('GNU_FORMAT'), long: true },
  { title: 'python3 PAX_FORMAT', command: py('PAX_FORMAT'), long: true, exact: true },
  { title: 'bsdtar --format=ustar', command: bsd('--format=ustar'), long: false },
  { title: 'bsdtar --format=gnutar', command: bsd('--format=gnutar'), long: true },
  { title: 'bsdtar --format=pax', command: bsd('--format=pax'), long: true, exact: true },
  { title: 'bsdtar --format=v7', command: bsd('--format=v7'), long: false },
]

const sizes = [0, 1, 511, 512, 513, 70_000]
const contents = new Map<string, Buffer>([
  ...sizes.map((size) => [`${size} bytes`, bytesOf(size)] as const),
  ['folder/with spaces.txt', bytesOf(10)],
  ['folder/Ärger mit Übermaß.txt', bytesOf(20)],
  ['folder/漢字/かな 🎉', bytesOf(30)],
  ['folder/back\\slash "quoted"\n', bytesOf(40)],
])
const long = [
  `${'n'.repeat(200)}.txt`,
  `${'folder of a long name/'.repeat(40)}${'Ü'.repeat(120)}`,
  // Lengths around the fields of a header.
  ...[99, 100, 101].map((length) => 'm'.repeat(length)),
]
const prefixed = `${'prefix of a path/'.repeat(8)}name`
const time = 1_700_000_000.25

const tarTools = suite('tar: tools')
let root = ''

function bytesOf(size: number): Buffer {
  return Buffer.from(Array.from({ length: size }, (_, at) => (at * 31 + size) % 251))
}

tarTools.before(() => {
  root = fs.mkdtempSync(path.join(tmpdir(), 'transfer-tar-'))
  for (const name of [...long, prefixed]) contents.set(name, bytesOf(name.length))
  for (const [name, content] of contents) {
    const file = path.join(root, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, content)
    fs.utimesSync(file, time, time)
  }
  fs.mkdirSync(path.join(root, 'empty'))
  fs.utimesSync(path.join(root, 'empty'), time, time)
  fs.symlinkSync('1 bytes', path.join(root, 'symbolic'))
  fs.linkSync(path.join(root, '70000 bytes'), path.join(root, 'hard'))
  assert.is(spawnSync('mkfifo', [path.join(root, 'pipe')]).status, 0)
})

tarTools.after(() => fs.rmSync(root, { recursive: true, force: true }))

/** The archive of these names; null where the tool is missing, which the run reports. */
function pack(command: readonly string[], names: readonly string[], folder = root): Buffer | null {
  const [program = '', ...args] = command
  const { status, stdout, stderr, error } = spawnSync(program, [...args, ...names], {
    cwd: folder,
    timeout: 60_000,
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', TZ: 'Asia/Tokyo' },
  })
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') {
    process.stdout.write(`\nskipped: archives of ${program}, which is not installed\n`)
    return null
  }
  assert.is(status, 0, stderr.toString())
  return stdout
}

function assertPacked(result: Result, names: string[], exact: boolean): void {
  const { entries, skipped, links, error } = result
  assert.is(error, null)
  assert.equal(links, [['hard', '70000 bytes']])
  assert.equal(skipped, [
    ['symbolic', 'symbolic link'],
    ['pipe', 'FIFO'],
  ])
  assert.equal(
    entries.map((each) => each.path),
    [...names, 'empty'],
  )
  for (const { path: name, kind, size, modifiedAt, content } of entries) {
    assert.is(kind, name === 'empty' ? 'folder' : 'file')
    assert.is(modifiedAt?.getTime(), (exact ? time : Math.floor(time)) * 1000, name)
    if (name === 'empty') continue
    assert.is(size, content.length)
    assert.ok(content.equals(contents.get(name)!), name)
  }
}

for (const { title, command, long: hasLong, exact = false } of tools) {
  tarTools(`should read what ${title} packs`, async () => {
    const isV7 = title.endsWith('v7')
    const names = [...contents.keys()].filter(
      (name) => hasLong || !(long.includes(name) || (isV7 && name === prefixed)),
    )
    const files = names.map((name) => `./${name}`)
    // Version 7 has no FIFOs.
    const links = ['symbolic', 'hard', ...(isV7 ? [] : ['pipe'])]
    const archive = pack(command, ['.', ...files, 'empty', ...links])
    if (archive === null) return
    const whole = await readEachWay(archive)
    const skipped = isV7 ? [...whole.skipped, ['pipe', 'FIFO'] as const] : whole.skipped
    assertPacked({ ...whole, skipped }, names, exact)
    const pieces = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 20 })
    const pauses = fc.option(fc.integer({ min: 1, max: 5 }))
    await fc.assert(
      fc.asyncProperty(pieces, pauses, async (lengths, every) => {
        const reading = every === null ? {} : { pauses: (call: number) => call % every === 0 }
        assert.equal(await read(archive, { pieces: lengths, ...reading }), whole)
      }),
      { numRuns: 20 },
    )
  })
}

const latin1: ReadonlyArray<readonly [title: string, command: readonly string[]]> = [
  ['tar --format=ustar', gnu('--format=ustar')],
  ['tar --format=gnu', gnu('--format=gnu')],
  ['bsdtar --format=pax', bsd('--format=pax')],
]
for (const [title, command] of latin1) {
  tarTools(`should read a name in Latin-1 that ${title} packs`, async () => {
    const folder = fs.mkdtempSync(path.join(root, 'latin1-'))
    fs.writeFileSync(Buffer.from(`${folder}/caf\xe9`, 'latin1'), 'coffee')
    // Arguments are UTF-8: the name comes from reading the folder.
    const recursive = command.filter((word) => word !== '--no-recursion' && word !== '-n')
    const archive = pack(recursive, ['.'], folder)
    if (archive === null) return
    const { entries, error } = await readEachWay(archive)
    assert.is(error, null)
    assert.equal(
      entries.map((entry) => [entry.path, entry.content.toString()]),
      [['café', 'coffee']],
    )
  })
}

const sparse: ReadonlyArray<readonly string[]> = [
  gnu('--format=gnu', '--sparse'),
  gnu('--format=oldgnu', '--sparse'),
  ...['0.0', '0.1', '1.0'].map((version) =>
    gnu('--format=pax', '--sparse', `--sparse-version=${version}`),
  ),
  ['bsdtar', '--format=pax', '-cf', '-'],
]
for (const command of sparse) {
  tarTools(`should fill the holes of a sparse file of ${command.join(' ')}`, async () => {
    const folder = fs.mkdtempSync(path.join(root, 'sparse-'))
    fs.writeFileSync(path.join(folder, 'disk.img'), 'start')
    fs.truncateSync(path.join(folder, 'disk.img'), 2 ** 20)
    fs.appendFileSync(path.join(folder, 'disk.img'), 'end')
    fs.truncateSync(path.join(folder, 'disk.img'), 3 * 2 ** 20)
    const archive = pack(command, ['disk.img'], folder)
    if (archive === null) return
    const { entries, error } = await read(archive)
    assert.is(error, null)
    assert.is(entries[0]!.path, 'disk.img')
    assert.ok(entries[0]!.content.equals(fs.readFileSync(path.join(folder, 'disk.img'))))
  })
}

tarTools('should read the size of a file over 8 GiB', async () => {
  const folder = fs.mkdtempSync(path.join(root, 'huge-'))
  fs.writeFileSync(path.join(folder, 'huge'), 'start')
  fs.truncateSync(path.join(folder, 'huge'), 9 * 2 ** 30)
  for (const { title, command, long: hasLong } of tools) {
    if (!hasLong || title.includes('-b 1')) continue
    const [program = '', ...args] = command
    // The reader of the pipe ends before the tool does.
    const script = '"$@" 2>/dev/null | head -c 10240'
    const cut = ['sh', '-c', script, 'sh', program, ...args]
    const archive = pack(cut, ['huge'], folder)!
    if (archive.length === 0) continue
    const { entries, error } = await readEachWay(archive)
    assert.is(error, 'Entry 1 (huge): the archive ends within it.', title)
    assert.equal([entries[0]!.path, entries[0]!.size], ['huge', 9 * 2 ** 30], title)
    assert.is(entries[0]!.content.toString('latin1', 0, 5), 'start', title)
  }
})

tarTools('should read a time before 1970', async () => {
  const folder = fs.mkdtempSync(path.join(root, 'old-'))
  fs.writeFileSync(path.join(folder, 'old'), '')
  fs.utimesSync(path.join(folder, 'old'), new Date(0), new Date(-1_000_500))
  for (const [format, ms] of [
    ['gnu', -1_001_000],
    ['pax', -1_000_500],
  ] as const) {
    const { entries } = await readEachWay(pack(gnu(`--format=${format}`), ['old'], folder)!)
    assert.is(entries[0]!.modifiedAt?.getTime(), ms, format)
  }
})

tarTools('should read two archives that tar -A joined', async () => {
  const [one, two] = ['one.tar', 'two.tar'].map((name) => path.join(root, name))
  fs.writeFileSync(one!, pack(gnu('--format=gnu'), ['1 bytes'])!)
  fs.writeFileSync(two!, pack(gnu('--format=pax'), ['513 bytes'])!)
  assert.is(spawnSync('tar', ['-A', '-f', one!, two!]).status, 0)
  const { entries } = await readEachWay(fs.readFileSync(one!))
  assert.equal(
    entries.map((entry) => entry.path),
    ['1 bytes', '513 bytes'],
  )
})
