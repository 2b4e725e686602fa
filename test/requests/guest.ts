import { multipart, type Answer, type Client, type ListedFile } from '../helpers/client.ts'

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
    const begun = await this.init(sender)
    if (begun.status !== 200) throw new Error(`init: ${begun.status} ${begun.body.toString()}`)
    const listed: ListedFile[] = []
    for (const [place, [originalName, content]] of Object.entries(files).entries()) {
      const fileId = `file-${place}`
      const sent = await this.chunk(fileId, 0, content, originalName)
      if (sent.status !== 200) throw new Error(`chunk: ${sent.status} ${sent.body.toString()}`)
      listed.push({ fileId, originalName, size: Buffer.from(content).length })
    }
    const answer = await this.finalize(listed)
    if (answer.status !== 200) {
      throw new Error(`finalize: ${answer.status} ${answer.body.toString()}`)
    }
    return answer
  }
}

export async function makeLink(owner: Client, input: object = {}): Promise<string> {
  const answer = await owner.post('/api/reverse', input)
  if (answer.status !== 200) throw new Error(`create: ${answer.status} ${answer.body.toString()}`)
  return answer.json().id
}
