import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Child, freePort } from './child.ts'
import { Connection, onConnections, openConnections } from './connection.ts'
import type { Payload } from './payload.ts'
import { chunksOf, totalBytes, type Target, type Uploaded, type UploadPlan } from './target.ts'

const serverFile = fileURLToPath(new URL('./native-server.js', import.meta.url))

/**
 * Starts bare node:http over files: each chunk is a raw PUT that is synced before the answer, and a
 * download (also of an archive) is one file of the same length.
 */
export async function startNative(
  folder: string,
  payload: Payload,
  env: Readonly<Record<string, string>>,
): Promise<Target> {
  mkdirSync(folder)
  const port = await freePort()
  const child = await Child.start({
    file: serverFile,
    args: [folder, String(port)],
    env,
    logFile: `${folder}.log`,
    readyText: 'listening',
  })
  return new NativeTarget(child, port, payload)
}

class NativeTarget implements Target {
  readonly label = 'native'
  readonly port: number
  readonly #payload: Payload
  #child: Child
  #uploads = 0

  constructor(child: Child, port: number, payload: Payload) {
    this.#child = child
    this.port = port
    this.#payload = payload
  }

  get child(): Child {
    return this.#child
  }

  databasePids(): readonly number[] {
    return []
  }

  async upload(plan: UploadPlan): Promise<Uploaded> {
    this.#uploads += 1
    const sent = Array.from({ length: plan.fileCount }, (_, file) =>
      chunksOf(plan).map(({ index, length }) => ({
        name: `${this.#uploads}-${file}-${index}`,
        length,
      })),
    ).flat()
    const connections = await openConnections(this.port, Math.min(plan.parallel, sent.length))
    await onConnections(connections, sent, async (connection, { name, length }) => {
      const body = this.#payload.buffers(length)
      await connection.send({ method: 'PUT', path: `/${name}`, body })
    })
    for (const connection of connections) connection.close()
    const first = `/${sent[0]?.name ?? ''}`
    const names = sent.map(({ name }) => name)
    return { plan, bytes: totalBytes(plan), filePath: first, archivePath: first, names }
  }

  async remove(uploaded: Uploaded): Promise<void> {
    const connection = await Connection.open(this.port)
    for (const name of uploaded.names) {
      await connection.send({ method: 'DELETE', path: `/${path.basename(name)}` })
    }
    connection.close()
  }

  async restart(): Promise<void> {
    this.#child = await this.#child.restart()
  }

  stop(): Promise<void> {
    return this.#child.stop()
  }
}
