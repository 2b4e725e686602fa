// What the proxy does with requests: addresses, headers, bodies, pauses.
import { PassThrough } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { isLoopback } from '../../http/client-ip.ts'
import { formatBytes } from '../../lib/sizes.ts'
import { info, ok, problem, warning, type Finding } from './findings.ts'
import * as mends from './mends.ts'
import { forgedAddress, type Echo } from './probe.ts'
import { probePath, type ReachedScene, type Scene } from './scene.ts'

const bodyPath = `${probePath}/body`
const mib = 1024 * 1024
/** More than the head of a chunk in a multipart body. */
const headBytes = 8 * 1024
/** What clients of the contract send. */
const triedBytesMax = 10 * mib
const triedBytesMin = 64 * 1024
const halfBytes = 32 * 1024
const halfMsMax = 3_000
const pollMs = 200
const pauseSeconds = 1
const longPauseSeconds = 65

/** No proxy is between, because the port of the connection is still our own. */
export function isDirect({ reach }: Scene): boolean {
  return reach.isReached && reach.reply.localPort === reach.echo.peer_port
}

/** Whether the client's address arrives, and only from a trusted proxy. */
export async function checkClientAddress(scene: ReachedScene): Promise<Finding[]> {
  const { reach, deps } = scene
  const { echo } = reach
  if (echo.trusts_everyone) {
    return problem(
      'TRUST_PROXY trusts every address, so clients can claim any address. List only the proxy.',
      deps.trustProxy,
      trustMend(echo.peer),
    )
  }
  if (isDirect(scene)) return judgeDirect(deps.trustProxy, echo)
  return [...judgeHeader(echo), ...judgeTrust(echo, deps.trustProxy)]
}

function judgeDirect(trustProxy: string, { peer }: Echo): Finding[] {
  if (isLoopback(peer)) {
    return info(
      'Asked from this machine, without a proxy. This does not show how other clients arrive.',
      peer,
    )
  }
  return trustProxy === ''
    ? ok('No proxy: clients connect to the service itself.', peer)
    : warning(
        'TRUST_PROXY is set, but BASE_URL leads to the service itself. ' +
          'Let BASE_URL lead to the proxy, or remove TRUST_PROXY.',
        peer,
      )
}

/** The proxy must add the client's address to the header, or replace it. */
function judgeHeader({ forwarded_for: header, peer }: Echo): Finding[] {
  if (header === null) {
    return problem(
      'The proxy sends no X-Forwarded-For, so all clients share its address and its rate limits.',
      peer,
      mends.forwardedForMend,
    )
  }
  if (header.trim() !== forgedAddress) return []
  return problem(
    'The proxy passes on X-Forwarded-For as clients send it, without their real address. ' +
      'They can claim any address.',
    header,
    mends.forwardedForMend,
  )
}

function judgeTrust(echo: Echo, trustProxy: string): Finding[] {
  const { forwarded_for: header, peer, ip, is_trusted: isTrusted } = echo
  if (!isTrusted) {
    return problem(
      `The proxy at ${peer} is not trusted, so all clients share its address and its rate limits.`,
      `TRUST_PROXY=${trustProxy}`,
      trustMend(peer, trustProxy),
    )
  }
  const entries = (header ?? '').split(',').map((entry) => entry.trim())
  const added = entries.slice(entries.indexOf(forgedAddress) + 1)
  if (header === null || header.trim() === forgedAddress || added.length === 0) return []
  // A request from a trusted address may claim another one.
  const [client = ''] = added
  if (ip === client || ip === forgedAddress || !added.includes(ip)) {
    return ok('The address of clients arrives, and a forged one is not believed.', client)
  }
  return problem(
    `Another proxy, ${ip}, is before the trusted one. Clients behind it share its address.`,
    `X-Forwarded-For: ${added.join(', ')}`,
    trustMend(ip, trustProxy),
  )
}

function trustMend(peer: string, trustProxy = ''): mends.Mend {
  const shown = isLoopback(peer) ? 'loopback' : peer
  const listed = trustProxy === '' ? shown : `${trustProxy},${shown}`
  return { options: [`TRUST_PROXY=${listed}`] }
}

/** The service compares it with the origin of pages. */
export async function checkHost({ reach, url }: ReachedScene): Promise<Finding[]> {
  const { host } = reach.echo
  if (host.toLowerCase() === url.host) return ok('The Host header arrives unchanged.', host)
  return problem(
    `The proxy changes the Host header to ${host}. Browsers then get 403 cross_site.`,
    host,
    mends.hostMend,
  )
}

/** Finds the largest body that passes, by halves. */
export async function checkBodySize({ client, deps }: ReachedScene): Promise<Finding[]> {
  const wanted = Math.min(deps.chunkBytesMax(), triedBytesMax) + headBytes
  let refused = { bytes: 0, why: '' }
  for (let bytes = wanted; bytes >= triedBytesMin; bytes = Math.ceil(bytes / 2)) {
    const why = await client.send(bodyPath, bytes).then(
      ({ status }) => (status === 200 ? null : `status ${status}`),
      (error: Error) => error.message,
    )
    if (why === null) {
      const passed = formatBytes(bytes)
      if (bytes === wanted) return ok('Chunks of the usual size pass.', passed)
      const text =
        `Bodies of ${formatBytes(refused.bytes)} do not pass, but chunks have up to ` +
        `${formatBytes(wanted)}. Uploads fail or become slow.`
      return problem(text, `${refused.why}; ${passed} pass`, mends.bodySizeMend)
    }
    refused = { bytes, why }
  }
  return problem('No uploads pass the proxy.', refused.why, mends.bodySizeMend)
}

/** Sends half of a body, and asks whether it has arrived. */
export async function checkRequestBuffering({ client }: ReachedScene): Promise<Finding[]> {
  const half = Buffer.alloc(halfBytes)
  const body = new PassThrough()
  const sent = client.send(bodyPath, 2 * halfBytes, body).then(
    (answer) => `status ${answer.status}`,
    (error: Error) => error.message,
  )
  body.write(half)
  let receivedMs: number | null = null
  for (let waitedMs = 0; waitedMs < halfMsMax && receivedMs === null; waitedMs += pollMs) {
    await delay(pollMs)
    const { status, text } = await client.get(bodyPath)
    if (status !== 200) continue
    const { bytes, first_ms: firstMs } = JSON.parse(text) as { bytes: number; first_ms: number }
    if (bytes > 0 && bytes <= halfBytes) receivedMs = firstMs
  }
  body.end(half)
  const status = await sent
  if (receivedMs !== null) return ok('Data of uploads arrives while it is sent.')
  if (status !== 'status 200') return warning('The body did not arrive.', status)
  return problem(
    'The proxy stores each body before it passes it on. Uploads take longer and need its disk.',
    `nothing within ${halfMsMax / 1000} s`,
    mends.requestBufferingMend,
  )
}

export async function checkResponseBuffering({ client, deps }: ReachedScene): Promise<Finding[]> {
  const { status, firstByteMs, endMs } = await client.get(
    `${probePath}/pause?seconds=${pauseSeconds}`,
  )
  if (status !== 200 || firstByteMs === null) {
    return warning('A slow answer did not arrive.', `status ${status}`)
  }
  const aheadMs = Math.round(endMs - firstByteMs)
  if (aheadMs > (pauseSeconds * 1000) / 2) {
    return ok('Data of downloads arrives while it is sent.')
  }
  return warning(
    'The proxy holds answers back. Downloads may start late and need its disk.',
    `first byte ${aheadMs} ms before the end`,
    mends.responseBufferingMend(deps.upstream),
  )
}

export async function checkTimeouts({ client, isSlow }: ReachedScene): Promise<Finding[]> {
  if (!isSlow) return info(`Run \`transfer doctor --slow\` to check a pause of a minute.`)
  const timeoutMs = (longPauseSeconds + 10) * 1000
  const outcome = await client
    .get(`${probePath}/pause?seconds=${longPauseSeconds}`, { timeoutMs })
    .then(
      ({ status, isWhole }) => (status === 200 && isWhole ? null : `status ${status}, cut off`),
      (error: Error) => error.message,
    )
  if (outcome === null) return ok(`Pauses of ${longPauseSeconds} seconds pass.`)
  return problem(
    `The proxy ends answers that pause for ${longPauseSeconds} seconds. Long work then fails.`,
    outcome,
    mends.timeoutMend,
  )
}
