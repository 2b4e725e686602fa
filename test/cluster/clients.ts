// Clients of a cluster: they repeat what fails for the moment, and check every byte and count.
import { setTimeout as delay } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { Client, okay, randomContent, type Answer, type Call } from '../helpers/client.ts'
import { assignServer } from '../helpers/description.ts'
import { admin } from './cluster.ts'

const retriesMsMax = 60_000
/** Statuses that clients send the request again for. */
const passing = new Set([429, 502, 503, 504])

class PatientClient extends Client {
  readonly #onRetry: () => void

  constructor(url: string, onRetry: () => void) {
    super(url)
    this.#onRetry = onRetry
  }

  /** Repeats a request as clients do, until it is answered. */
  override async call(method: string, path: string, options: Call = {}): Promise<Answer> {
    const until = performance.now() + retriesMsMax
    for (;;) {
      const answer = await super.call(method, path, options).catch((error: Error) => error)
      if ('status' in answer && !passing.has(answer.status)) return answer
      if (performance.now() > until) throw new Error(`${path}: ${JSON.stringify(answer)}`)
      this.#onRetry()
      await delay(500)
    }
  }
}

export class Clients {
  readonly counts = { shares: 0, chunks: 0, downloads: 0, retries: 0, bytes: 0 }
  readonly kept: { file: string; data: Buffer }[] = []
  readonly owner: Client
  readonly #url: string

  constructor(url: string) {
    // HAProxy has answers that the description does not know.
    assignServer(url, 'other')
    this.#url = url
    this.owner = this.#make()
  }

  #make(): Client {
    return new PatientClient(this.#url, () => (this.counts.retries += 1))
  }

  async signIn(): Promise<void> {
    this.owner.token = (await okay(this.owner.post('/api/auth/login', admin))).json().token
    this.owner.cookies.clear()
  }

  async send(seed: number) {
    const pieces = [
      randomContent(300_000 + seed),
      randomContent(2_000 + seed),
      randomContent(700_000),
    ]
    const shareId = await this.owner.init({ maxDownloads: 1 })
    for (const [index, piece] of pieces.entries()) {
      await okay(this.owner.chunk(shareId, 'a', index, piece))
      this.counts.chunks += 1
    }
    const data = Buffer.concat(pieces)
    this.counts.bytes += data.length
    const file = { fileId: 'a', originalName: 'a', size: data.length }
    await okay(this.owner.finalize(shareId, [file]))
    const about = `/api/shares/${shareId}`
    const found = (await this.owner.get(about)).json()
    this.counts.shares += 1
    return { about, file: `${about}/files/${found.files[0].id}`, data }
  }

  /** Sends shares, and downloads each ten times at once. */
  async #work(client: number, isOver: () => boolean): Promise<void> {
    for (let round = 0; !isOver(); round += 1) {
      const { about, file, data } = await this.send(client * 1000 + round)
      const recipients = Array.from({ length: 10 }, () => this.#make())
      const answers = await Promise.all(recipients.map((one) => one.get(file)))
      for (const one of recipients) await one.close()
      const taken = answers.filter(({ status }) => status === 200)
      for (const { body } of taken) assert.ok(body.equals(data), 'identical')
      assert.ok(taken.length <= 1, `${taken.length} downloads of one`)
      for (const { status } of answers) assert.ok([200, 410].includes(status), String(status))
      const counted = (await this.owner.get(about)).json().download_count
      assert.ok(counted <= 1 && counted >= taken.length, `${counted} counted`)
      this.counts.downloads += taken.length
      this.kept.push({ file, data })
    }
  }

  /** Lets some work until it is over, and reads everything again. */
  async work(count: number, isOver: () => boolean): Promise<void> {
    await Promise.all(Array.from({ length: count }, (_, client) => this.#work(client, isOver)))
    for (const { file, data } of this.kept) {
      const answer = await this.owner.get(`${file}?as=owner`)
      assert.ok(answer.body.equals(data), `${file} is identical`)
    }
  }
}
