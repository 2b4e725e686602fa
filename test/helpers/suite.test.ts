import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const hooks = suite('hooks of suites')

for (const when of ['before', 'after', 'before.each', 'after.each']) {
  hooks(`should print the error of ${when}`, () => {
    const url = new URL('suite.js', import.meta.url)
    const text = `import { suite } from '${url}'
      const made = suite('a')
      made.${when}(() => { throw new Error('no disk') })
      made('should pass', () => {})
      made.run()`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', text])
    assert.match(stdout.toString(), new RegExp(`FAIL  "${when} of a"\nError: no disk\n +at `))
  })
}

hooks.run()
