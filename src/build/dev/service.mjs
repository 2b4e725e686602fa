import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Time for running transfers at a stop, and for the stop itself. */
const graceMs = 3000
const stopMsMax = 15_000

/** The service as a child process: one at a time. */
export class DevService {
  #command
  #env
  #onListening
  #child = null

  /**
   * @param {string[]} command arguments of node
   * @param {() => void} onListening
   */
  constructor(command, env, onListening) {
    this.#command = command
    this.#env = env
    this.#onListening = onListening
  }

  get isRunning() {
    return this.#child !== null
  }

  start() {
    const child = spawn(process.execPath, this.#command, {
      env: this.#env,
      // Ctrl-C must not reach it in addition to the signal of `stop`.
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.#child = child
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      process.stdout.write(text)
      if (said === null) return
      said += text
      if (!/^listening on .*\n/m.test(said)) return
      said = null
      this.#onListening()
    })
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
