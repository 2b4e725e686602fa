// Power cuts, SIGKILL of the service and SIGKILL of its database, again and again under every kind
// of traffic. An ext4 image holds files and database. A power cut shuts it down without writing its
// journal, so that everything that the kernel had only in memory is lost.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import { makeDataDir, removeDataDir } from '../helpers/service-process.ts'
import { Machine } from './power/machine.ts'
import { Seeded } from '../helpers/seeded.ts'

/** A hundred take several minutes. */
const rounds = Number(process.env['FAULT_ROUNDS'] || 9)
/**
 * The same seed chooses the same traffic, faults and losses again. When exactly a fault meets the
 * service is up to the machine, so a seed may have to be tried more than once.
 */
const seed = Number(process.env['FAULT_SEED'] || Date.now() % 1_000_000)
const faults = ['cut', 'kill', 'cut', 'database', 'cut', 'kill'] as const
/** ext4's EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH: see linux/fs/ext4/ext4.h. */
const shutDown = `
import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, struct.pack('I', 2))
`

interface Context {
  image: string
  dataDir: string
  isMounted: boolean
  machine: Machine | null
}

const cuts = suite<Context>('power cuts')

cuts.before((context) => {
  context.machine = null
  context.dataDir = makeDataDir()
  context.image = path.join(mkdtempSync(path.join(tmpdir(), 'transfer-test-disk-')), 'image')
  try {
    run('truncate', '-s', '3G', context.image)
    run('mkfs.ext4', '-q', '-F', '-m', '0', context.image)
    mount(context)
    run('chmod', '711', context.dataDir)
    context.isMounted = true
  } catch (error) {
    context.isMounted = false
    const [line] = String((error as Error).message).split('\n')
    process.stdout.write(`\nskipped: cuts of the power, no file system can be mounted: ${line}\n`)
  }
})
cuts.after(async ({ image, dataDir, isMounted, machine }) => {
  await machine?.scene.stop()
  await machine?.scene.killAll()
  if (isMounted) run('umount', dataDir)
  await removeDataDir(dataDir)
  rmSync(path.dirname(image), { recursive: true })
})

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 30_000 })
}

function mount({ image, dataDir }: Context): void {
  run('mount', '-o', 'loop', image, dataDir)
}

cuts(`should lose nothing that was acknowledged (FAULT_SEED=${seed})`, async (context) => {
  const { dataDir, isMounted } = context
  const machine = new Machine(new Seeded(seed), dataDir)
  const { scene } = machine
  context.machine = machine
  await machine.start({ wasCut: false })
  for (let round = 0; round < rounds; round += 1) {
    const fault = isMounted ? faults[round % faults.length]! : 'kill'
    process.stdout.write(`${fault} `)
    if (fault === 'database') {
      await machine.workUntil(() => machine.killDatabase())
      await machine.check()
      continue
    }
    await machine.workUntil(async () => {
      if (fault === 'kill') return scene.kill()
      run('python3', '-c', shutDown, dataDir)
      await scene.killAll()
    })
    if (fault === 'cut') {
      run('umount', dataDir)
      mount(context)
    }
    await machine.start({ wasCut: fault === 'cut' })
  }
  await machine.finish()
})
