import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { CodedError } from '../lib/errors.ts'
import type { AnswerHeaders } from './send.ts'

/** A refused client has this long to read why. */
const lingerMsMax = 5_000

/** The answer to what Node could not read as a request. */
export function clientFailure(error: NodeJS.ErrnoException): CodedError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new CodedError('headers_too_large')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new CodedError('request_timeout')
    default:
      return new CodedError('bad_request')
  }
}

/**
 * Answers on a socket without a request of its own, in the shape of every error, and closes it. A
 * socket that is in the middle of another answer is destroyed.
 */
export function refuseSocket(socket: Socket, error: CodedError, answers: AnswerHeaders): void {
  const busy = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage
  if (!socket.writable || busy?.headersSent) {
    socket.destroy()
    return
  }
  const body = JSON.stringify(answers.errors.body(error))
  const headers = {
    ...answers.api,
    ...error.headers,
    'Content-Type': answers.errors.contentType,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${error.status} Refused\r\n${lines.join('')}\r\n${body}`)
  // Clients may keep their side open for ever.
  const timer = setTimeout(() => socket.destroy(), lingerMsMax)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
}
