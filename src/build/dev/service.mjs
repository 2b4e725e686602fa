import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Time for running transfers at a stop, and for the stop itself. */
const graceMs = 3000
const stopMsMax = 15_000

/** The service as a child process: one at a time. */
export class DevService {
  #command
  #env
  #child = null

  /** @param {string[]} command arguments of node */
  constructor(command, env) {
    this.#command = command
    this.#env = env
  }

  start() {
    const child = spawn(process.execPath, this.#command, {
      env: this.#env,
      // Ctrl-C must not reach it in addition to the signal of `stop`.
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    this.#child = child
    child.once('exit', (code, signal) => {
      if (this.#child !== child) return
      this.#child = null
      process.stderr.write(`dev: the service ended (${signal ?? code}), waiting for a change\n`)
    })
  }

  /** Stops it and waits for its end. */
  async stop() {
    const child = this.#child
    if (child === null) return
    this.#child = null
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    const timers = [
      setTimeout(() => child.kill('SIGTERM'), graceMs),
      setTimeout(() => child.kill('SIGKILL'), stopMsMax),
    ]
    await ended
    for (const timer of timers) clearTimeout(timer)
  }

  kill() {
    this.#child?.kill('SIGKILL')
  }
}
