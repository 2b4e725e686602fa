import type { Config } from '../config/load.ts'
import { Certificate } from '../http/certificate.ts'
import { CertificateError } from '../http/certificate-files.ts'
import { RedirectListener } from '../http/redirect-listener.ts'
import { systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { hostOf } from '../lib/parse-url.ts'
import { WrongOption } from './command-error.ts'
import { listen, socketPathOf } from './listen.ts'

/**
 * Reads TLS_CERT and TLS_KEY; null without them.
 * @throws WrongOption when they cannot be used
 */
export async function openCertificate(config: Config, log: Log): Promise<Certificate | null> {
  const { tlsCert, tlsKey } = config
  if (tlsCert === null || tlsKey === null) return null
  try {
    const files = { certificate: tlsCert, key: tlsKey }
    const host = hostOf(new URL(config.baseUrl))
    return await Certificate.open(files, { host, clock: systemClock, log })
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error
    throw new WrongOption(`TLS_CERT, TLS_KEY: ${error.message}`, { cause: error })
  }
}

/**
 * Listens on HTTP_PORT, or on the sockets that systemd has opened for it; null without both.
 * @throws CommandError when it cannot listen
 */
export async function openRedirect(
  config: Config,
  log: Log,
  inherited: readonly number[],
): Promise<RedirectListener | null> {
  const { httpPort, baseUrl, acmeDir } = config
  if (httpPort === null && inherited.length === 0) return null
  if (!baseUrl.startsWith('https:')) {
    throw new WrongOption('BASE_URL: must begin with https:// because the http socket redirects.')
  }
  const target = new URL(baseUrl).origin
  const listener = new RedirectListener({ target, acmeDir, clock: systemClock, log })
  // A Unix socket is the service's alone.
  const host = socketPathOf(config.host) === null ? config.host : '127.0.0.1'
  await listen(listener, { host, port: httpPort ?? 0, option: 'HTTP_PORT', inherited })
  return listener
}
