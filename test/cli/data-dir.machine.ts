import { chmodSync, chownSync, lchownSync, mkdirSync, statSync } from 'node:fs'
import { symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { WrongOption } from '../../src/cli/command.ts'
import { checkStorageDir, makeDataDir } from '../../src/cli/data-dir.ts'
import { createLog } from '../../src/lib/log.ts'
import { makeFolder } from '../helpers/folder.ts'

const isRoot = process.getuid?.() === 0
/** Root's database runs as another user, who passes through. */
const closed = isRoot ? 0o711 : 0o700
const folders = suite<{ root: string; folder: string; lines: string[] }>('DATA_DIR')
folders.before.each((context) => {
  context.root = makeFolder()
  context.folder = path.join(context.root, 'data')
  context.lines = []
})

const make = (folder: string, lines: string[]) =>
  makeDataDir(folder, createLog({ level: 'debug', write: (line) => lines.push(line) }))
const modeOf = (folder: string) => statSync(folder).mode & 0o7777

folders('should be created accessible only to its owner', async ({ folder, lines }) => {
  await make(folder, lines)
  assert.is(modeOf(folder), closed)
  await make(folder, lines)
  assert.equal([modeOf(folder), lines], [closed, []])
})

folders('should be created below folders that its database may pass', async ({ folder, lines }) => {
  const below = path.join(folder, 'a', 'b')
  await make(below, lines)
  assert.equal([folder, path.dirname(below), below].map(modeOf), [closed, closed, closed])
})

for (const mode of [0o777, 0o750, 0o2775]) {
  folders(`should be closed to others at ${mode.toString(8)}`, async ({ folder, lines }) => {
    mkdirSync(folder)
    chmodSync(folder, mode)
    await make(folder, lines)
    assert.is(modeOf(folder) & 0o066, 0)
    assert.is(modeOf(folder) & 0o700, 0o700)
    assert.is(lines.length, 1)
    assert.match(lines[0]!, 'removed access of other users')
  })
}

folders('should be left as it is, with a warning, when others use it too', async (context) => {
  const { folder, lines } = context
  mkdirSync(folder)
  chmodSync(folder, 0o1755)
  await make(folder, lines)
  assert.is(modeOf(folder), 0o1755)
  assert.match(lines[0]!, '"warn"')
  assert.match(lines[0]!, 'a separate folder')
})

const refusal = (folder: string) =>
  make(folder, []).then(
    () => 'none',
    (error: unknown) => (error instanceof WrongOption ? error.message : String(error)),
  )

folders('should be refused unchanged when it has other files', async ({ folder }) => {
  mkdirSync(folder)
  writeFileSync(path.join(folder, '.keep'), '')
  mkdirSync(path.join(folder, 'lost+found'))
  chmodSync(folder, 0o755)
  await make(folder, [])
  assert.is(modeOf(folder), closed, 'those are no files of others')
  writeFileSync(path.join(folder, 'index.html'), '')
  chmodSync(folder, 0o755)
  assert.match(await refusal(folder), 'has other files, such as index.html: use a separate folder')
  assert.is(modeOf(folder), 0o755)
  writeFileSync(path.join(folder, 'secret.key'), '')
  await make(folder, [])
  assert.is(modeOf(folder), closed, 'it is ours')
})

if (isRoot) {
  folders('should be refused to root when others own it, or can write to it', async (context) => {
    const { folder } = context
    mkdirSync(folder, { mode: 0o700 })
    chownSync(folder, 65_534, 65_534)
    assert.match(await refusal(folder), 'is of user 65534, who can replace everything in it')
    chownSync(folder, 0, 0)
    chmodSync(folder, 0o1777)
    const said = `DATA_DIR: other users can write to ${folder}: use a separate folder`
    assert.is(await refusal(folder), said)
    assert.is(modeOf(folder), 0o1777)
  })

  folders('should be refused to root at each start when others have written to it', async (c) => {
    mkdirSync(c.folder)
    const planted = path.join(c.folder, 'database')
    symlinkSync('/etc', planted)
    lchownSync(planted, 65_534, 65_534)
    for (const mode of [0o777, 0o711]) {
      chmodSync(c.folder, mode)
      assert.match(await refusal(c.folder), `${planted} is of user 65534, and root would trust it`)
      assert.is(modeOf(c.folder), mode)
    }
  })

  folders('should warn root of a STORAGE_DIR that others can change', async ({ folder }) => {
    const lines: string[] = []
    const log = createLog({ level: 'debug', write: (line) => lines.push(line) })
    await checkStorageDir(folder, log)
    mkdirSync(folder, { mode: 0o755 })
    await checkStorageDir(folder, log)
    assert.equal(lines, [])
    chmodSync(folder, 0o777)
    await checkStorageDir(folder, log)
    chmodSync(folder, 0o700)
    chownSync(folder, 65_534, 65_534)
    await checkStorageDir(folder, log)
    assert.is(lines.length, 2)
    assert.match(lines[0]!, 'other users can replace the files in STORAGE_DIR')
  })
}
