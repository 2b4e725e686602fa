// Whether the build notices that something has to be built again.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { makeFolder } from '../helpers/folder.ts'
import { packageRoot } from '../../src/lib/package-root.ts'

const program = path.join(packageRoot, 'src/build/inputs.mjs')
const { noted, readNote } = (await import(program)) as {
  noted: (file: string, inputs: string[], build: () => Promise<string>) => Promise<string>
  readNote: (file: string, inputs: string[]) => string | null
}

const inputs = suite('build: inputs')

inputs('should build again what has changed while it was built, and nothing else', async () => {
  const folder = makeFolder()
  const source = path.join(folder, 'source')
  const file = path.join(folder, 'note.json')
  writeFileSync(source, 'old')
  await noted(file, [source], async () => {
    writeFileSync(source, 'newer')
    return 'first'
  })
  assert.is(readNote(file, [source]), null)
  assert.is(await noted(file, [source], async () => 'second'), 'second')
  assert.is(readNote(file, [source]), 'second')
})
