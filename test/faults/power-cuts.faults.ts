// Power cuts, SIGKILL of the service and SIGKILL of its database, again and again under every kind
// of traffic, on a disk for files and database.
import { execFileSync } from 'node:child_process'
import { suite } from 'uvu'
import { makeDataDir, removeDataDir } from '../helpers/service-process.ts'
import { Seeded } from '../helpers/seeded.ts'
import { SmallDisk } from '../helpers/small-disk.ts'
import { Machine } from './power/machine.ts'

/** A hundred take several minutes. */
const rounds = Number(process.env['FAULT_ROUNDS'] || 9)
/**
 * The same seed chooses the same traffic, faults and losses again. When exactly a fault meets the
 * service is up to the machine, so a seed may have to be tried more than once.
 */
const seed = Number(process.env['FAULT_SEED'] || Date.now() % 1_000_000)
const faults = ['cut', 'kill', 'cut', 'database', 'cut', 'kill'] as const

interface Context {
  disk: SmallDisk | null
  machine: Machine
}

const cuts = suite<Context>('power cuts')

cuts.before((context) => {
  context.disk = SmallDisk.mount('3G', 'cuts of the power')
  const dataDir = context.disk?.mountPoint ?? makeDataDir()
  context.machine = new Machine(new Seeded(seed), dataDir)
})
cuts.after(async ({ disk, machine: { scene } }) => {
  await scene.service?.clear()
  await scene.killAll()
  if (disk) disk.remove()
  else await removeDataDir(scene.dataDir)
})

cuts(`should lose nothing that was acknowledged (FAULT_SEED=${seed})`, async (context) => {
  const { disk, machine } = context
  const { scene } = machine
  await machine.start({ wasCut: false })
  // The database is a copy of one, which nothing has synced.
  execFileSync('sync')
  for (let round = 0; round < rounds; round += 1) {
    const fault = disk ? faults[round % faults.length]! : 'kill'
    process.stdout.write(`${fault} `)
    if (fault === 'database') {
      await machine.workUntil(() => machine.killDatabase())
      await machine.check()
      continue
    }
    await machine.workUntil(async () => {
      if (fault === 'kill') return scene.kill()
      disk!.cutPower()
      await scene.killAll()
    })
    if (fault === 'cut') disk!.mountAgain()
    await machine.start({ wasCut: fault === 'cut' })
  }
  await machine.finish()
})
