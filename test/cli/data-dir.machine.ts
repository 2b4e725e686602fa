import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { makeDataDir } from '../../src/cli/data-dir.ts'
import { createLog } from '../../src/lib/log.ts'

const isRoot = process.getuid?.() === 0
/** Root's database runs as another user, who passes through. */
const closed = isRoot ? 0o711 : 0o700
const folders = suite<{ root: string; folder: string; lines: string[] }>('DATA_DIR')
folders.before.each((context) => {
  context.root = mkdtempSync(path.join(tmpdir(), 'transfer-test-'))
  context.folder = path.join(context.root, 'data')
  context.lines = []
})
folders.after.each(({ root }) => rmSync(root, { recursive: true, force: true }))

const make = (folder: string, lines: string[]) =>
  makeDataDir(folder, createLog({ level: 'debug', write: (line) => lines.push(line) }))
const modeOf = (folder: string) => statSync(folder).mode & 0o7777

folders('should be created accessible only to its owner', async ({ folder, lines }) => {
  await make(folder, lines)
  assert.is(modeOf(folder), closed)
  await make(folder, lines)
  assert.equal([modeOf(folder), lines], [closed, []])
})

for (const mode of [0o755, 0o777, 0o750, 0o2775]) {
  folders(
    `should be closed to others when it is ${mode.toString(8)}`,
    async ({ folder, lines }) => {
      mkdirSync(folder)
      chmodSync(folder, mode)
      await make(folder, lines)
      assert.is(modeOf(folder) & 0o066, 0)
      assert.is(modeOf(folder) & 0o700, 0o700)
      assert.is(lines.length, 1)
      assert.match(lines[0]!, 'removed access of other users')
    },
  )
}

folders('should be left as it is, with a warning, when others use it too', async (context) => {
  const { folder, lines } = context
  mkdirSync(folder)
  chmodSync(folder, 0o1777)
  await make(folder, lines)
  assert.is(modeOf(folder), 0o1777)
  assert.match(lines[0]!, '"warn"')
  assert.match(lines[0]!, 'a separate folder')
})

if (isRoot) {
  folders('should not be changed when another user owns it', async ({ folder, lines }) => {
    mkdirSync(folder)
    chmodSync(folder, 0o755)
    chownSync(folder, 65_534, 65_534)
    await make(folder, lines)
    assert.is(modeOf(folder), 0o755)
    assert.match(lines[0]!, 'chmod 711')
  })
}
folders.run()
