// How times grow with the number of shares.
import { linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { containerFolder, segmentFile } from '../../src/bytes/segments/files-on-disk.ts'
import { multipart, type Client } from '../../test/helpers/client.ts'
import * as seed from './growth-rows-sql.ts'
import { email, GrowthService, repeat } from './growth-service.ts'
import { Curves, type Growth } from './growth-table.ts'
import { median } from './measure.ts'

const fileBytes = 4096
const expiringShares = 1_000
const sharesPerUser = 100
const memberEmail = 'user1@example.org'
const sharesSent = 15
const steps = ['init', 'chunk', 'finalize', 'deletion'] as const

/** All shares belong to one account, or (`isSpread`) a hundred to each. */
export async function growShares(sizes: readonly number[], isSpread: boolean): Promise<Growth> {
  const curves = new Curves()
  const service = await GrowthService.start()
  try {
    const admin = await service.signIn()
    const first = await admin.share({ 'first.txt': Buffer.alloc(fileBytes, 'a') })
    for (let run = 0; run < sharesSent; run++) await sendShare(service, admin.token)
    let count = 0
    for (const size of sizes) {
      console.log(`${size} shares${isSpread ? ', a hundred to each account' : ' of one account'}`)
      await addShares(service, first, { from: count + 1, to: size, isSpread })
      count = size
      const owner = isSpread ? await service.signIn(memberEmail) : admin
      await askForLists(service, curves, { admin, owner, size })
      await sendShares(service, curves, admin, owner.token)
      if (!isSpread) await cleanUp(service, curves, size)
    }
  } finally {
    await service.stop()
  }
  const what = isSpread ? 'shares, 100 an account' : 'shares'
  return { what, sizes, curves: curves.toArray() }
}

async function addShares(
  service: GrowthService,
  first: string,
  { from, to, isSpread }: { from: number; to: number; isSpread: boolean },
): Promise<void> {
  const { sql } = service.rows
  if (isSpread) {
    const user = (count: number) => Math.ceil(count / sharesPerUser)
    await seed.addUsers(sql, user(from - 1) + 1, user(to))
  }
  const perUser = isSpread ? sharesPerUser : 0
  for await (const page of seed.addShares(sql, first, { from, to, perUser })) {
    placeSegments(service.storageDir, page)
  }
  await service.analyze()
}

/** The files of seeded segments: names of one file, or of a copy where a disk allows no more. */
function placeSegments(storageDir: string, segments: readonly seed.SeededSegment[]): void {
  const copy = path.join(storageDir, '..', `copy-${segments[0]?.segmentId}`)
  writeFileSync(copy, readFileSync(findSegment(storageDir)))
  for (const { containerId, segmentId } of segments) {
    mkdirSync(containerFolder(storageDir, containerId), { recursive: true })
    linkSync(copy, segmentFile(storageDir, containerId, segmentId))
  }
}

function findSegment(storageDir: string): string {
  const found = readdirSync(storageDir, { recursive: true, encoding: 'utf8' })
  return path.join(storageDir, found.find((name) => name.endsWith('.seg')) ?? '')
}

async function askForLists(
  service: GrowthService,
  curves: Curves,
  { admin, owner, size }: { admin: Client; owner: Client; size: number },
): Promise<void> {
  const { sql } = service.rows
  const list = await service.ask('/api/shares', owner.token)
  curves.add('own shares, first byte', list.firstMs)
  curves.add('own shares, all of them', list.wholeMs, list.bytes)
  const cursorAt = async (place: number) => {
    const { id, createdAt } = await seed.findShareAt(sql, place)
    return `cursor=${createdAt.getTime()}.${id}`
  }
  const page = '/api/admin/shares?limit=100'
  const ownerEmail = owner === admin ? email : memberEmail
  const questions: [string, string, string | null][] = [
    [
      'a share, as recipients see it',
      `/api/public/shares/${await seed.findCompleteShare(sql)}`,
      null,
    ],
    ['own disk usage', '/api/account/usage', owner.token],
    ['all shares, first page', page, admin.token],
    ['all shares, a page in the middle', `${page}&${await cursorAt(size >> 1)}`, admin.token],
    ['all shares, last page', `${page}&${await cursorAt(size - 100)}`, admin.token],
    ['all shares of one account, first page', `${page}&owner=${ownerEmail}`, admin.token],
    ['all expired shares, first page', `${page}&state=expired`, admin.token],
    ['all drafts (none)', `${page}&state=draft`, admin.token],
    ['accounts', '/api/users', admin.token],
    ['status of the service', '/api/admin/status', admin.token],
  ]
  for (const [question, target, token] of questions) {
    const { wholeMs, bytes } = await service.ask(target, token)
    curves.add(question, wholeMs, bytes)
  }
}

/** Sends shares with one small file each, without and with a quota, and deletes them. */
async function sendShares(
  service: GrowthService,
  curves: Curves,
  admin: Client,
  token: string | null,
): Promise<void> {
  for (const quota of [0, 1e12]) {
    await admin.call('PUT', '/api/config', { json: { userQuota: quota } })
    const times = new Map<string, number[]>(steps.map((step) => [step, []]))
    for (let run = 0; run < sharesSent; run++) {
      const took = await sendShare(service, token)
      for (const [place, step] of steps.entries()) times.get(step)!.push(took[place]!)
    }
    const suffix = quota === 0 ? '' : ', with a quota'
    for (const step of steps) {
      if (quota === 0 || step === 'chunk') {
        curves.add(`new share: ${step}${suffix}`, median(times.get(step)!))
      }
    }
  }
  await admin.call('PUT', '/api/config', { json: { userQuota: 0 } })
}

/** @returns milliseconds of each step */
async function sendShare(service: GrowthService, token: string | null): Promise<number[]> {
  const fields = { chunkIndex: '0', fileName: 'a', fileId: 'a' }
  const { body, contentType } = multipart(fields, Buffer.alloc(fileBytes, 'b'), false)
  const files = [{ fileId: 'a', fileName: 'a', originalName: 'a.txt', size: fileBytes }]
  const init = await service.time('POST', '/api/shares/init', token, { json: {} })
  const share = `/api/shares/${(JSON.parse(init.text) as { shareId: string }).shareId}`
  const headers = { 'content-type': contentType }
  const chunk = await service.time('POST', `${share}/chunk`, token, { headers, body })
  const finalize = await service.time('POST', `${share}/finalize`, token, { json: { files } })
  const deletion = await service.time('DELETE', share, token)
  return [init, chunk, finalize, deletion].map(({ wholeMs }) => wholeMs)
}

/** Times the command: nothing to do, and then with very many shares to expire. */
async function cleanUp(service: GrowthService, curves: Curves, size: number): Promise<void> {
  const { sql } = service.rows
  const idle = await repeat(async () => {
    return { firstMs: 0, wholeMs: await service.cleanUp(), bytes: 0 }
  })
  curves.add('clean-up without work (a command)', idle.wholeMs)
  const expiring = Math.min(expiringShares, size >> 2)
  await seed.letExpire(sql, expiring)
  const tookMs = await service.cleanUp()
  if ((await seed.countDue(sql)) > 0) throw new Error('the clean-up has left expired shares')
  curves.add('the same with expired shares, for each', (tookMs - idle.wholeMs) / expiring)
}
