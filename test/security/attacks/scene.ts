// A new service for each attack, started from any build, and the tools of attackers.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { Client } from '../../helpers/client.ts'
import { assignServer } from '../../helpers/description.ts'
import { RawConnection, type RawAnswer } from '../../helpers/raw-connection.ts'
import { makeDataDir, removeDataDir } from '../../helpers/service-process.ts'

export const email = 'admin@example.org'
export const password = 'correct horse battery'
export interface Target {
  readonly url: string
  readonly port: number
  readonly owner: Client
  /** Connections of the attack, open until it is over. */
  readonly attackers: readonly Socket[]
  /** Opens another connection and sends a text. */
  attack(address: string, text: string): Promise<Socket>
  /** Memory of the service's process in megabytes. */
  memory(): number
}

export interface Setting {
  readonly env?: Readonly<Record<string, string>>
  /** The limit of open files of the process. */
  readonly descriptors?: number
}

/** Starts the service of a build, runs an attack against it, and clears up. */
export async function against<T>(
  mainFile: string,
  { env = {}, descriptors }: Setting,
  attack: (target: Target) => Promise<T>,
): Promise<T> {
  const dataDir = makeDataDir()
  const limit = descriptors === undefined ? '' : `ulimit -n ${descriptors} && `
  const command = `${limit}exec "$0" "$1" serve`
  const child = spawn('bash', ['--norc', '-c', command, process.execPath, mainFile], {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOST: '127.0.0.1',
      PORT: '0',
      DOCS_PORT: 'off',
      DATA_DIR: path.join(dataDir, 'data'),
      ADMIN_EMAIL: email,
      ADMIN_PASSWORD: password,
      LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const port = await portOf(child)
    const url = `http://127.0.0.1:${port}`
    // An older build answers according to its own description.
    assignServer(url, 'other')
    const login = new Client(url)
    const answer = await login.post('/api/auth/login', { email, password })
    await login.close()
    const owner = new Client(url, answer.json().token)
    const memory = () => {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024)
    }
    const attackers: Socket[] = []
    const target: Target = {
      url,
      port,
      owner,
      attackers,
      memory,
      async attack(address, text) {
        const socket = await attackFrom(port, address)
        socket.write(text)
        attackers.push(socket)
        return socket
      },
    }
    try {
      return await attack(target)
    } finally {
      for (const socket of attackers) socket.destroy()
      await owner.close()
    }
  } finally {
    const closed = once(child, 'close')
    child.kill('SIGTERM')
    // The second one aborts the rest of the attack.
    await setTimeout(500)
    child.kill('SIGTERM')
    await Promise.race([closed, setTimeout(20_000)])
    child.kill('SIGKILL')
    await removeDataDir(dataDir)
  }
}

/** Waits until it listens. Returns the port. */
async function portOf(child: ChildProcess): Promise<number> {
  let said = ''
  for await (const data of child.stdout!.iterator({ destroyOnReturn: false })) {
    said += String(data)
    const [, url] = /^listening on (\S+) /m.exec(said) ?? []
    if (url === undefined) continue
    child.stdout!.resume()
    return Number(new URL(url).port)
  }
  throw new Error('the service ended at its start')
}

/** An address of a client, in a separate /24 for each `network`. */
export const addressIn = (network: number, host = 1) => `127.77.${network}.${host}`

/** A connection of an attacker, which reads nothing and never ends by itself. */
async function attackFrom(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
  socket.on('error', () => {})
  socket.pause()
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  return socket
}

/** One request on a new connection. */
export async function askFrom(
  target: Target,
  localAddress: string,
  text: string | Buffer,
): Promise<RawAnswer> {
  const connection = await RawConnection.open(target.url, localAddress)
  try {
    await connection.send(text)
    return await connection.readAnswer()
  } finally {
    connection.destroy()
  }
}

export const head = (line: string, fields: Readonly<Record<string, string | number>> = {}) =>
  `${line} HTTP/1.1\r\nHost: x\r\n${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

export function post(path: string, body: unknown, fields: Readonly<Record<string, string>> = {}) {
  const text = JSON.stringify(body)
  const length = Buffer.byteLength(text)
  return head(`POST ${path}`, {
    'Content-Type': 'application/json',
    'Content-Length': length,
    ...fields,
  }).concat(text)
}

/** Milliseconds until it is done; Infinity when it fails. */
export async function timed(work: () => Promise<boolean>): Promise<number> {
  const startMs = performance.now()
  try {
    return (await work()) ? performance.now() - startMs : Infinity
  } catch {
    return Infinity
  }
}

/** The same several times in a row; stops after a failure. */
export async function timesOf(count: number, work: (turn: number) => Promise<boolean>) {
  const times: number[] = []
  for (let turn = 0; turn < count && times.at(-1) !== Infinity; turn += 1) {
    times.push(await timed(() => work(turn)))
  }
  return inWords(times)
}

/** Median and largest of some times. */
export function inWords(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other)
  if (sorted.at(-1) === Infinity) return `failed, try ${times.length}`
  const write = (ms: number) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`)
  const median = sorted[Math.floor((sorted.length - 1) / 2)]!
  return `median ${write(median)}, at most ${write(sorted.at(-1)!)}`
}
