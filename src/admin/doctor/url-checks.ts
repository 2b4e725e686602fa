// The public URL itself: its name, its certificate, and the protocols that it offers.
import { lookup } from 'node:dns/promises'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { createIsProxy, isLoopback } from '../../http/client-ip.ts'
import { dayMs } from '../../lib/clock.ts'
import { hostOf } from '../../lib/base-path.ts'
import { info, notReached, ok, problem, warning, type Finding } from './findings.ts'
import * as mends from './mends.ts'
import type { Scene } from './scene.ts'
import { isDirect } from './way-checks.ts'

const connectMsMax = 5_000
const certificateDaysMin = 14
const addressesShownMax = 8

/** With the addresses that customers of a provider share (RFC 6598). */
const isPrivate = createIsProxy('loopback,private,100.64.0.0/10')

/** What Node says of a certificate, and what to do about it. */
const certificateDoubts: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'The certificate has expired. Renew it, and see why that did not happen.',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet. Compare the clock of this machine.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is signed by itself: browsers show a warning.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The authority of the certificate is not known to browsers.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The authority of the certificate is not known to browsers.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'The certificate comes without its chain. Use the file with the whole chain (fullchain.pem).',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another name than that of BASE_URL.',
}

/** Whether the service itself answers there. */
export async function checkAddress(scene: Scene): Promise<Finding[]> {
  const { reach, deps } = scene
  if (reach.isReached) {
    return ok(`The service answers at ${deps.baseUrl}.`, `${Math.round(reach.reply.endMs)} ms`)
  }
  const { reply, cause } = reach
  if (reply === null) {
    return problem(
      `The service does not answer at ${deps.baseUrl}. Is it running, and does BASE_URL lead to ` +
        'it? If it works elsewhere, this machine cannot reach its own public address.',
      cause,
      { commands: [`curl --verbose --head ${deps.baseUrl}/livez`] },
    )
  }
  const { status, headers } = reply
  const said = `status ${status}, Server: ${String(headers['server'] ?? 'none')}`
  if (status === 502 || status === 504) {
    return problem('The proxy answers, but does not reach the service. Is it running?', said)
  }
  const isService = reply.text.includes('"code":')
  return problem(
    isService
      ? 'A service answers, but not this one, or another check-up is running: ' +
          'try again in a minute, and compare JWT_SECRET and DATA_DIR.'
      : `Something else answers at ${deps.baseUrl}. Let the proxy pass on everything below it.`,
    said,
  )
}

export async function checkDns(scene: Scene): Promise<Finding[]> {
  const host = hostOf(scene.url)
  if (isIP(host) !== 0) {
    return isLoopback(host)
      ? onlyHere(host, scene)
      : warning('BASE_URL has an address instead of a name: no certificate, and it may change.')
  }
  const found = await lookup(host, { all: true }).catch((error: Error) => error)
  if (found instanceof Error) {
    return problem(
      `The name ${host} has no address. Add an A record, and AAAA for IPv6, to its domain.`,
      'code' in found ? String(found.code) : found.message,
    )
  }
  const addresses = found.map(({ address }) => address).slice(0, addressesShownMax)
  const shown = addresses.join(', ')
  if (addresses.every(isLoopback)) return onlyHere(shown, scene)
  if (addresses.every(isPrivate)) {
    return info('Only private addresses: recipients must be in the same network.', shown)
  }
  return ok(`The name ${host} has addresses.`, shown)
}

/** The address with https; an example for one that no certificate is issued for. */
function secureAddress(url: URL, baseUrl: string): string {
  const host = hostOf(url)
  if (isIP(host) === 0 && host !== 'localhost') return baseUrl.replace(/^http:/, 'https:')
  return `https://files.example.org${url.pathname.replace(/\/$/, '')}`
}

function onlyHere(value: string, { url, deps }: Scene): Finding[] {
  const options = [`BASE_URL=${secureAddress(url, deps.baseUrl)}`]
  return warning('BASE_URL leads to this machine: links work only on it.', value, { options })
}

export async function checkHttps(scene: Scene): Promise<Finding[]> {
  const { reach, url, deps } = scene
  if (url.protocol === 'http:') {
    const options = [`BASE_URL=${secureAddress(url, deps.baseUrl)}`]
    const mend = { ...mends.httpsMend(deps.upstream), options }
    return warning('BASE_URL begins with http: passwords and files are readable.', '', mend)
  }
  if (!reach.reply?.certificate) return info('Not checked: nothing answers.')
  const { doubt, validUntil } = reach.reply.certificate
  const findings: Finding[] = []
  const leftMs = validUntil === null ? Infinity : validUntil.getTime() - deps.clock.now()
  const doubts = new Set(doubt === '' ? [] : [doubt])
  // Node names one doubt, and an end that has passed may not be it.
  if (leftMs < 0) doubts.add('CERT_HAS_EXPIRED')
  for (const each of doubts) {
    const text = certificateDoubts[each] ?? 'The certificate is not trusted by browsers.'
    findings.push(...problem(text, each, mends.httpsMend(deps.upstream)))
  }
  const days = Math.floor(leftMs / dayMs)
  if (leftMs >= 0 && days < certificateDaysMin) {
    const text = `The certificate expires in ${days} days. Does its renewal run?`
    findings.push(...warning(text, validUntil?.toISOString().slice(0, 10)))
  }
  if (findings.length === 0) {
    findings.push(...ok('The certificate is trusted.', `${days} days left`))
  }
  if (url.port === '') findings.push(...(await checkRedirect(url)))
  return findings
}

/** Typed addresses begin with http. */
async function checkRedirect(url: URL): Promise<Finding[]> {
  const { Client } = await import('undici')
  const timeouts = { connectTimeout: connectMsMax, headersTimeout: connectMsMax }
  const client = new Client(`http://${url.host}`, timeouts)
  const location = await client.request({ method: 'GET', path: '/', reset: true }).then(
    ({ headers }) => String(headers['location'] ?? ''),
    () => null,
  )
  void client.destroy()
  if (location === null) {
    return info(
      'Port 80 does not answer: addresses typed with http do not work.',
      '',
      mends.redirectMend,
    )
  }
  if (location.startsWith('https:')) return []
  return warning('Port 80 does not redirect to https.', location, mends.redirectMend)
}

export async function checkHsts({ reach, url }: Scene): Promise<Finding[]> {
  if (url.protocol === 'http:') return info('Only with https.')
  if (!reach.isReached) return notReached()
  const value = reach.reply.headers['strict-transport-security']
  if (value !== undefined) return ok('Browsers are told to keep using https.', String(value))
  return warning('The proxy removes Strict-Transport-Security.', 'none', mends.hstsMend)
}

export async function checkHttp2(scene: Scene): Promise<Finding[]> {
  const { url } = scene
  if (url.protocol === 'http:') return info('Only with https.')
  if (isDirect(scene)) return info('No proxy: the service speaks HTTP/1.1.')
  const host = hostOf(url)
  const socket = connectTls({
    host,
    port: portOf(url),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['h2', 'http/1.1'],
    rejectUnauthorized: false,
  })
  const cause = await settle(socket, 'secureConnect')
  const protocol = socket.alpnProtocol
  socket.destroy()
  if (cause !== '') return info('Not checked: nothing answers.', cause)
  if (protocol === 'h2') return ok('HTTP/2 is offered.', 'h2')
  const text = 'HTTP/2 is not offered: pages with many files load more slowly.'
  return info(text, protocol || 'none', mends.http2Mend)
}

export async function checkIpv6(scene: Scene): Promise<Finding[]> {
  const { url } = scene
  const host = hostOf(url)
  const family = isIP(host)
  if (family === 4) return info('BASE_URL has an IPv4 address.')
  const named = family === 6 ? [] : await lookup(host, { all: true, family: 6 }).catch(() => [])
  const [first] = family === 6 ? [{ address: host }] : named
  if (!first) return info('The name has no AAAA record: no IPv6.')
  const socket = connectTcp({ host: first.address, port: portOf(url) })
  const cause = await settle(socket, 'connect')
  socket.destroy()
  if (cause === '') return ok('IPv6 answers.', first.address)
  if (/ENETUNREACH|EADDRNOTAVAIL|EHOSTUNREACH/.test(cause)) {
    return info('Not checked, because this machine has no IPv6.', first.address)
  }
  // Names of the local machine often have ::1, which the service need not listen on.
  if (isLoopback(first.address)) return info('IPv6 does not answer on this machine.', cause)
  return problem(
    'The name has an AAAA record, but IPv6 does not answer. Some clients wait for it.',
    `${first.address}: ${cause}`,
    mends.ipv6Mend,
  )
}

/** Waits for a connection: '' when it is there, otherwise why it is not. */
function settle(socket: Socket, event: string): Promise<string> {
  return new Promise((resolve) => {
    socket.setTimeout(connectMsMax, () => resolve(`no answer within ${connectMsMax / 1000} s`))
    socket.once(event, () => resolve(''))
    socket.on('error', (error) => resolve('code' in error ? String(error.code) : error.message))
  })
}

function portOf(url: URL): number {
  return Number(url.port || (url.protocol === 'https:' ? 443 : 80))
}
