// The unit that docs/vps.md installs, checked by systemd, and the options that this page and
// docs/raspberry-pi.md set.
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

const unitsFolder = 'static/systemd'
const unit = suite<Scene>('journey: systemd')

unit.before.each((scene) => {
  scene.folder = mkdtempSync(path.join(tmpdir(), 'transfer-test-systemd-'))
})
unit.after.each((scene) => rmSync(scene.folder, { recursive: true, force: true }))

function verify({ folder }: Scene, units: Readonly<Record<string, string>>) {
  const written = Object.entries(units).map(([name, text]) => {
    const file = path.join(folder, name)
    writeFileSync(file, text)
    return file
  })
  return spawnSync('systemd-analyze', ['verify', '--man=no', ...written], {
    encoding: 'utf8',
    timeout: 30_000,
  })
}

const isThere = spawnSync('systemd-analyze', ['--version']).status === 0
if (!isThere) process.stdout.write('\nskipped: the unit: systemd-analyze is not here\n')
else {
  const readUnit = (name: string) =>
    readFileSync(path.join(packageRoot, unitsFolder, name), 'utf8')
      // The package creates the user, and installs the program.
      .replace(/^(User|Group)=transfer$/gm, '$1=root')
      .replace(/^ExecStart=transfer/m, `ExecStart=${process.execPath} ${mainFile}`)
  const service = readUnit('transfer.service')
  const socket = readUnit('transfer.socket')

  unit('should be units without findings', (scene) => {
    const units = { 'transfer.service': service, 'transfer.socket': socket }
    const { status, stderr } = verify(scene, units)
    assert.is(stderr, '')
    assert.is(status, 0)
  })

  for (const name of ['transfer.service', 'transfer-backup.service']) {
    unit(`should expose little: ${name}`, () => {
      const file = path.join(packageRoot, unitsFolder, name)
      const args = ['security', '--offline=true', '--threshold=12', file]
      const options = { encoding: 'utf8', timeout: 30_000 } as const
      const { status, stdout } = spawnSync('systemd-analyze', args, options)
      assert.is(status, 0, stdout)
    })
  }

  unit('should have a timer for backups without findings', (scene) => {
    const names = ['transfer-backup.service', 'transfer-backup.timer'] as const
    const units = Object.fromEntries(names.map((one) => [one, readUnit(one)]))
    const { status, stderr } = verify(scene, units)
    assert.is(stderr, '')
    assert.is(status, 0)
    // The page prints the command of the unit.
    const [, args] = /^ExecStart=.* --config \S+ (.*)$/m.exec(units[names[0]]!) ?? []
    assert.match(readDoc('backup'), `transfer backup ${args}\n`)
    const hardened = (text: string) => {
      return text.slice(text.indexOf('AmbientCapabilities')).split('\n\n')[0]!.trim()
    }
    assert.is(hardened(units[names[0]]!), hardened(service))
  })

  unit('should be refused with a mistake in it, so the check works', (scene) => {
    const wrong = service.replace('KillMode=mixed', 'KillMode=some')
    const units = { 'transfer.service': wrong, 'transfer.socket': socket }
    assert.match(verify(scene, units).stderr, 'kill mode')
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
}

unit('should be the unit that docs/vps.md installs without the package', () => {
  assert.match(readDoc('vps'), `cp ${unitsFolder}/* /etc/systemd/system/`)
})

unit.run()
