import path from 'node:path'
import type { Child } from './child.ts'
import { ChildTarget } from './child-target.ts'
import { Connection, onConnections, openConnections } from './connection.ts'
import type { Payload } from './payload.ts'
import {
  chunksOf,
  totalBytes,
  type DownloadKind,
  type Target,
  type Uploaded,
  type UploadPlan,
} from './target.ts'

export interface PutServer {
  readonly label: string
  readonly title: string
  readonly downloads: readonly DownloadKind[]
  readonly child: Child
  readonly port: number
  readonly payload: Payload
}

/** A server of files: each chunk is a raw PUT of a file, and a download is one file. */
export class PutTarget extends ChildTarget implements Target {
  readonly label: string
  readonly title: string
  readonly keepsChunks = true
  readonly downloads: readonly DownloadKind[]
  readonly #payload: Payload
  #uploads = 0

  constructor(server: PutServer) {
    super(server.child, server.port)
    this.label = server.label
    this.title = server.title
    this.downloads = server.downloads
    this.#payload = server.payload
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
    return {
      plan,
      bytes: totalBytes(plan),
      filePath: first,
      archivePath: first,
      aboutPath: '/about',
      names,
    }
  }

  async remove(uploaded: Uploaded): Promise<void> {
    const connection = await Connection.open(this.port)
    for (const name of uploaded.names) {
      await connection.send({ method: 'DELETE', path: `/${path.basename(name)}` })
    }
    connection.close()
  }
}
