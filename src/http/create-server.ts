import { createServer, type Server, type ServerOptions } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { Certificate } from './certificate.ts'
import { headerFieldsMax } from './check-request.ts'

const minVersion = 'TLSv1.2'

/** An HTTP server; with a certificate, one for https whose new connections use the latest pair. */
export function createHttpServer(
  options: ServerOptions,
  certificate: Certificate | null,
): Server & { httpAllowHalfOpen?: boolean } {
  const server = certificate ? createSecure(options, certificate) : createServer(options)
  server.maxHeadersCount = headerFieldsMax
  // By default Node ends our side at once; the property is missing in its types.
  return Object.assign(server, { httpAllowHalfOpen: true })
}

function createSecure(options: ServerOptions, certificate: Certificate): Server {
  const { cert, key } = certificate.pair
  const server = createSecureServer({
    ...options,
    // As Node's server for http has it.
    allowHalfOpen: true,
    minVersion,
    cert,
    key,
  })
  certificate.onChange((pair) => {
    server.setSecureContext({ cert: pair.cert, key: pair.key, minVersion })
  })
  return server
}
