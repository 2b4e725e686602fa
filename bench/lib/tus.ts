import type { Child } from './child.ts'
import { ChildTarget } from './child-target.ts'
import { Connection, headerOf, onConnections, openConnections } from './connection.ts'
import type { Payload } from './payload.ts'
import { startPeer, versionOf } from './peers.ts'
import {
  chunksOf,
  totalBytes,
  type ServerSetting,
  type Target,
  type Uploaded,
  type UploadPlan,
} from './target.ts'

const version = { 'Tus-Resumable': '1.0.0' }
const content = { ...version, 'Content-Type': 'application/offset+octet-stream' }

/** Starts @tus/server with its file store. */
export async function startTus(setting: ServerSetting): Promise<Target> {
  const { child, port } = await startPeer('tus-server.mjs', setting)
  return new TusTarget(child, port, setting.payload)
}

/** One tus upload per file; chunks are the PATCH requests of an upload, one after the other. */
class TusTarget extends ChildTarget implements Target {
  readonly label = 'tus'
  readonly title = `@tus/server ${versionOf('@tus/server')}`
  readonly keepsChunks = false
  /** None: after an answer to GET, @tus/server 2.4.5 ends its process on Node 20. */
  readonly downloads = []
  readonly #payload: Payload

  constructor(child: Child, port: number, payload: Payload) {
    super(child, port)
    this.#payload = payload
  }

  async upload(plan: UploadPlan): Promise<Uploaded> {
    const parts = asUploads(plan)
    const names: string[] = []
    const connections = await openConnections(this.port, Math.min(plan.parallel, parts.length))
    await onConnections(connections, parts, async (connection, part) => {
      names.push(await this.#sendFile(connection, part))
    })
    for (const connection of connections) connection.close()
    const first = names[0] ?? ''
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
      await connection.send({ method: 'DELETE', path: name, headers: version })
    }
    connection.close()
  }

  /** Sends a file of one chunk with the request that creates it. Returns the upload's path. */
  async #sendFile(connection: Connection, plan: UploadPlan): Promise<string> {
    const chunks = chunksOf(plan)
    const isWhole = chunks.length === 1
    const created = await connection.send({
      method: 'POST',
      path: '/files',
      headers: { ...(isWhole ? content : version), 'Upload-Length': plan.fileBytes },
      body: isWhole ? this.#payload.buffers(plan.fileBytes) : [],
    })
    const { pathname } = new URL(headerOf(created.head, 'location') ?? '', 'http://bench')
    if (isWhole) return pathname
    let offset = 0
    for (const { length } of chunks) {
      await connection.send({
        method: 'PATCH',
        path: pathname,
        headers: { ...content, 'Upload-Offset': offset },
        body: this.#payload.buffers(length),
      })
      offset += length
    }
    return pathname
  }
}

/** A single file with parallel requests becomes parallel uploads of parts of it. */
function asUploads(plan: UploadPlan): UploadPlan[] {
  const { fileCount, fileBytes, parallel } = plan
  if (fileCount > 1) return Array.from({ length: fileCount }, () => ({ ...plan, fileCount: 1 }))
  const count = Math.min(parallel, chunksOf(plan).length)
  const partBytes = Math.floor(fileBytes / count)
  return Array.from({ length: count }, (_, index) => ({
    ...plan,
    fileBytes: index === 0 ? fileBytes - partBytes * (count - 1) : partBytes,
  }))
}
