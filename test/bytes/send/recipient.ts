import { Client, type Answer } from '../../helpers/client.ts'
import { SlowReader } from '../../helpers/slow-reader.ts'

/** A person with the link: at their own address, with or without a cookie jar. */
export class Recipient {
  readonly address: string
  readonly client: Client
  readonly #keepsCookies: boolean

  constructor(url: string, address: string, keepsCookies = true) {
    this.address = address
    this.client = new Client(url)
    this.#keepsCookies = keepsCookies
  }

  async ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
    const all = { 'x-forwarded-for': this.address, ...headers }
    const answer = await this.client.call(method, path, { headers: all })
    if (!this.#keepsCookies) this.client.cookies.clear()
    return answer
  }

  async begin(path: string, headers: Record<string, string> = {}): Promise<SlowReader> {
    const { cookies } = this.client
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reader = await SlowReader.open(this.client.url + path, {
      'x-forwarded-for': this.address,
      ...(cookie && { cookie }),
      ...headers,
    })
    for (const line of this.#keepsCookies ? (reader.headers['set-cookie'] ?? []) : []) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return reader
  }

  async break(path: string, afterBytes: number): Promise<number> {
    const reader = await this.begin(path)
    await reader.read(afterBytes)
    reader.abort()
    return reader.status
  }
}
