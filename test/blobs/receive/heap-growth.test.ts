import { execFileSync } from 'node:child_process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const growing = suite('setHeapGrowth')

growing('should set a flag that this Node knows', () => {
  const flags = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })
  assert.match(flags, /--heap-growing-percent/)
})

growing.run()
