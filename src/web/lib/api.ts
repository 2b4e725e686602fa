import { browserClock } from './clock.ts'
import { Store } from './store.ts'

/** An answer that is an error, or none at all: then `status` is 0 and the code `unreachable`. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  /** The answer as it came: extra fields beside `error` and `code`. */
  readonly details: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds: number | null
  /** How often something may still be tried; null where it is not counted. */
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

/** Whether requests get through. Requests tell it; `navigator.onLine` alone knows too little. */
export const connection = new Store<'ok' | 'lost' | 'back'>('ok')

/** Whether the account has to set up a second factor before anything else is open to it. */
export const mustEnrol = new Store<boolean>(false)

/**
 * Called when the login has ended, or the password is needed again: shows a dialog, and resolves
 * once it was given. The entry of the app sets it; without one the error reaches the caller.
 */
let askAgain: ((error: ApiError) => Promise<void>) | null = null

export function onPasswordNeeded(ask: (error: ApiError) => Promise<void>): void {
  askAgain = ask
}

export interface ApiOptions {
  readonly body?: unknown
  readonly signal?: AbortSignal
  /** A 401 here is an answer (a wrong password), not the end of the login. */
  readonly keepUnauthorized?: boolean
  /** A login's token, where there is no cookie. */
  readonly token?: string
}

/**
 * Calls the service's API as the signed-in person. GETs are tried again by themselves while the
 * connection is lost; anything else is answered with an error that offers to try again.
 * @throws ApiError
 */
export async function api<T>(method: string, path: string, options: ApiOptions = {}): Promise<T> {
  return (await (await call(method, path, options)).json()) as T
}

/** The same for a page of a list: its `Link` header tells where the next one is. */
export async function apiPage<T>(
  path: string,
  options: ApiOptions = {},
): Promise<{ items: T; next: string | null }> {
  const answer = await call('GET', path, options)
  const next = /<([^>]+)>;\s*rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1] ?? null
  return { items: (await answer.json()) as T, next }
}

async function call(method: string, path: string, options: ApiOptions): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await request(method, path, options)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'second_factor_required') mustEnrol.value = true
      if (askAgain && (error.code === 'confirmation_required' || endsLogin(error, options))) {
        await askAgain(error)
      } else if (method === 'GET' && mayPass(error) && !options.signal?.aborted) {
        noteConnection(false)
        await waitOut(Math.min(15_000, 500 * 2 ** attempt), options.signal)
      } else throw error
    }
  }
}

async function request(method: string, path: string, options: ApiOptions): Promise<Response> {
  const { body, signal: abort } = options
  const headers: Record<string, string> = { Accept: 'application/json' }
  const init: RequestInit = { method, headers }
  if (abort) init.signal = abort
  if (options.token) headers['Authorization'] = `Bearer ${options.token}`
  if (body !== undefined) {
    headers['Content-Type'] = 'application/json'
    init.body = JSON.stringify(body)
  }
  let answer: Response
  try {
    answer = await fetch(path, init)
  } catch (error) {
    if (abort?.aborted) throw error
    noteConnection(false)
    throw new ApiError(0, {})
  }
  if (!unavailable.has(answer.status)) noteConnection(true)
  if (answer.ok) return answer
  // A proxy's error page is not our JSON: its status is all that is known.
  const problem = (await answer.json().catch(() => ({}))) as Record<string, unknown>
  const numberIn = (header: string) => {
    const value = answer.headers.get(header)
    return value === null || Number.isNaN(Number(value)) ? null : Number(value)
  }
  throw new ApiError(
    answer.status,
    problem,
    numberIn('Retry-After') || null,
    numberIn('RateLimit-Remaining'),
  )
}

/** What a proxy, or a service that is just starting, answers: to wait is all that can be done. */
const unavailable = new Set([502, 503, 504])

const endsLogin = ({ code }: ApiError, options: ApiOptions) =>
  code === 'unauthorized' && !options.keepUnauthorized

const mayPass = ({ status }: ApiError) => status === 0 || unavailable.has(status)

/** Others that speak to the service (the upload) tell here how it went. */
export function noteConnection(isOk: boolean): void {
  if (!isOk) connection.value = 'lost'
  else if (connection.value === 'lost') {
    connection.value = 'back'
    browserClock.setTimer(4000, () => {
      if (connection.value === 'back') connection.value = 'ok'
    })
  }
}

/** Ends early when a line comes up, or anything else gets through. */
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
    const forget = connection.watch((now) => {
      if (before === 'lost' && now === 'back') done()
    })
    abort?.addEventListener('abort', done)
    addEventListener('online', done)
  })
}
