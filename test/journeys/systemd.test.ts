// The unit in docs/systemd.md, checked by systemd.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load.ts'
import { blockOf, blocksUnder } from '../helpers/docs.ts'
import { mainFile } from '../helpers/main-file.ts'

interface Scene {
  folder: string
}

const unit = suite<Scene>('journey: systemd')

unit.before.each((scene) => {
  scene.folder = mkdtempSync(path.join(tmpdir(), 'transfer-test-systemd-'))
})
unit.after.each((scene) => rmSync(scene.folder, { recursive: true, force: true }))

function verify({ folder }: Scene, text: string) {
  const file = path.join(folder, 'transfer-service.service')
  writeFileSync(file, text)
  return spawnSync('systemd-analyze', ['verify', '--man=no', file], {
    encoding: 'utf8',
    timeout: 30_000,
  })
}

const isThere = spawnSync('systemd-analyze', ['--version']).status === 0
if (!isThere) process.stdout.write('\nskipped: the unit: systemd-analyze is not here\n')
else {
  // The user is created by an earlier step, and the program is elsewhere here.
  const printed = blockOf('systemd', 'ini')
    .replace(/^ExecStart=\S+ \S+/m, `ExecStart=${process.execPath} ${mainFile}`)
    .replace(/^(User|Group)=transfer$/gm, '$1=root')

  unit('should be a unit without findings', (scene) => {
    const { status, stderr } = verify(scene, printed)
    assert.is(stderr, '')
    assert.is(status, 0)
  })

  unit('should be refused with a mistake in it, so the check works', (scene) => {
    const { stderr } = verify(scene, printed.replace('KillMode=mixed', 'KillMode=some'))
    assert.match(stderr, 'kill mode')
  })
}

unit('should contain only options that the service accepts', () => {
  const [options = ''] = blocksUnder('systemd', '2. The options').map(({ text }) => text)
  const pairs = options.trim().split('\n')
  assert.ok(pairs.length >= 4)
  const env = Object.fromEntries(pairs.map((line) => line.split(/=(.*)/s) as [string, string]))
  const { config, sources } = loadConfig({ ...env, STATE_DIRECTORY: '/var/lib/transfer-service' })
  assert.is(config.dataDir, '/var/lib/transfer-service')
  assert.is(config.trustProxy, '127.0.0.1')
  const read = Object.values(sources).filter((source) => source === 'environment')
  assert.is(read.length, pairs.length, 'no line is called what no option is')
})

unit.run()
