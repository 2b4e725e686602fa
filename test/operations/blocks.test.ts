// The rows of block-table.mjs and the console blocks of the documentation belong together.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { packageRoot } from '../../src/lib/package-root.ts'

const blocks = suite('console blocks')
const program = path.join(packageRoot, 'test/operations/console-blocks.mjs')
const run = (...args: string[]) =>
  spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', timeout: 30_000 })

blocks('should each have a test or a reason', () => {
  const { status, stdout } = run('check')
  assert.equal([status, stdout], [0, ''])
})

blocks('should make valid scripts', () => {
  const lines = run('list').stdout.trim().split('\n')
  assert.ok(lines.length > 8)
  for (const line of lines) {
    const [place = '', page] = line.split(' ')
    const script = run('script', place).stdout
    assert.match(script, '=== end')
    const { status, stderr } = spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' })
    assert.is(status, 0, `${page}: ${stderr}`)
  }
})
