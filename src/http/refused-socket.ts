import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { CodedError } from '../lib/errors.ts'
import { resetSocket } from './request-context.ts'
import type { AnswerHeaders } from './send.ts'

/** Time for a refused client to read the reason. */
const lingerMsMax = 5_000

/** The answer to input that Node could not parse as a request. */
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
 * Answers on a socket outside of any request, in the form of every error, and closes it. Destroys a
 * socket that is in the middle of another answer.
 */
export function refuseSocket(socket: Socket, error: CodedError, answers: AnswerHeaders): void {
  const busy = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage
  if (!socket.writable || busy?.headersSent) {
    // It may have no length: see resetSocket.
    if (busy?.headersSent && !busy.writableFinished) resetSocket(socket)
    else socket.destroy()
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
  // Clients may keep their side open forever.
  const timer = setTimeout(() => socket.destroy(), lingerMsMax)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
}
