// What clients do to a service in a machine. Prints what happened.
//   send <base> <list> <count> <MB>   one share for each file; adds them to the list
//   compare <base> <list>             downloads every file of the list and compares it
//   loop <base> <list>                asks on new connections until SIGTERM
//   speed <base> <MB>                 MB/s of an upload, a download, an archive
import { createHash, randomBytes } from 'node:crypto'
import { appendFileSync, readFileSync } from 'node:fs'
import http from 'node:http'

const chunkBytes = 50e6
const credentials = { email: 'admin@example.org', password: 'correct horse battery' }
const [what, base, ...rest] = process.argv.slice(2)
let token = ''
let isEnding = false
process.once('SIGTERM', () => (isEnding = true))

async function ask(path, options = {}) {
  const headers = new Headers(options.headers)
  if (token) headers.set('authorization', `Bearer ${token}`)
  const response = await fetch(base + path, {
    ...options,
    headers,
    signal: AbortSignal.timeout(120_000),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response
}

async function post(path, body) {
  const headers = { 'content-type': 'application/json' }
  return (await ask(path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}

async function signIn() {
  token = (await post('/api/auth/login', credentials)).token
}

async function sendFile(bytes) {
  const { shareId } = await post('/api/shares/init', { name: 'Sent' })
  const hash = createHash('sha256')
  // Not the same in every chunk, and made faster than by the generator.
  const block = randomBytes(Math.min(bytes, chunkBytes))
  for (let offset = 0, index = 0; offset < bytes; index += 1) {
    const data = block.subarray(0, Math.min(chunkBytes, bytes - offset))
    data.writeUInt32LE(index % 2 ** 32, 0)
    hash.update(data)
    const form = new FormData()
    form.set('chunkIndex', String(index))
    form.set('fileId', 'one')
    form.set('fileName', 'sent.bin')
    form.set('chunk', new Blob([data]), 'sent.bin')
    await ask(`/api/shares/${shareId}/chunk`, { method: 'POST', body: form })
    offset += data.length
  }
  const file = { fileId: 'one', fileName: 'sent.bin', originalName: 'sent.bin', size: bytes }
  await post(`/api/shares/${shareId}/finalize`, { files: [file] })
  return `${shareId} ${bytes} ${hash.digest('hex')}\n`
}

function linesOf(list) {
  return readFileSync(list, 'utf8').trim().split('\n').filter(Boolean)
}

async function hashOf(path) {
  const hash = createHash('sha256')
  const { body } = await ask(path)
  for await (const data of body ?? []) hash.update(data)
  return hash.digest('hex')
}

async function compare(list) {
  let count = 0
  let sum = 0
  for (const line of linesOf(list)) {
    const [shareId, bytes, expected] = line.split(' ')
    const { files } = await (await ask(`/api/public/shares/${shareId}`)).json()
    const found = await hashOf(`/api/shares/${shareId}/files/${files[0].id}`)
    if (found !== expected) throw new Error(`the file of share ${shareId} is different`)
    count += 1
    sum += Number(bytes)
  }
  if (count === 0) throw new Error('nothing to compare')
  console.log(`${count} files, ${Math.round(sum / 1e6)} MB identical`)
}

async function loop(list) {
  const [shareId] = linesOf(list)[0].split(' ')
  const counts = { answered: 0, refused: 0, failed: 0 }
  const one = () =>
    new Promise((resolve) => {
      const options = { agent: false, timeout: 30_000 }
      const request = http.get(`${base}/api/public/shares/${shareId}`, options, (response) => {
        counts[response.statusCode === 200 ? 'answered' : 'failed'] += 1
        response.resume()
        response.on('error', resolve)
        response.on('close', resolve)
      })
      request.on('timeout', () => request.destroy(new Error('timeout')))
      request.on('error', () => {
        counts.refused += 1
        resolve(null)
      })
    })
  const client = async () => {
    while (!isEnding) await one()
  }
  await Promise.all(Array.from({ length: 8 }, client))
  console.log(`${counts.answered} answered, ${counts.refused} refused, ${counts.failed} failed`)
  if (counts.answered === 0 || counts.refused + counts.failed > 0) process.exitCode = 1
}

async function speed(bytes) {
  await signIn()
  const rates = []
  const measure = async (run) => {
    const begin = performance.now()
    const result = await run()
    rates.push(Math.round(bytes / 1e3 / (performance.now() - begin)))
    return result
  }
  const line = String(await measure(() => sendFile(bytes)))
  const [shareId] = line.split(' ')
  const { files } = await (await ask(`/api/public/shares/${shareId}`)).json()
  const drain = async (path) => {
    let length = 0
    for await (const data of (await ask(path)).body ?? []) length += data.length
    if (length < bytes) throw new Error(`${path} has ${length} bytes`)
  }
  await measure(() => drain(`/api/shares/${shareId}/files/${files[0].id}`))
  await measure(() => drain(`/api/shares/${shareId}/download`))
  console.log(rates.join(' '))
}

if (what === 'send') {
  const [list, count, megabytes] = rest
  await signIn()
  for (let index = 0; index < Number(count); index += 1) {
    appendFileSync(list, await sendFile(Number(megabytes) * 1e6))
  }
} else if (what === 'compare') await compare(rest[0])
else if (what === 'loop') await loop(rest[0])
else if (what === 'speed') await speed(Number(rest[0]) * 1e6)
else throw new Error(`unknown: ${what}`)
