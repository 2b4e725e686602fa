import { chmodSync, mkdirSync } from 'node:fs'
import { Child, fixedPort } from './child.ts'
import { ChildTarget } from './child-target.ts'
import { Connection, onConnections, openConnections } from './connection.ts'
import type { Payload } from './payload.ts'
import { commandOf, descendantsOf } from './processes.ts'
import {
  chunksOf,
  totalBytes,
  type ServerSetting,
  type Target,
  type Uploaded,
  type UploadPlan,
} from './target.ts'
import { tarOf } from './tar.ts'

const adminEmail = 'bench@example.org'
const adminPassword = 'a password of the bench'
/** As long as in browsers, because parsers search by its length. */
const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW'
/** Below the service's limit for one client address. */
const uploadsPerAddress = 4

export interface ServiceOptions extends ServerSetting {
  readonly label: string
  readonly title: string
  /** Its start file. */
  readonly file: string
  readonly nodeArgs?: readonly string[]
}

/** Starts the service on a new data directory, with its embedded database. */
export async function startService(options: ServiceOptions): Promise<ServiceTarget> {
  const { label, title, file, folder, payload, env, limit, nodeArgs = [] } = options
  mkdirSync(folder)
  // Under root the database server runs as another user, who must reach its cluster.
  chmodSync(folder, 0o711)
  const start = (port: number) =>
    Child.start({
      file,
      args: ['serve'],
      nodeArgs,
      limit,
      env: {
        HOST: '127.0.0.1',
        PORT: String(port),
        DOCS_PORT: 'off',
        DATA_DIR: folder,
        ADMIN_EMAIL: adminEmail,
        ADMIN_PASSWORD: adminPassword,
        RATE_LIMIT_LOGIN: 'off',
        RATE_LIMIT_UPLOAD: 'off',
        RATE_LIMIT_DOWNLOAD: 'off',
        ...env,
      },
      logFile: `${folder}.log`,
      readyText: 'listening on',
    })
  let child = await start(0)
  let { port } = child
  if (port === 0) {
    await child.stop()
    port = fixedPort
    child = await start(port)
  }
  const takesTars = await hasTarUploads(port)
  return new ServiceTarget({ label, title, child, port, payload, takesTars })
}

/** Earlier builds have no such path. */
async function hasTarUploads(port: number): Promise<boolean> {
  const { status } = await fetch(`http://127.0.0.1:${port}/api/tar`, { method: 'POST' })
  return status !== 404
}

interface Draft {
  readonly shareId: string
  readonly fileIds: readonly string[]
}

interface Server {
  readonly label: string
  readonly title: string
  readonly child: Child
  readonly port: number
  readonly payload: Payload
  readonly takesTars?: boolean
}

/** The service, or a peer that answers on its paths. */
export class ServiceTarget extends ChildTarget implements Target {
  readonly label: string
  readonly title: string
  readonly keepsChunks = false
  readonly downloads = ['file', 'archive'] as const
  override readonly takesTars: boolean
  readonly #payload: Payload
  #token: string | null = null

  constructor({ label, title, child, port, payload, takesTars = false }: Server) {
    super(child, port)
    this.takesTars = takesTars
    this.label = label
    this.title = title
    this.#payload = payload
  }

  override databasePids(): readonly number[] {
    return descendantsOf(this.child.pid).filter((pid) => /postgres/.test(commandOf(pid)))
  }

  async upload(plan: UploadPlan): Promise<Uploaded> {
    const drafts = await this.#initDrafts(plan)
    const tasks = drafts.flatMap(({ shareId, fileIds }) =>
      fileIds.flatMap((fileId) => chunksOf(plan).map((chunk) => ({ shareId, fileId, ...chunk }))),
    )
    const count = Math.min(plan.parallel, tasks.length)
    const connections = await openConnections(this.port, count, uploadsPerAddress)
    const headers = await this.#headers()
    await onConnections(connections, tasks, async (connection, task) => {
      await connection.send({
        method: 'POST',
        path: `/api/shares/${task.shareId}/chunk`,
        headers: { ...headers, 'Content-Type': `multipart/form-data; boundary=${boundary}` },
        body: multipart(task, this.#payload.buffers(task.length)),
      })
    })
    for (const connection of connections) connection.close()
    for (const draft of drafts) await this.#finalize(plan, draft)
    return this.#uploaded(
      plan,
      drafts.map(({ shareId }) => shareId),
    )
  }

  async #uploaded(plan: UploadPlan, names: readonly string[]): Promise<Uploaded> {
    const shareId = names[0] ?? ''
    return {
      plan,
      bytes: totalBytes(plan),
      filePath: await this.#firstFile(shareId),
      archivePath: `/api/shares/${shareId}/download`,
      aboutPath: `/api/public/shares/${shareId}`,
      names,
    }
  }

  override async uploadTar(plan: UploadPlan): Promise<Uploaded> {
    const names = Array.from({ length: plan.fileCount }, (_, index) => `folder/file-${index}.bin`)
    const connection = await Connection.open(this.port)
    const reply = await connection.send({
      method: 'POST',
      path: '/api/tar?name=bench',
      headers: { ...(await this.#headers()), 'Content-Type': 'application/x-tar' },
      body: tarOf(names, this.#payload.buffers(plan.fileBytes)),
      keepsText: true,
    })
    connection.close()
    const { shareId } = JSON.parse(reply.text) as { shareId: string }
    return this.#uploaded(plan, [shareId])
  }

  async remove(uploaded: Uploaded): Promise<void> {
    for (const shareId of uploaded.names) await this.#call('DELETE', `/api/shares/${shareId}`)
  }

  async #initDrafts(plan: UploadPlan): Promise<Draft[]> {
    const fileIds = Array.from({ length: plan.fileCount }, (_, index) => `file-${index}`)
    const groups = plan.separate ? fileIds.map((id) => [id]) : [fileIds]
    const drafts: Draft[] = []
    for (const group of groups) {
      const { shareId } = (await this.#call('POST', '/api/shares/init', {})) as { shareId: string }
      drafts.push({ shareId, fileIds: group })
    }
    return drafts
  }

  async #finalize(plan: UploadPlan, draft: Draft): Promise<void> {
    const files = draft.fileIds.map((fileId) => ({
      fileId,
      fileName: fileId,
      originalName: `folder/${fileId}.bin`,
      size: plan.fileBytes,
    }))
    await this.#call('POST', `/api/shares/${draft.shareId}/finalize`, { files })
  }

  async #firstFile(shareId: string): Promise<string> {
    const answer = await fetch(`http://127.0.0.1:${this.port}/api/public/shares/${shareId}`)
    const [file] = ((await answer.json()) as { files: { id: number }[] }).files
    return `/api/shares/${shareId}/files/${file?.id}`
  }

  async #headers(): Promise<Record<string, string>> {
    if (this.#token === null) {
      const credentials = { email: adminEmail, password: adminPassword }
      const { token } = (await this.#exchange('POST', '/api/auth/login', {}, credentials)) as {
        token: string
      }
      this.#token = token
    }
    return { Authorization: `Bearer ${this.#token}` }
  }

  async #call(method: string, path: string, json?: unknown): Promise<unknown> {
    return this.#exchange(method, path, await this.#headers(), json)
  }

  async #exchange(
    method: string,
    path: string,
    headers: Record<string, string>,
    json?: unknown,
  ): Promise<unknown> {
    const connection = await Connection.open(this.port)
    try {
      const body = json === undefined ? [] : [Buffer.from(JSON.stringify(json))]
      const type = json === undefined ? {} : { 'Content-Type': 'application/json' }
      const sending = { method, path, headers: { ...headers, ...type }, body, keepsText: true }
      return JSON.parse((await connection.send(sending)).text)
    } finally {
      connection.close()
    }
  }
}

/** The binary part first and the fields after it, as in real web clients. */
function multipart(task: { fileId: string; index: number }, data: Buffer[]): Buffer[] {
  const fields = { chunkIndex: task.index, fileName: task.fileId, fileId: task.fileId }
  const texts = Object.entries(fields).map(
    ([name, value]) =>
      `\r\n--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}`,
  )
  return [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="chunk"; filename="blob"\r\n` +
        'Content-Type: application/octet-stream\r\n\r\n',
    ),
    ...data,
    Buffer.from(`${texts.join('')}\r\n--${boundary}--\r\n`),
  ]
}
