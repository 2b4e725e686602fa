import { open, unlink, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { randomRowId } from '../lib/random-id.ts'

const readBytes = 256 * 1024

/** A file without a name, which is gone with its process in any case. */
export class Spool {
  readonly #file: FileHandle
  #bytes = 0

  private constructor(file: FileHandle) {
    this.#file = file
  }

  static async open(folder: string): Promise<Spool> {
    const name = path.join(folder, `.backup-${randomRowId()}`)
    const file = await open(name, 'wx+', 0o600)
    await unlink(name)
    return new Spool(file)
  }

  async append(data: Buffer): Promise<void> {
    await this.#file.appendFile(data)
    this.#bytes += data.length
  }

  async *read(): AsyncGenerator<Buffer, void, void> {
    for (let position = 0; position < this.#bytes;) {
      const wanted = Math.min(readBytes, this.#bytes - position)
      const buffer = Buffer.allocUnsafeSlow(wanted)
      const { bytesRead } = await this.#file.read(buffer, 0, wanted, position)
      if (bytesRead === 0) throw new Error('a temporary file was cut')
      position += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}
