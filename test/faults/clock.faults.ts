// A clock that is set while the service is off: seemingly expired shares keep their bytes.
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bytesBelow } from '../helpers/traces.ts'
import { FaultScene } from './scene.ts'

const dayMs = 24 * 60 * 60_000

const clock = suite<{ scene: FaultScene; shift: string }>('a clock that is set')

clock.before((context) => {
  context.scene = new FaultScene()
  context.shift = path.join(context.scene.dataDir, 'shift.mjs')
  const code = 'const now = Date.now\nDate.now = () => now() + Number(process.env.CLOCK_SHIFT_MS)\n'
  writeFileSync(context.shift, code)
})
clock.after(async ({ scene, shift }) => {
  await scene.clear()
  rmSync(shift, { force: true })
})

clock('should remove nothing until an administrator confirms the time', async (context) => {
  const { scene, shift } = context
  await scene.start()
  const shareId = await scene.sender.share(
    { 'a.txt': 'five days' },
    { expirationVal: 5, expirationUnit: 'Days' },
  )
  const bytes = () => bytesBelow(path.join(scene.dataDir, 'storage'))
  const before = bytes()
  assert.is((await scene.service.stop()).code, 0)

  const later = { NODE_OPTIONS: `--import=${shift}`, CLOCK_SHIFT_MS: String(6 * dayMs) }
  await scene.start(later)
  assert.match(scene.service.stdout, /clock moved forward: removals paused until/)
  assert.is((await scene.sender.get(`/api/public/shares/${shareId}`)).status, 410)
  const unsure = await scene.command(['clean-up', '--json'], later)
  const skipped = new Set(JSON.parse(unsure.stdout).map((one: { skipped: string }) => one.skipped))
  assert.equal([...skipped], ['clock', null], unsure.stderr)
  assert.ok(bytes() >= before)

  const sure = await scene.command(['clean-up', '--trust-clock', '--json'], later)
  assert.is(sure.code, 0, sure.stderr)
  assert.ok(bytes() < before)
})

clock.run()
