import type { SMTPTransportOptions } from 'nodemailer'
import type { Content } from './templates.ts'

/** The mail server that takes our mail. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** `tls`: from the first byte; `starttls`: required; `none`: nothing is encrypted. */
  readonly security: 'tls' | 'starttls' | 'none'
  /** '' for no login. */
  readonly user: string
  readonly password: string
  /** An address, or a name and <address>. */
  readonly from: string
}

/** How long each step may take; all in milliseconds. */
export interface SmtpPatience {
  readonly connectMs: number
  readonly answerMs: number
  /** All of it. */
  readonly totalMs: number
}

export interface Message {
  /** Stays the same when an email is sent again, so that the receiver may notice. */
  readonly id: string
  readonly to: string
  readonly date: Date
  readonly content: Content
}

/** What went wrong, as an administrator needs to read it. */
export interface SmtpFailure {
  readonly message: string
  /** It is this mail that was refused; otherwise every other one would meet the same. */
  readonly isAboutEmail: boolean
  /** The server said that it will never take this mail (RFC 5321 section 4.2.1, 5yz). */
  readonly isFinal: boolean
}

const failureCharactersMax = 500

/**
 * Gives an email to the server; resolves with its answer once it has taken it (250 after DATA).
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
  const { subject, text, html, replyTo } = message.content
  const attempt = new AbortController()
  const cut = () => attempt.abort()
  const timer = setTimeout(cut, patience.totalMs)
  signal.addEventListener('abort', cut, { once: true })
  if (signal.aborted) cut()
  const sending = transport.sendMail({
    from: server.from,
    to: { name: '', address: message.to },
    ...(replyTo ? { replyTo: { name: replyTo.name, address: replyTo.address } } : {}),
    subject,
    text,
    html,
    date: message.date,
    messageId: `<${message.id}@${domainOf(server.from)}>`,
    // RFC 3834: no vacation notes in return.
    headers: { 'Auto-Submitted': 'auto-generated' },
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

function transportOptions(server: SmtpServer, patience: SmtpPatience): SMTPTransportOptions {
  const { host, port, security, user, password } = server
  return {
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    connectionTimeout: patience.connectMs,
    dnsTimeout: patience.connectMs,
    greetingTimeout: patience.answerMs,
    socketTimeout: patience.answerMs,
    // Only for a server that never closes; nobody waits for it.
    socketCloseTimeout: 1000,
    ...(user === '' ? {} : { auth: { user, pass: password }, forceAuth: true }),
  }
}

function domainOf(from: string): string {
  return /@([A-Za-z0-9.-]+)>?$/.exec(from)?.[1] ?? 'localhost'
}

/** Reads an error of nodemailer. */
export function describeFailure(error: unknown): SmtpFailure {
  const { message, code, command, permanent } = error as {
    message?: string
    code?: string
    command?: string
    permanent?: boolean
  }
  // A refused login or sender is for the administrator to mend: the mail itself may be fine.
  const isAboutEmail = command === 'RCPT TO' || (command === 'DATA' && code === 'EMESSAGE')
  const isFinal = permanent === true && isAboutEmail
  const text = String(message ?? error).replaceAll(/\p{Cc}+/gu, ' ')
  return { message: text.slice(0, failureCharactersMax), isAboutEmail, isFinal }
}
