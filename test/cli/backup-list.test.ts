// The list of a backup's snapshots, when one of them cannot be read.
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { listBackups } from '../../src/cli/backup-list.ts'
import type { Call } from '../../src/cli/command.ts'
import { BackupScene } from '../backup/scene.ts'
import { startService } from '../helpers/service.ts'

const list = suite('backup list')
const service = await startService()
/** A file of a snapshot, and what is in it, if it is there. */
const damages: [what: string, file: string, text: string | null][] = [
  ['an end that is no JSON', 'complete.json', '{'],
  ['an end without its fields', 'complete.json', '{}'],
  ['no head', 'backup.json', null],
  ['the format of a newer version', 'backup.json', '{"format":99}'],
]

for (const [damage, name, damaged] of damages) {
  list(`should list the other snapshots beside one with ${damage}`, async () => {
    const scene = new BackupScene()
    await scene.backUp(service)
    await scene.backUp(service)
    const none = { text: () => null, has: () => false }
    const call: Call = { operands: [scene.place], ...none, wantsJson: true }
    const [first] = (await listBackups(call)).json as [{ snapshot: string }]
    const file = path.join(scene.place, 'snapshots', first.snapshot, name)
    if (damaged === null) rmSync(file)
    else writeFileSync(file, damaged)
    const { json, text } = await listBackups(call)
    const rows = json as { is_complete: boolean; is_readable: boolean; files: number | null }[]
    const states = rows.map((row) => [row.is_complete, row.is_readable, row.files])
    assert.equal(states.join(' '), 'true,false, true,true,0')
    assert.match(text, /^2026-\S+ .*cannot be read$/m)
  })
}
