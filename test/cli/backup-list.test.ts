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
const damages: [string, (folder: string) => void][] = [
  ['an end that is no JSON', (folder) => writeFileSync(path.join(folder, 'complete.json'), '{')],
  [
    'an end without its fields',
    (folder) => writeFileSync(path.join(folder, 'complete.json'), '{}'),
  ],
  ['no head', (folder) => rmSync(path.join(folder, 'backup.json'))],
  [
    'the format of a newer version',
    (folder) => writeFileSync(path.join(folder, 'backup.json'), '{"format":99}'),
  ],
]

for (const [damage, spoil] of damages) {
  list(`should list the other snapshots beside one with ${damage}`, async () => {
    const scene = new BackupScene()
    await scene.backUp(service)
    await scene.backUp(service)
    const call: Call = {
      operands: [scene.place],
      text: () => null,
      has: () => false,
      wantsJson: true,
    }
    const [first] = (await listBackups(call)).json as [{ snapshot: string }]
    spoil(path.join(scene.place, 'snapshots', first.snapshot))
    const { json, text } = await listBackups(call)
    const rows = json as { is_complete: boolean; is_readable: boolean; files: number | null }[]
    assert.equal(
      rows.map((row) => [row.is_complete, row.is_readable, row.files]),
      [
        [true, false, null],
        [true, true, 0],
      ],
    )
    assert.match(text, /^2026-\S+ .*cannot be read$/m)
  })
}
