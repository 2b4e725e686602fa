// A real SMTP server that stores accepted emails, and parses them like an email program.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Client } from '../helpers/client.ts'
import { stopAtEnd } from '../helpers/suite.ts'

export interface Received {
  /** The name in EHLO. */
  readonly greeting: string
  readonly from: string
  readonly to: readonly string[]
  /** Header fields by lower-case name, unfolded and decoded. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly html: string
  /** Header fields and bytes of pictures and attachments. */
  readonly attachments: readonly { headers: Readonly<Record<string, string>>; bytes: Buffer }[]
}

export interface MailServer {
  readonly port: number
  readonly received: Received[]
  /** Recipients of all accepted emails, in alphabetical order. */
  recipients(): string[]
  stop(): Promise<void>
}

/** A refusal, as a hook of the server's options returns it. */
export function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

export async function startMailServer(
  options: SMTPServerOptions & { readonly port?: number } = {},
): Promise<MailServer> {
  const { port: wantedPort = 0, ...more } = options
  const received: Received[] = []
  const server = new SMTPServer({
    logger: false,
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    ...(more.key ? {} : { disabledCommands: ['STARTTLS'] }),
    onData(stream, session, callback) {
      const parts: Buffer[] = []
      stream.on('data', (data: Buffer) => parts.push(data))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          greeting: session.hostNameAppearsAs,
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          ...parse(Buffer.concat(parts).toString('latin1')),
        })
        callback()
      })
    },
    ...more,
  })
  // Errors of client connections do not concern this server.
  server.on('error', () => {})
  server.listen(wantedPort, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return stopAtEnd({
    port,
    received,
    recipients: () => received.flatMap(({ to }) => to).toSorted(),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  })
}

/** Points the service at a mail server. */
export async function useMailServer(
  admin: Client,
  port: number,
  more: Record<string, unknown> = {},
): Promise<void> {
  const json = {
    smtpHost: '127.0.0.1',
    smtpPort: port,
    smtpSecurity: 'none',
    smtpFrom: 'Transfer <files@transfer.test>',
    // Administrators would be told of emails that fail in tests of others.
    notifyAdministrators: false,
    ...more,
  }
  const answer = await admin.put('/api/config', json)
  if (answer.status !== 200) throw new Error(`settings: ${answer.body.toString()}`)
}

function parse(raw: string): Omit<Received, 'from' | 'to' | 'greeting'> {
  const { headers } = splitPart(raw)
  const parts = leavesOf(raw)
  const contentOf = (type: string) => {
    const part = parts.find((one) => one.headers['content-type']?.startsWith(type))
    return part ? decodeBody(part.body, part.headers['content-transfer-encoding'] ?? '') : ''
  }
  const attachments = parts
    .filter((one) => !one.headers['content-type']?.startsWith('text/'))
    .map((one) => ({ headers: one.headers, bytes: Buffer.from(one.body, 'base64') }))
  return {
    headers,
    text: contentOf('text/plain'),
    html: contentOf('text/html'),
    attachments,
  }
}

/** The parts that hold no others. */
function leavesOf(raw: string): ReturnType<typeof splitPart>[] {
  const part = splitPart(raw)
  const boundary = /boundary="?([^";]+)/.exec(part.headers['content-type'] ?? '')?.[1]
  if (!boundary) return [part]
  return part.body.split(`--${boundary}`).slice(1, -1).flatMap(leavesOf)
}

function splitPart(part: string) {
  const [head = '', ...rest] = part.replace(/^\r\n/, '').split('\r\n\r\n')
  const headers: Record<string, string> = {}
  for (const line of head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const [name = '', value = ''] = line.split(/: ?(.*)/s)
    headers[name.toLowerCase()] = decodeWords(value)
  }
  return { headers, body: rest.join('\r\n\r\n') }
}

/** RFC 2047 encoded words. */
function decodeWords(value: string): string {
  const joined = value.replaceAll(/\?=\s+=\?/g, '?==?')
  return joined.replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_all, kind: string, text: string) =>
    kind.toLowerCase() === 'b'
      ? Buffer.from(text, 'base64').toString()
      : decodeQuoted(text.replaceAll('_', ' ')),
  )
}

function decodeBody(body: string, encoding: string): string {
  const content = body.replace(/\r\n$/, '')
  if (/base64/i.test(encoding)) return Buffer.from(content, 'base64').toString()
  return /quoted-printable/i.test(encoding) ? decodeQuoted(content) : content
}

function decodeQuoted(text: string): string {
  const plain = text.replaceAll('=\r\n', '')
  const bytes = plain.replaceAll(/=([0-9A-F]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString()
}
