// The built service with its database in a control group with little memory, and a crowd of clients
// outside of it.
import { tarOf } from '../../bench/lib/tar.ts'
import { blocks, Crowd } from './crowd.ts'
import { mainFile } from './main-file.ts'
import { MemoryGroup } from './memory-group.ts'
import {
  makeBallast,
  makeDataDir,
  removeDataDir,
  runCommand,
  ServiceProcess,
  type Environment,
} from './service-process.ts'

const email = 'admin@example.org'
const password = 'correct horse battery'
const chunkBytes = 10_000_000
const smallFileBytes = 1024
/** The smallest JPEG that the service takes. */
const thumbnail = Buffer.from(
  '/9j/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQ' +
    'EBAQH/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z',
  'base64',
)

export class SmallMachine {
  readonly group: MemoryGroup
  readonly service: ServiceProcess
  readonly crowd: Crowd
  readonly #folder: string
  readonly #env: Environment
  #film = ''
  #folderShare = ''

  private constructor(folder: string, env: Environment, group: MemoryGroup, up: ServiceProcess) {
    this.group = group
    this.service = up
    this.crowd = new Crowd(up.url)
    this.#folder = folder
    this.#env = env
  }

  /** @throws Error when memory cannot be limited here, or the service does not come up */
  static async start(bytesMax: number, program?: readonly string[]): Promise<SmallMachine> {
    const group = MemoryGroup.make('transfer-small', bytesMax)
    const folder = makeDataDir()
    const env = {
      DATA_DIR: folder,
      ADMIN_EMAIL: email,
      ADMIN_PASSWORD: password,
      RATE_LIMIT_LOGIN: 'off',
      RATE_LIMIT_UPLOAD: 'off',
      RATE_LIMIT_DOWNLOAD: 'off',
    }
    try {
      makeBallast(folder)
      const command = [...group.prefix, ...(program ?? [process.execPath, mainFile])]
      const service = await ServiceProcess.start(env, command)
      return new SmallMachine(folder, env, group, service)
    } catch (error) {
      await removeDataDir(folder)
      await group.remove()
      throw error
    }
  }

  async stop(): Promise<void> {
    await this.service.clear()
    await removeDataDir(this.#folder)
    await removeDataDir(`${this.#folder}-backup`)
    await this.group.remove()
  }

  signIn(): Promise<void> {
    return this.crowd.signIn(email, password)
  }

  async uploadFilm(bytes: number): Promise<void> {
    this.#film = await this.crowd.upload(bytes, chunkBytes)
  }

  /** Half of the uploads are one chunk each. The downloads are of the film, all at once. */
  uploadAndDownload(uploads: number, downloads: number, bytes: number): Promise<void> {
    return allOf([
      ...Array.from({ length: uploads }, (_, index) =>
        this.crowd.upload(bytes, index % 2 === 0 ? bytes : chunkBytes),
      ),
      ...Array.from({ length: downloads }, () =>
        this.crowd.download(`/api/shares/${this.#film}/download`, bytes),
      ),
    ])
  }

  /** Small files in one archive. */
  async uploadFolder(count: number): Promise<void> {
    const names = Array.from({ length: count }, (_, index) => `folder/file-${index}.bin`)
    const pieces = tarOf(names, [...blocks(smallFileBytes)])
    const length = pieces.reduce((sum, { length }) => sum + length, 0)
    const answer = await this.crowd.call({
      method: 'POST',
      path: '/api/tar?name=folder',
      headers: { 'Content-Type': 'application/x-tar' },
      body: { length, pieces: () => pieces },
    })
    this.#folderShare = (JSON.parse(answer.text) as { shareId: string }).shareId
  }

  async listFolder(times: number, count: number): Promise<void> {
    const path = `/api/public/shares/${this.#folderShare}`
    await allOf(Array.from({ length: times }, () => this.crowd.download(path, count * 50)))
  }

  async downloadFolder(times: number, count: number): Promise<void> {
    const path = `/api/shares/${this.#folderShare}/download`
    const bytesMin = count * smallFileBytes
    await allOf(Array.from({ length: times }, () => this.crowd.download(path, bytesMin)))
  }

  /** The last files of the folder. */
  async sendThumbnails(times: number, count: number): Promise<void> {
    const folder = `/api/shares/${this.#folderShare}/thumbnails`
    const send = (place: number) =>
      this.crowd.call({
        method: 'PUT',
        path: `${folder}/${encodeURIComponent(`folder/file-${place}.bin`)}`,
        headers: { 'Content-Type': 'image/jpeg' },
        body: { length: thumbnail.length, pieces: () => [thumbnail] },
      })
    await allOf(Array.from({ length: times }, (_, index) => send(count - 1 - index)))
  }

  signInOften(times: number): Promise<void> {
    const signIn = () => new Crowd(this.service.url).signIn(email, password)
    return allOf(Array.from({ length: times }, signIn))
  }

  /** Runs in the same group, as on a machine with no more memory. */
  async backUp(): Promise<void> {
    const target = `${this.#folder}-backup`
    const command = [...this.group.prefix, process.execPath, mainFile]
    const { code, stderr } = await runCommand(['backup', target], this.#env, '', command)
    if (code !== 0) throw new Error(`transfer backup ended with ${code}: ${stderr}`)
  }
}

/** Waits for all, so that the first failure does not hide how many there are. */
async function allOf(tasks: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(tasks)).filter((one) => one.status === 'rejected')
  const reasons = failed.slice(0, 3).map((one) => String(one.reason).slice(0, 300))
  if (failed.length > 0) {
    throw new Error(`${failed.length} of ${tasks.length} failed: ${reasons.join('; ')}`)
  }
}
