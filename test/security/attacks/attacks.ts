// `npm run attacks`: the attacks of docs/security.md against a running service, and how an honest
// client fares meanwhile. With --against FILE also against another build, side by side.
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { mainFile } from '../../helpers/main-file.ts'
import { RawConnection } from '../../helpers/raw-connection.ts'
import { makeLink } from '../../requests/guest.ts'
import {
  addressIn,
  against,
  askFrom,
  head,
  password,
  post,
  email,
  inWords,
  timed,
  timesOf,
  type Setting,
  type Target,
} from './scene.ts'

interface Attack {
  readonly id: string
  readonly what: string
  /** The measured value. */
  readonly measure: string
  readonly setting?: Setting
  run(target: Target): Promise<string>
}

const mib = 1024 * 1024
const noLimits = {
  RATE_LIMIT_LOGIN: 'off',
  RATE_LIMIT_RESET: 'off',
  RATE_LIMIT_UPLOAD: 'off',
  RATE_LIMIT_DOWNLOAD: 'off',
}
const honest = addressIn(250)
/** After an attack that takes the machine down nothing can be measured. */
const memoryMbMax = 1_500

async function isOk(target: Target, address: string, text: string): Promise<boolean> {
  return (await askFrom(target, address, text)).status === 200
}

const pipelinedDocuments: Attack = {
  id: 'F1',
  what: '50 bursts of 2,000 pipelined requests for the API description, disconnected at once',
  measure: 'memory before and after',
  async run(target) {
    const before = target.memory()
    for (let burst = 1; burst <= 50; burst += 1) {
      const text = head('GET /openapi.json').repeat(2_000)
      const socket = await target.attack(addressIn(burst), text)
      await setTimeout((burst * 37) % 300)
      socket.resetAndDestroy()
      if (target.memory() > memoryMbMax) {
        return `${before} MB, ${target.memory()} MB after ${burst} bursts`
      }
    }
    await setTimeout(1_000)
    return `${before} MB, ${target.memory()} MB`
  },
}

const pipelinedDownloads: Attack = {
  id: 'F2',
  what: '90 pipelined downloads from each of 17 addresses, disconnected at once',
  measure: 'time of an honest download',
  setting: { env: noLimits },
  async run(target) {
    const share = await target.owner.share({ 'a.txt': 'hello' })
    const download = head(`GET /api/shares/${share}/download`)
    for (let address = 0; address < 17; address += 1) {
      const socket = await target.attack(addressIn(address), download.repeat(90))
      await setTimeout(50)
      socket.resetAndDestroy()
    }
    return timesOf(5, () => isOk(target, honest, download))
  },
}

const slowExpressions: Attack = {
  id: 'F3',
  what: '15 kB of tabs in `Accept-Language`, of spaces in `Range`',
  measure: 'time of such a request',
  async run(target) {
    const share = await target.owner.share({ 'a.txt': 'hello' })
    const language = { 'Accept-Language': `a${'\t'.repeat(15_500)}b` }
    const range = { Range: `bytes=0-x${' '.repeat(15_500)}x` }
    const page = await timesOf(5, async () => {
      return isOk(target, honest, head(`GET /s/${share}`, language))
    })
    const download = await timesOf(5, async () => {
      return isOk(target, honest, head(`GET /api/shares/${share}/download`, range))
    })
    return `${page}; ${download}`
  },
}

const halfOpen: Attack = {
  id: 'F4',
  what: '1,100 refused connections that their client keeps open, with 1,024 open files at most',
  measure: 'time of an honest request',
  setting: { descriptors: 1024 },
  async run(target) {
    const broken = 'GET / HTTP/1.1\r\nbroken\r\n\r\n'
    await Promise.all(
      Array.from({ length: 1_100 }, (_, place) =>
        target.attack(addressIn(place % 100, 1 + (place % 7)), broken),
      ),
    )
    await setTimeout(1_000)
    return timesOf(20, () => isOk(target, honest, head('GET /livez')))
  },
}

const tokenOfAdministrator: Attack = {
  id: 'F5',
  what: "an administrator's API token makes another administrator",
  measure: 'answer',
  async run({ owner }) {
    const asked = {
      name: 'attack',
      scopes: ['read', 'send', 'manage', 'administer'],
      expiresAt: null,
      currentPassword: password,
    }
    const made = (await owner.post('/api/tokens', asked)).json()
    const user = {
      email: 'other@example.org',
      name: 'x',
      password: 'some other words',
      is_admin: true,
    }
    const authorization = `Bearer ${made.token}`
    return String((await owner.post('/api/users', user, { authorization })).status)
  },
}

const silentReaders: Attack = {
  id: 'F6a',
  what: '256 silent readers from 16 addresses',
  measure: 'time of an honest download',
  setting: { env: noLimits },
  async run(target) {
    const share = await target.owner.share({ 'large.bin': Buffer.alloc(32 * mib) })
    const small = await target.owner.share({ 'a.txt': 'hello' })
    for (let place = 0; place < 256; place += 1) {
      await target.attack(addressIn(place % 16), head(`GET /api/shares/${share}/download`))
    }
    await setTimeout(4_000)
    return timesOf(20, () => isOk(target, honest, head(`GET /api/shares/${small}/download`)))
  },
}

/** Starts a delivery at a link and returns its token. */
async function beginDelivery(target: Target, link: string, address: string): Promise<string> {
  const answer = await askFrom(target, address, post(`/api/public/reverse/${link}/init`, {}))
  return answer.json().uploadToken
}

function chunkOf(bytes: number): { type: string; before: string; after: string; length: number } {
  const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"`
  const fields = { chunkIndex: '0', fileName: 'a', fileId: 'a' }
  const before =
    Object.entries(fields)
      .map(([name, value]) => `${part(name)}\r\n\r\n${value}\r\n`)
      .join('') + `${part('chunk')}; filename="a"\r\n\r\n`
  const after = '\r\n--b--\r\n'
  const length = before.length + bytes + after.length
  return { type: 'multipart/form-data; boundary=b', before, after, length }
}

const slowUploads: Attack = {
  id: 'F6b',
  what: '128 uploads at 1.1 kB/s through a file request, from 8 addresses',
  measure: "time of an account holder's upload; of an honest guest's",
  setting: { env: noLimits },
  async run(target) {
    const link = await makeLink(target.owner)
    const chunkPath = `/api/public/reverse/${link}/chunk`
    const { type, before, length } = chunkOf(mib)
    const fields = (token: string, bytes: number) => ({
      Authorization: `Bearer ${token}`,
      'Content-Type': type,
      'Content-Length': bytes,
    })
    for (let address = 0; address < 8; address += 1) {
      const token = await beginDelivery(target, link, addressIn(address))
      for (let place = 0; place < 16; place += 1) {
        const text = head(`POST ${chunkPath}`, fields(token, length)) + before
        await target.attack(addressIn(address), text)
      }
    }
    const drip = setInterval(() => {
      for (const socket of target.attackers) if (socket.writable) socket.write('x'.repeat(1_100))
    }, 1_000)
    try {
      await setTimeout(4_000)
      const draft = await target.owner.init()
      const byOwner = await timesOf(20, async (turn) => {
        const sent = await Promise.race([
          target.owner.chunk(draft, 'a', turn, 'hello'),
          setTimeout(40_000, null),
        ])
        return sent?.status === 200
      })
      const small = chunkOf(5)
      const token = await beginDelivery(target, link, honest)
      const byGuest = await timesOf(20, () => {
        const text = head(`POST ${chunkPath}`, fields(token, small.length))
        return isOk(target, honest, `${text}${small.before}hello${small.after}`)
      })
      return `${byOwner}; ${byGuest}`
    } finally {
      clearInterval(drip)
    }
  },
}

const silentFinalizes: Attack = {
  id: 'F6c',
  what: 'four silent finalizes through a file request, from 4 addresses',
  measure: "time of an honest guest's finalize",
  setting: { env: noLimits },
  async run(target) {
    const link = await makeLink(target.owner)
    const path = `/api/public/reverse/${link}/finalize`
    const fields = (token: string) => ({
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Transfer-Encoding': 'chunked',
    })
    for (let address = 0; address < 4; address += 1) {
      const token = await beginDelivery(target, link, addressIn(address))
      const text = `${head(`POST ${path}`, fields(token))}1\r\n{\r\n`
      await target.attack(addressIn(address), text)
    }
    await setTimeout(4_000)
    return timesOf(5, async () => {
      const token = await beginDelivery(target, link, honest)
      const body = JSON.stringify({ files: [] })
      const text = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
      const answer = await askFrom(target, honest, head(`POST ${path}`, fields(token)) + text)
      // An empty delivery is refused once the list has been read.
      return answer.status === 200 || answer.status === 400
    })
  },
}

const sharePasswords: Attack = {
  id: 'F7',
  what: '480 attempts at the password of a share, from 240 networks',
  measure: 'attempts that were checked',
  async run(target) {
    const share = await target.owner.share({ 'a.txt': 'hello' }, { password: 'quite secret words' })
    let checked = 0
    for (let network = 0; network < 240; network += 1) {
      for (let turn = 0; turn < 2; turn += 1) {
        const attempt = post(`/api/shares/${share}/verify`, { password: `${network} ${turn}` })
        if ((await askFrom(target, addressIn(network), attempt)).status === 401) checked += 1
      }
    }
    return String(checked)
  },
}

const limiterTable: Attack = {
  id: 'F8',
  what: '60,150 reset requests from one /48',
  measure: 'of 12 addresses elsewhere, refused',
  setting: { env: { TRUST_PROXY: 'loopback' } },
  async run(target) {
    const from = (address: string) =>
      post(
        '/api/auth/password-reset/request',
        { email: 'x@example.org' },
        { 'X-Forwarded-For': address },
      )
    const flood = async (first: number) => {
      const connection = await RawConnection.open(target.url)
      for (let key = first; key < 20_050; key += 16) {
        const one = from(`2001:db8:7:${key.toString(16)}::1`)
        await connection.send(one.repeat(3))
        for (let turn = 0; turn < 3; turn += 1) await connection.readAnswer()
      }
      connection.destroy()
    }
    await Promise.all(Array.from({ length: 16 }, (_, first) => flood(first)))
    let refused = 0
    for (let place = 0; place < 12; place += 1) {
      const answer = await askFrom(target, '127.0.0.1', from(`198.51.${place}.1`))
      if (answer.status === 429) refused += 1
    }
    return String(refused)
  },
}

const manyHashes: Attack = {
  id: 'F11',
  what: '230 shares with a password begun at once by one account',
  measure: 'time of 9 simultaneous sign-ins from other addresses',
  setting: { env: noLimits },
  async run(target) {
    const begun = Array.from({ length: 230 }, () =>
      target.owner.post('/api/shares/init', { password: 'quite secret words' }).catch(() => null),
    )
    await setTimeout(200)
    const login = post('/api/auth/login', { email, password })
    const logins = await Promise.all(
      Array.from({ length: 9 }, (_, place) => timed(() => isOk(target, addressIn(place), login))),
    )
    await Promise.all(begun)
    return inWords(logins)
  },
}

const largeBodies: Attack = {
  id: 'bodies',
  what: '400 bodies of 1 MB for a sign-in, never finished',
  measure: 'memory before and with them',
  async run(target) {
    const before = target.memory()
    const fields = { 'Content-Type': 'application/json', 'Content-Length': mib }
    const text = head('POST /api/auth/login', fields) + `{"email":"${'x'.repeat(mib - 100)}`
    for (let place = 0; place < 400; place += 1) await target.attack(addressIn(place % 100), text)
    await setTimeout(3_000)
    return `${before} MB, ${target.memory()} MB`
  },
}

const requestFlood: Attack = {
  id: 'queries',
  what: '750 connections from 3 addresses that ask for a link four times at once, without a pause',
  measure: 'time of an honest request for a link',
  async run(target) {
    const share = await target.owner.share({ 'a.txt': 'hello' })
    const ask = head(`GET /api/public/shares/${share}`)
    for (let place = 0; place < 750; place += 1) {
      const socket = await target.attack(addressIn(place % 3), ask.repeat(4))
      socket.on('data', (data) => {
        const answers = data.toString('latin1').split('HTTP/1.1 ').length - 1
        if (answers > 0 && !socket.destroyed) socket.write(ask.repeat(answers))
      })
      socket.resume()
    }
    await setTimeout(2_000)
    return timesOf(10, () => isOk(target, honest, ask))
  },
}

const longList: Attack = {
  id: 'list',
  what: '8 connections that ask for the list of 100,000 files four times each',
  measure: 'time of an honest request for a link; memory before and at most',
  async run(target) {
    const small = await target.owner.share({ 'a.txt': 'hello' })
    const large = await target.owner.init()
    const files = Array.from({ length: 100_000 }, (_, place) => ({
      fileId: `${place}`,
      originalName: `folder/an ordinary name of a picture ${place}.jpg`,
      size: 0,
    }))
    await target.owner.finalize(large, files)
    const before = target.memory()
    for (let place = 0; place < 8; place += 1) {
      const text = head(`GET /api/public/shares/${large}`).repeat(4)
      const socket = await target.attack(addressIn(place), text)
      socket.resume()
    }
    let most = 0
    const ask = head(`GET /api/public/shares/${small}`)
    const times: number[] = []
    for (let turn = 0; turn < 20; turn += 1) {
      times.push(await timed(() => isOk(target, honest, ask)))
      most = Math.max(most, target.memory())
      await setTimeout(100)
    }
    return `${inWords(times)}; ${before} MB, ${most} MB`
  },
}

const attacks: readonly Attack[] = [
  pipelinedDocuments,
  pipelinedDownloads,
  slowExpressions,
  halfOpen,
  tokenOfAdministrator,
  silentReaders,
  slowUploads,
  silentFinalizes,
  sharePasswords,
  limiterTable,
  manyHashes,
  largeBodies,
  requestFlood,
  longList,
]

const { values } = parseArgs({
  options: {
    service: { type: 'string', default: mainFile },
    against: { type: 'string' },
    only: { type: 'string', default: '' },
  },
})
const builds = [values.against, values.service].filter((file) => file !== undefined)
console.log(`| | Attack | Measured | ${values.against ? 'Before | ' : ''}Now |`)
console.log(`| --- | --- | --- | ${builds.map(() => '---').join(' | ')} |`)
for (const attack of attacks) {
  const { id, what, measure, setting = {} } = attack
  if (!id.startsWith(values.only)) continue
  const results: string[] = []
  for (const build of builds) {
    results.push(
      await against(build, setting, (target) => attack.run(target)).catch(
        (error: Error) => `(${error.message})`,
      ),
    )
  }
  console.log(`| ${id} | ${what} | ${measure} | ${results.join(' | ')} |`)
}
