// A machine with 192 MiB for the service and its database. bench/small-machine.ts asks for more,
// and measures.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { whyNoMemoryGroups } from '../helpers/memory-group.ts'
import { SmallMachine } from '../helpers/small-machine.ts'

const filmBytes = 24_000_000
const files = 5_000

interface Scene {
  machine: SmallMachine | null
}

const small = suite<Scene>('journey: a small machine')

small.before.each((scene) => {
  scene.machine = null
})
small.after.each(async ({ machine }) => machine?.stop())

const reason = whyNoMemoryGroups()
// Containers usually cannot limit memory.
if (reason !== null) process.stdout.write(`\nskipped: a small machine: ${reason}\n`)
else {
  small('should do all at once with 192 MiB, and nothing is killed', async (scene) => {
    const machine = (scene.machine = await SmallMachine.start(192 * 1024 * 1024))
    await machine.signIn()
    await machine.uploadFilm(filmBytes)
    await machine.uploadAndDownload(16, 8, filmBytes)
    await machine.uploadFolder(files)
    await machine.listFolder(4, files)
    await machine.downloadFolder(2, files)
    await machine.sendThumbnails(50, files)
    await machine.signInOften(20)
    await machine.backUp()
    assert.is(machine.group.killed, 0)
    assert.not.ok(machine.service.hasEnded)
    assert.match(machine.service.stdout, '"limit":"192M"')
  })
}
