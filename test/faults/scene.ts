// The scene of the command tests, for tests that kill processes.
import { admin, Scene } from '../cli/scene.ts'
import type { Client } from '../helpers/client.ts'
import { databaseProcesses, tryToSignal, type Environment } from '../helpers/service-process.ts'
import { until } from '../helpers/until.ts'

export class FaultScene extends Scene {
  sender!: Client

  /** Starts the service, also after its end; the sender's session survives that. */
  async start(env: Environment = {}): Promise<void> {
    await this.startService({ RATE_LIMIT_DOWNLOAD: 'off', ...env })
    const token: string | null = this.sender?.token ?? null
    this.sender = token === null ? await this.signIn(admin) : this.client(token)
  }

  /** kill -9 of the service; its database keeps running. */
  async kill(): Promise<void> {
    this.service!.child.kill('SIGKILL')
    await this.service!.ended()
  }

  async untilReady(): Promise<void> {
    await until('the service is ready', async () => {
      return (await this.sender.get('/readyz')).status === 200
    })
  }

  /** SIGKILL of the service and of every process of its database, like a power cut. */
  async killAll(): Promise<void> {
    this.service!.child.kill('SIGKILL')
    for (const pid of databaseProcesses(this.dataDir)) tryToSignal(pid, 'SIGKILL')
    await this.service!.ended()
    await until('the database is gone', () => databaseProcesses(this.dataDir).length === 0)
  }
}
