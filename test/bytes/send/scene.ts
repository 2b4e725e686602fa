// Helpers of the download tests: services, and checks that a test has left nothing behind.
import * as assert from 'uvu/assert'
import { Client, type Answer } from '../../helpers/client.ts'
import { startService, type Service } from '../../helpers/service.ts'
import { SlowReader } from '../../helpers/slow-reader.ts'
import { until } from '../../helpers/until.ts'

/** A service that admits any number of downloads, and any address from X-Forwarded-For. */
export function startUnlimited(): Promise<Service> {
  return startService({ env: { RATE_LIMIT_DOWNLOAD: 'off', TRUST_PROXY: '127.0.0.1' } })
}

/** Waits until every transfer has released its permit, its segments and its watchdog. */
export async function assertNothingLeft(service: Service): Promise<void> {
  const { services, storage, listener } = service.app
  const left = () => ({
    transfers: services.downloads.budget.transfers,
    segments: storage.files.openCount,
    contexts: listener.watchdog.size,
  })
  const isNothing = () => Object.values(left()).every((count) => count === 0)
  await until('every transfer has released what it held', isNothing).catch(() => {})
  assert.equal(left(), { transfers: 0, segments: 0, contexts: 0 })
}

export async function fileIds(service: Service, shareId: string): Promise<Record<string, number>> {
  const rows = await service.database.sql<{ id: number; originalName: string }[]>`
    select files.id, files.original_name
    from files
    join shares using (container_id)
    where shares.id = ${shareId}`
  return Object.fromEntries(rows.map((row) => [row.originalName, row.id]))
}

export async function downloadCount(service: Service, shareId: string): Promise<number> {
  const { sql } = service.database
  return sql<{ downloadCount: number }[]>`
    select download_count from shares where id = ${shareId}`.oneValue()
}

export async function untilSettled(service: Service, shareId: string): Promise<void> {
  await until('no transfer of the share runs', async () => {
    const rows = await service.database.sql`
      select id from downloads where share_id = ${shareId} and running > 0`
    return rows.length === 0
  })
}

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
