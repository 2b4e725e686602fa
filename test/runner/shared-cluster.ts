// The PostgreSQL of a run, as supervise.ts sees it: a process of its own (cluster.ts), started when
// the first test needs a database.
import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ClusterAddress } from './messages.ts'
import { killAll, processesBelow } from './processes.ts'

const program = fileURLToPath(new URL('cluster.js', import.meta.url))
const startMsMax = 50_000
const endMsMax = 30_000

export class SharedCluster {
  #child: ChildProcess | null = null
  #address: Promise<ClusterAddress> | null = null

  /** @throws when it does not start */
  address(): Promise<ClusterAddress> {
    this.#address ??= this.#start()
    return this.#address
  }

  /** Nothing of it is left afterwards. */
  async stop(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    const timer = setTimeout(() => {
      process.stdout.write('the PostgreSQL of the tests did not end and is killed\n')
      killAll(processesBelow(child.pid!))
      child.kill('SIGKILL')
    }, endMsMax)
    if (child.connected) child.disconnect()
    await ended
    clearTimeout(timer)
  }

  #start(): Promise<ClusterAddress> {
    const child = spawn(process.execPath, ['--enable-source-maps', program], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#child = child
    return new Promise((resolve, reject) => {
      const fail = (how: string) => reject(new Error(`the PostgreSQL of the tests ${how}`))
      const timer = setTimeout(() => fail('does not start'), startMsMax)
      child.once('message', (address) => resolve(address as ClusterAddress))
      child.once('exit', (code, signal) => fail(`ended with ${signal ?? code}`))
      child.once('error', (error) => fail(`cannot be started: ${error.message}`))
      for (const event of ['message', 'exit', 'error']) child.once(event, () => clearTimeout(timer))
    })
  }
}
