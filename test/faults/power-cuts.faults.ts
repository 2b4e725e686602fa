// SIGKILL of the service, SIGKILL of its database, and power cuts, again and again under every kind
// of traffic. Power cuts are simulated: each file call of the service is recorded, and changes that
// no sync has covered are kept, lost or torn at random (power/disk-model.ts).
//
// PostgreSQL is assumed to keep its own promises: it is killed, and its folder stays as it was, so
// that all its commits are there. power-cuts-ext4.test.ts cuts its power too.
import { suite } from 'uvu'
import { Machine } from './power/machine.ts'
import { roundsOr, runRounds, seeded } from './power/rounds.ts'

const usualRounds = 9
const rounds = roundsOr(usualRounds)
const faults = ['cut', 'kill', 'cut', 'database', 'cut', 'kill'] as const

interface Context {
  machine: Machine
}

const cuts = suite<Context>('power cuts, from a record of file calls')

const { seed, chance } = seeded()
cuts.before((context) => {
  context.machine = new Machine({ chance, records: true })
})
cuts.after(async ({ machine }) => {
  await machine.close()
  await machine.scene.clear()
})

cuts(`should lose nothing that was acknowledged (FAULT_SEED=${seed})`, async ({ machine }) => {
  const { scene, model } = machine
  await machine.start({ wasCut: false })
  await runRounds('power cuts', { seed, rounds, machine }, async (round) => {
    const fault = faults[(round - 1) % faults.length]!
    if (fault === 'database') {
      await machine.workUntil(() => machine.killDatabase())
      await scene.untilReady()
      await machine.check({ wasStarted: false })
      return fault
    }
    await machine.workUntil(() => (fault === 'cut' ? scene.killAll() : scene.kill()))
    machine.readCalls()
    if (fault === 'cut') model!.cut(chance)
    await machine.start({ wasCut: fault === 'cut' })
    return fault
  })
  await machine.finish()
})

cuts.run()
