// The start file under versions of Node that are too old, without having them.
import { readFileSync } from 'node:fs'
import vm from 'node:vm'
import { parse } from 'acorn'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { mainFile } from '../helpers/main-file.ts'

const old = suite('cli: old versions of Node')
const code = readFileSync(mainFile, 'utf8')

/** Runs the start file; null if it goes on to load the service. */
function run(node: string): { said: string; exitCode: number } | null {
  let said = ''
  let isStarting = false
  const process = {
    versions: { node },
    env: {},
    stderr: { write: (text: string) => (said += text) },
    umask: () => (isStarting = true),
    exitCode: 0,
  }
  // Its import needs a module loader, so it is left out here.
  vm.runInNewContext(code.replace('import(start)', 'start'), { process })
  return isStarting ? null : { said, exitCode: process.exitCode }
}

old('should be readable by Node 12', () => {
  assert.match(code, 'void import(start)')
  parse(code, { ecmaVersion: 2020, sourceType: 'script', allowHashBang: true })
})

for (const node of ['12.22.12', '18.20.4', '20.9.0', '20.18.3']) {
  old(`should say in one sentence that ${node} is too old`, () => {
    const said = `transfer needs Node.js 20.19 or later; this is ${node}.\n`
    assert.equal(run(node), { said, exitCode: 78 })
  })
}

for (const node of ['20.19.0', '22.0.0', '24.1.0-nightly2025', '100.0.0']) {
  old(`should start with ${node}`, () => assert.is(run(node), null))
}
