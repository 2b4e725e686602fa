import type { SMTPTransportOptions } from 'nodemailer'
import { domainOf, type Sender } from '../lib/email-address.ts'
import { inTime, systemClock } from '../lib/clock.ts'
import { logoContentId, withLogo, type EmbeddedLogo } from './logo.ts'
import type { Content } from './templates.ts'

/** The SMTP server for our emails. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** `tls`: from the first byte; `starttls`: required; `none`: no encryption. */
  readonly security: 'tls' | 'starttls' | 'none'
  /** '' to send without signing in. */
  readonly user: string
  readonly password: string
  readonly from: Sender
  /** Our name for EHLO (RFC 5321 section 4.1.1.1): see `greetingName`. */
  readonly ownName: string
}

/** Time limits of each step in milliseconds. */
export interface SmtpPatience {
  readonly connectMs: number
  readonly answerMs: number
  /** For all steps together. */
  readonly totalMs: number
}

export interface Message {
  /** Unchanged when an email is sent again, so that the receiver may notice. */
  readonly id: string
  readonly to: string
  readonly date: Date
  readonly content: Content
  /** For contents that show it. */
  readonly logo: EmbeddedLogo | null
}

/** A failure in words for administrators. */
export interface SmtpFailure {
  readonly message: string
  /** This email was refused; otherwise all emails fail the same way. */
  readonly isAboutEmail: boolean
  /** The server will never accept this email (RFC 5321 section 4.2.1, 5yz). */
  readonly isFinal: boolean
}

const failureCharactersMax = 500

/**
 * Hands an email to the server; resolves with its answer once it has accepted it (250 after DATA).
 * Certificates are always checked.
 * @throws errors of nodemailer: see `describeFailure`
 */
export async function sendMessage(
  server: SmtpServer,
  message: Message,
  patience: SmtpPatience,
  signal: AbortSignal,
): Promise<string> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(transportOptions(server, patience))
  const { language, subject, text, replyTo } = message.content
  const html = withLogo(message.content.html, message.logo)
  const logo = html.includes(`cid:${logoContentId}`) ? message.logo : null
  const attempt = new AbortController()
  const cut = () => attempt.abort()
  const timer = setTimeout(cut, patience.totalMs)
  signal.addEventListener('abort', cut, { once: true })
  if (signal.aborted) cut()
  const sending = transport.sendMail({
    // Not as a text, in which nodemailer would take signs of the name for a list of addresses.
    from: { name: server.from.name, address: server.from.address },
    to: { name: '', address: message.to },
    ...(replyTo ? { replyTo: { name: replyTo.name, address: replyTo.address } } : {}),
    subject,
    text,
    html,
    // Long lines must not reach servers, and spam filters suspect text in base64.
    textEncoding: 'quoted-printable',
    attachments: logo ? [attachmentOf(logo)] : [],
    date: message.date,
    messageId: `<${message.id}@${domainOf(server.from.address)}>`,
    headers: {
      // RFC 3834: prevents automatic replies.
      'Auto-Submitted': 'auto-generated',
      'Content-Language': language,
    },
    disableFileAccess: true,
    disableUrlAccess: true,
    signal: attempt.signal,
  })
  try {
    return (await sending).response
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', cut)
  }
}

/** For one of many checks that an administrator waits for. */
const greetPatience: SmtpPatience = { connectMs: 5_000, answerMs: 5_000, totalMs: 12_000 }

/**
 * Talks to the server up to the sign-in (EHLO, STARTTLS, AUTH), then leaves. No email is sent.
 * @returns why it refused; null when it did not
 */
export async function greetServer(server: SmtpServer): Promise<string | null> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(transportOptions(server, greetPatience))
  const { totalMs } = greetPatience
  const greeting = transport.verify().then(() => null)
  try {
    return await inTime(systemClock, greeting, `no end within ${totalMs / 1000} s`, totalMs)
  } catch (error) {
    return describeFailure(error).message
  } finally {
    transport.close()
  }
}

/** Shown in place by its Content-ID (RFC 2392), and not listed as a file. */
function attachmentOf({ contentType, data }: EmbeddedLogo) {
  return {
    cid: logoContentId,
    content: Buffer.from(data, 'base64'),
    contentType,
    contentDisposition: 'inline' as const,
    filename: contentType === 'image/png' ? 'logo.png' : 'logo.jpg',
  }
}

function transportOptions(server: SmtpServer, patience: SmtpPatience): SMTPTransportOptions {
  const { host, port, security, user, password, ownName } = server
  return {
    name: ownName,
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    connectionTimeout: patience.connectMs,
    dnsTimeout: patience.connectMs,
    greetingTimeout: patience.answerMs,
    socketTimeout: patience.answerMs,
    // Only for a server that never closes; callers do not wait for it.
    socketCloseTimeout: 1000,
    ...(user === '' ? {} : { auth: { user, pass: password }, forceAuth: true }),
  }
}

/**
 * The name that the service has for mail servers, by its BASE_URL: addresses of machines in the
 * brackets of RFC 5321 section 4.1.3. A name without a dot means nothing elsewhere, and servers may
 * refuse it.
 */
export function greetingName(baseUrl: string): string {
  const { hostname } = new URL(baseUrl)
  if (hostname.startsWith('[')) return `[IPv6:${hostname.slice(1)}`
  // URLs have normalized IPv4 addresses.
  if (/^[0-9.]+$/.test(hostname)) return `[${hostname}]`
  return hostname.includes('.') ? hostname : '[127.0.0.1]'
}

/** Interprets an error of nodemailer. */
export function describeFailure(error: unknown): SmtpFailure {
  const { message, response, code, command, permanent } = error as {
    message?: string
    /** What the server has answered. */
    response?: string
    code?: string
    command?: string
    permanent?: boolean
  }
  // A refused sign-in or sender is for the administrator to fix: the email itself may be fine.
  const isAboutEmail = command === 'RCPT TO' || (command === 'DATA' && code === 'EMESSAGE')
  const isFinal = permanent === true && isAboutEmail
  const words = (isAboutEmail && response) || (message ?? error)
  const text = String(words).replaceAll(/\p{Cc}+/gu, ' ')
  return { message: text.slice(0, failureCharactersMax), isAboutEmail, isFinal }
}
