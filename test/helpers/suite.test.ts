import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const suites = suite('suites')
const url = new URL('suite.js', import.meta.url)

function outputOf(steps: string): string {
  const text = `import { suite } from '${url}'
    const made = suite('a')
    ${steps}
    made.run()`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', text])
  return stdout.toString()
}

for (const when of ['before', 'after', 'before.each', 'after.each']) {
  suites(`should print the error of ${when}`, () => {
    const output = outputOf(`
      made.${when}(() => { throw new Error('no disk') })
      made('should pass', () => {})`)
    assert.match(output, new RegExp(`FAIL  "${when} of a"\nError: no disk\n +at `))
  })
}

const errors = [
  [
    'an error with details that are no text',
    "Object.assign(new Error('no disk'), { details: { x: 1 } })",
  ],
  ['something else than an error', "'no disk'"],
]
for (const [what, error] of errors) {
  suites(`should print ${what}`, () => {
    const output = outputOf(`made('should work', () => { throw ${error} })`)
    assert.match(output, /FAIL.*"should work"/)
    assert.match(output, /no disk/)
  })
}
