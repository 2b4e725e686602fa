import { multipart, okay, type Answer, type Client, type ListedFile } from '../helpers/client.ts'

export class Guest {
  readonly client: Client
  readonly base: string

  /** The client's token becomes the delivery's with `init`. */
  constructor(client: Client, reverseId: string) {
    this.client = client
    this.base = `/api/public/reverse/${reverseId}`
  }

  show(): Promise<Answer> {
    return this.client.get(this.base)
  }

  /** As the page does it that says that files may be shared, if the link allows it. */
  async init(sender: object = {}): Promise<Answer> {
    const answer = await this.client.post(`${this.base}/init`, { allowSharing: true, ...sender })
    if (answer.status === 200) this.client.token = answer.json().uploadToken
    return answer
  }

  /** The guest, once a delivery has begun. */
  async begun(sender: object = {}): Promise<this> {
    await okay(this.init(sender))
    return this
  }

  chunk(fileId: string, index: number, data: Buffer | string, fileName = fileId): Promise<Answer> {
    const fields = { chunkIndex: String(index), fileName, fileId }
    const { body, contentType } = multipart(fields, Buffer.from(data), index % 2 === 0)
    const headers = { 'content-type': contentType }
    return this.client.call('POST', `${this.base}/chunk`, { body, headers })
  }

  chunks(): Promise<Answer> {
    return this.client.get(`${this.base}/chunks`)
  }

  finalize(files: readonly ListedFile[], more: object = {}): Promise<Answer> {
    const listed = files.map((file) => ({ fileName: file.originalName, ...file }))
    return this.client.post(`${this.base}/finalize`, { files: listed, ...more })
  }

  async deliver(files: Record<string, Buffer | string>, sender: object = {}): Promise<Answer> {
    await this.begun(sender)
    const listed: ListedFile[] = []
    for (const [place, [originalName, content]] of Object.entries(files).entries()) {
      const fileId = `file-${place}`
      await okay(this.chunk(fileId, 0, content, originalName))
      listed.push({ fileId, originalName, size: Buffer.from(content).length })
    }
    return okay(this.finalize(listed))
  }
}

export const makeLink = async (owner: Client, input: object = {}): Promise<string> =>
  (await okay(owner.post('/api/reverse', input))).json().id
