// Problems of files and disks in a sentence, in place of a stack.
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { placed } from '../../src/cli/machine-problem.ts'
import { runCommand } from '../helpers/service-process.ts'
import { Scene } from './scene.ts'

const problems = suite<{ scene: Scene }>('cli: problems of the machine')
problems.before.each((context) => {
  context.scene = new Scene()
})
problems.after.each(({ scene }) => scene.clear())

problems('should say that the key is damaged, and what to do', async (context) => {
  const { scene } = context
  const service = await scene.startService()
  await service.stop()
  const key = path.join(scene.dataDir, 'secret.key')
  writeFileSync(key, 'short')
  const way = 'If the secret is lost, remove the file and run transfer secret rotate --lost.'
  const said = `${key} is damaged: it must have 32 bytes. Restore it from a backup. ${way}`
  for (const args of [['serve'], ['users', 'invite', 'a@example.org'], ['backup', '-']]) {
    const { code, stderr } = await scene.run(args)
    assert.is(code, 1, stderr)
    assert.match(stderr, `${said}\n`)
    assert.not.match(stderr, '    at ')
  }
  const rotate = ['secret', 'rotate', '--lost', '--yes']
  assert.is((await scene.failure(rotate)).code, 'wrong_secret')
  rmSync(key)
  await scene.text(rotate)
  await scene.text(['users', 'list'])
})

problems('should say that DATA_DIR is a link to nothing', async ({ scene }) => {
  const link = path.join(scene.dataDir, 'link')
  symlinkSync(path.join(scene.dataDir, 'missing'), link)
  for (const dataDir of [link, path.join(link, 'data')]) {
    const { code, stderr } = await runCommand(['serve'], { DATA_DIR: dataDir, PORT: '0' })
    assert.is(code, 1, stderr)
    const said = 'is a link to a missing folder. Make that folder, or remove the link.'
    assert.is(stderr, `${link} ${said}\n`)
  }
})

problems('should say what was being done, and what the operator can do', () => {
  const failed = (code: string, place?: string) => {
    const error = Object.assign(new Error(`${code}: of the system`), { code, syscall: 'mkdir' })
    return (placed(place ? Object.assign(error, { path: place }) : error, 'the backup') as Error)
      .message
  }
  assert.match(failed('EACCES', '/a'), /^the backup failed: the user \S+ may not use \/a\. Give it/)
  const full = 'the disk of its files is full. Free space on it, then try again.'
  assert.is(failed('ENOSPC'), `the backup failed: ${full}`)
  const bug = new Error('a bug')
  assert.is(placed(bug, 'the backup'), bug)
})
