// Clients of a cluster: they repeat what fails for the moment, and check every byte and count.
import { setTimeout as delay } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { patterned } from '../bytes/send/scene.ts'
import { multipart } from '../helpers/client.ts'
import { admin } from './cluster.ts'

const retriesMsMax = 60_000
/** Statuses that clients send the request again for. */
const passing = new Set([429, 502, 503, 504])
const json = { 'content-type': 'application/json' }

interface Answer {
  readonly status: number
  readonly body: Buffer
  json(): any
}

export class Clients {
  readonly counts = { shares: 0, chunks: 0, downloads: 0, retries: 0, bytes: 0 }
  readonly kept: { file: string; data: Buffer }[] = []
  readonly url: string
  authorization = ''

  constructor(url: string) {
    this.url = url
  }

  async signIn(): Promise<void> {
    const { token } = (await this.#post('/api/auth/login', admin)).json()
    this.authorization = `Bearer ${token}`
  }

  /** Repeats a request as clients do, until it is answered. */
  async ask(path: string, init: RequestInit = {}): Promise<Answer> {
    const until = performance.now() + retriesMsMax
    for (;;) {
      const answer = await fetch(`${this.url}${path}`, init)
        .then(async (one) => ({ status: one.status, body: Buffer.from(await one.arrayBuffer()) }))
        .catch((error: unknown) => ({ status: 0, body: Buffer.from(String(error)) }))
      if (answer.status !== 0 && !passing.has(answer.status)) {
        return { ...answer, json: () => JSON.parse(answer.body.toString()) }
      }
      if (performance.now() > until)
        throw new Error(`${path}: ${answer.status} ${answer.body.toString()}`)
      this.counts.retries += 1
      await delay(500)
    }
  }

  #post(path: string, body: object): Promise<Answer> {
    const headers = { ...json, ...this.#headers }
    return this.ask(path, { method: 'POST', headers, body: JSON.stringify(body) })
  }

  get #headers() {
    return this.authorization === '' ? {} : { authorization: this.authorization }
  }

  /** Sends a share for one download. */
  async send(seed: number) {
    const pieces = [patterned(300_000 + seed), patterned(2_000 + seed), patterned(700_000)]
    const { shareId } = (await this.#post('/api/shares/init', { maxDownloads: 1 })).json()
    const about = `/api/shares/${shareId}`
    for (const [index, piece] of pieces.entries()) {
      const fields = { chunkIndex: String(index), fileName: 'a', fileId: 'a' }
      const { body, contentType } = multipart(fields, piece, false)
      const headers = { ...this.#headers, 'content-type': contentType }
      const request = { method: 'POST', headers, body: new Uint8Array(body) }
      const sent = await this.ask(`${about}/chunk`, request)
      assert.is(sent.status, 200, sent.body.toString())
      this.counts.chunks += 1
    }
    const data = Buffer.concat(pieces)
    this.counts.bytes += data.length
    const files = [{ fileId: 'a', fileName: 'a', originalName: 'a', size: data.length }]
    const ended = await this.#post(`${about}/finalize`, { files })
    assert.is(ended.status, 200, ended.body.toString())
    const found = (await this.ask(about, { headers: this.#headers })).json()
    this.counts.shares += 1
    return { about, file: `${about}/files/${found.files[0].id}`, data }
  }

  /** Sends shares, and downloads each ten times at once. */
  async #work(client: number, isOver: () => boolean): Promise<void> {
    for (let round = 0; !isOver(); round += 1) {
      const { about, file, data } = await this.send(client * 1000 + round)
      const answers = await Promise.all(Array.from({ length: 10 }, () => this.ask(file)))
      const taken = answers.filter(({ status }) => status === 200)
      for (const { body } of taken) assert.ok(body.equals(data), 'identical')
      assert.ok(taken.length <= 1, `${taken.length} downloads of one`)
      for (const { status } of answers) assert.ok([200, 410].includes(status), String(status))
      const counted = (await this.ask(about, { headers: this.#headers })).json().download_count
      assert.ok(counted <= 1 && counted >= taken.length, `${counted} counted`)
      this.counts.downloads += taken.length
      this.kept.push({ file, data })
    }
  }

  /** Lets some work until it is over, and reads everything again. */
  async work(count: number, isOver: () => boolean): Promise<void> {
    await Promise.all(Array.from({ length: count }, (_, client) => this.#work(client, isOver)))
    for (const { file, data } of this.kept) {
      const answer = await this.ask(`${file}?as=owner`, { headers: this.#headers })
      assert.ok(answer.body.equals(data), `${file} is identical`)
    }
  }
}
