import { addressOf } from './base-path.ts'
import { browserClock } from './clock.ts'
import { effect, signal } from './signals.ts'

/** An error from the service, or none reached: then `status` is 0 and the code `unreachable`. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  /** The whole answer: may have extra fields beside `error` and `code`; a 500 has `requestId`. */
  readonly details: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds: number | null
  /** Number of remaining attempts; null where they are not counted. */
  readonly triesLeft: number | null

  constructor(
    status: number,
    body: { error?: string; code?: string } & Record<string, unknown>,
    retryAfterSeconds: number | null = null,
    triesLeft: number | null = null,
  ) {
    super(body.error ?? '')
    this.status = status
    this.code = body.code ?? (status === 0 ? 'unreachable' : 'unknown')
    this.details = body
    this.retryAfterSeconds = retryAfterSeconds
    this.triesLeft = triesLeft
  }
}

/** Whether requests get through, as reported by requests; `navigator.onLine` is not reliable. */
export const connection = signal<'ok' | 'lost' | 'back'>('ok')

/** Whether the account must set up a second factor before anything else. */
export const mustEnrol = signal(false)

/**
 * Called when the session has ended, or the password is needed again: shows a dialog, and resolves
 * when it is done. The app's entry sets it; without it the error reaches the caller.
 */
let askAgain: ((error: ApiError) => Promise<void>) | null = null
/** How often that dialog was done. */
let timesDone = 0

export function onPasswordNeeded(ask: (error: ApiError) => Promise<void>): void {
  askAgain = ask
}

export interface ApiOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** A 401 here means a wrong password, not the end of the session. */
  readonly keepUnauthorized?: boolean
  /** A session token, where there is no cookie. */
  readonly token?: string
}

/**
 * Calls the service's API as the signed-in user. Repeats GETs automatically while the connection is
 * lost; other failures must be retried by the user.
 * @throws ApiError
 */
export async function api<T>(method: string, path: string, options: ApiOptions = {}): Promise<T> {
  return (await (await call(method, path, options)).json()) as T
}

/** The same for a page of a list: its `Link` header has the address of the next one. */
export async function apiPage<T>(
  path: string,
  options: ApiOptions = {},
): Promise<{ items: T; next: string | null }> {
  const answer = await call('GET', path, options)
  const next = /<([^>]+)>;\s*rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1] ?? null
  return { items: (await answer.json()) as T, next }
}

/** The same for answers that are not JSON. */
export async function call(method: string, path: string, options: ApiOptions): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const doneBefore = timesDone
    try {
      return await request(method, path, options)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'second_factor_required') mustEnrol.value = true
      if (askAgain && (error.code === 'confirmation_required' || endsLogin(error, options))) {
        // An answer to what was sent before the dialog was done says nothing about now.
        if (doneBefore !== timesDone) continue
        await askAgain(error)
        timesDone += 1
      } else if (method === 'GET' && mayPass(error) && !options.signal?.aborted) {
        noteConnection(false)
        await waitOut(Math.min(15_000, 500 * 2 ** attempt), options.signal)
      } else throw error
    }
  }
}

const gone = ['not_found', 'expired', 'already_complete']

/** For what was to be ended: that it is over already is just as good. */
export function ignoreGone(error: unknown): void {
  if (!(error instanceof ApiError && gone.includes(error.code))) throw error
}

async function request(method: string, path: string, options: ApiOptions): Promise<Response> {
  const { body, signal: abort } = options
  const headers: Record<string, string> = { Accept: 'application/json', ...options.headers }
  const init: RequestInit = { method, headers }
  // Browsers complete what they have kept of a file, with requests that are not for the range.
  if (headers['Range']) init.cache = 'no-store'
  if (abort) init.signal = abort
  if (options.token) headers['Authorization'] = `Bearer ${options.token}`
  if (body !== undefined) {
    headers['Content-Type'] = 'application/json'
    init.body = JSON.stringify(body)
  }
  let answer: Response
  try {
    answer = await fetch(addressOf(path), init)
  } catch (error) {
    if (abort?.aborted) throw error
    noteConnection(false)
    throw new ApiError(0, {})
  }
  if (!unavailable.has(answer.status)) noteConnection(true)
  if (answer.ok) return answer
  // A proxy's error page is not our JSON, so only its status is known.
  const problem = (await answer.json().catch(() => ({}))) as Record<string, unknown>
  const numberIn = (header: string) => {
    const value = answer.headers.get(header)
    return value === null || Number.isNaN(Number(value)) ? null : Number(value)
  }
  if (answer.status === 500) problem['requestId'] = answer.headers.get('X-Request-Id')
  throw new ApiError(
    answer.status,
    problem,
    numberIn('Retry-After') || null,
    numberIn('RateLimit-Remaining'),
  )
}

/** Answers of a proxy, or of a starting service, which only require waiting. */
const unavailable = new Set([502, 503, 504])

const endsLogin = ({ code }: ApiError, options: ApiOptions) =>
  code === 'unauthorized' && !options.keepUnauthorized

const mayPass = ({ status }: ApiError) => status === 0 || unavailable.has(status)

/** For other code with its own requests (the upload). */
export function noteConnection(isOk: boolean): void {
  if (!isOk) connection.value = 'lost'
  else if (connection.value === 'lost') {
    connection.value = 'back'
    browserClock.setTimer(4000, () => {
      if (connection.value === 'back') connection.value = 'ok'
    })
  }
}

/** Ends early when the machine goes online, or another request gets through. */
function waitOut(ms: number, abort?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      cancel()
      forget()
      abort?.removeEventListener('abort', done)
      removeEventListener('online', done)
      resolve()
    }
    const cancel = browserClock.setTimer(ms, done)
    const before = connection.value
    const forget = effect(() => {
      if (before === 'lost' && connection.value === 'back') done()
    })
    abort?.addEventListener('abort', done)
    addEventListener('online', done)
  })
}
