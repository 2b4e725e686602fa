// The unit that docs/vps.md and docs/raspberry-pi.md install, checked by systemd, and the options
// that these pages set.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load.ts'
import { packageRoot } from '../../src/lib/package-root.ts'
import { blocksUnder, readDoc } from '../helpers/docs.ts'
import { mainFile } from '../helpers/main-file.ts'

interface Scene {
  folder: string
}

const unitFile = 'static/transfer-service.service'
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
  // The pages create the user and install the program elsewhere.
  const printed = readFileSync(path.join(packageRoot, unitFile), 'utf8')
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

for (const page of ['vps', 'raspberry-pi']) {
  unit(`should set only options that the service accepts: docs/${page}.md`, () => {
    const heading = page === 'vps' ? '3. Set the options' : '4. Set the options'
    const text = blocksUnder(page, heading)[0]?.text ?? ''
    const [, options = ''] = /<<'END'\n(.*?)^END$/ms.exec(text) ?? []
    const pairs = options.trim().split('\n')
    assert.ok(pairs.length >= 2)
    const env = Object.fromEntries(pairs.map((line) => line.split(/=(.*)/s) as [string, string]))
    const { config, sources } = loadConfig({ ...env, STATE_DIRECTORY: '/var/lib/transfer-service' })
    assert.is(config.dataDir, '/var/lib/transfer-service')
    const read = Object.values(sources).filter((source) => source === 'environment')
    assert.is(read.length, pairs.length, 'every line is an option')
  })

  unit(`should install this unit: docs/${page}.md`, () => {
    assert.match(readDoc(page), `cp ${unitFile} /etc/systemd/system/`)
  })
}

unit.run()
