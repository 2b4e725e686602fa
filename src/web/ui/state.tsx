import { useEffect, useRef } from 'preact/hooks'
import type { ComponentChildren } from 'preact'
import { api, ApiError } from '../lib/api.ts'
import { browserClock } from '../lib/clock.ts'
import { hasText, sayForeign, t } from '../lib/i18n.ts'
import { useSignal } from '../lib/signals.ts'
import { Button, ButtonLink } from './button.tsx'
import { Heading } from './heading.tsx'
import { Icon } from './icon.tsx'
import type { IconPath } from './icons.ts'
import { formatLeft } from '../lib/format.ts'

export interface Loaded<T> {
  readonly data: T | null
  readonly error: unknown
  /** Loads again; keeps the present data until the answer arrives. */
  readonly reload: () => void
  /** Shows a change at once. */
  readonly set: (data: T) => void
}

/** Loads when the view appears and whenever `keys` change. */
export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[],
): Loaded<T> {
  const state = useSignal<{ data: T | null; error: unknown }>({ data: null, error: null })
  const round = useSignal(0)
  const isLoading = useRef(false)
  useEffect(() => {
    const controller = new AbortController()
    isLoading.current = true
    const settle = (data: T | null, error: unknown) => {
      if (controller.signal.aborted) return
      isLoading.current = false
      state.value = { data, error }
    }
    load(controller.signal).then(
      (data) => settle(data, null),
      (error: unknown) => settle(state.value.data, error),
    )
    return () => controller.abort()
  }, [...keys, round.value])
  const reload = () => (round.value += 1)
  return {
    ...state.value,
    reload,
    set: (data) => {
      state.value = { data, error: null }
      // An earlier request may not include the change.
      if (isLoading.current) reload()
    },
  }
}

/** Loads the answer of an address; again when it changes, or one of `keys`. */
export function useGet<T>(path: string, ...keys: readonly unknown[]): Loaded<T> {
  return useLoad((signal) => api<T>('GET', path, { signal }), [path, ...keys])
}

const pollMs = 3000
const pollMsMax = 600_000

/** Reloads while the data may change: ever less often, and for at most half an hour. */
export function usePoll({ reload }: Pick<Loaded<unknown>, 'reload'>, isWanted: boolean): void {
  useEffect(() => {
    let cancel = () => {}
    const wait = (ms: number) => {
      if (ms > pollMsMax) return
      cancel = browserClock.setTimer(ms, () => {
        reload()
        wait(ms * 1.5)
      })
    }
    if (isWanted) wait(pollMs)
    return () => cancel()
  }, [isWanted])
}

/** Shows the data, or the reason why it is missing or outdated. */
export function Show<T>(props: {
  readonly loaded: Loaded<T>
  readonly children: (data: T) => ComponentChildren
}) {
  const { data, error, reload } = props.loaded
  if (data === null && error === null) return <Loading />
  return (
    <>
      <Problem error={error} onRetry={reload} />
      {data !== null && props.children(data)}
    </>
  )
}

/** Appears only after a moment, to avoid a flash of grey. */
export function Loading() {
  return (
    <div class="loading" role="status">
      <span class="visually-hidden">{t('common.loading')}</span>
    </div>
  )
}

export function Empty(props: {
  readonly text: string
  readonly icon?: IconPath
  readonly children?: ComponentChildren
}) {
  return (
    <div class="empty">
      {props.icon && <Icon path={props.icon} />}
      <p>{props.text}</p>
      {props.children}
    </div>
  )
}

export const isMissing = ({ data, error }: Pick<Loaded<unknown>, 'data' | 'error'>) =>
  data === null && error instanceof ApiError && error.code === 'not_found'

/** In the place of a view of which the address is wrong, or the object deleted. */
export function Missing() {
  return (
    <div class="transfer stack">
      <Heading title={t('missing.title')} />
      <p>{t('missing.text')}</p>
      <ButtonLink href="/" kind="primary wide">
        {t('send.title')}
      </ButtonLink>
    </div>
  )
}

/**
 * Says what happened and what to do; shows nothing for null. Stays in place, and is never just a
 * toast.
 */
export function Problem(props: {
  readonly error: unknown
  readonly onRetry?: () => void
  readonly texts?: Readonly<Record<string, string>>
}) {
  const { error, onRetry, texts } = props
  if (error === null) return null
  const code = error instanceof ApiError ? error.code : 'unknown'
  // Codes help only where our words do not.
  const isForeign = texts?.[code] === undefined && !hasText(`error.${code}`)
  return (
    <div class="problem" role="alert">
      {code !== 'rate_limited' && <p>{texts?.[code] ?? explain(error)}</p>}
      {(code === 'rate_limited' || isLastTry(error)) && (
        <Countdown key={error} seconds={(error as ApiError).retryAfterSeconds ?? 60} />
      )}
      {onRetry && code !== 'not_found' && (
        <Button onClick={onRetry}>{t('common.try_again')}</Button>
      )}
      {isForeign && (
        <p class="code">
          {code} {(error as ApiError).details?.['requestId'] as string}
        </p>
      )}
    </div>
  )
}

export const isLastTry = (error: unknown) => error instanceof ApiError && error.triesLeft === 0

/** An error in the user's language; unforeseen ones as far as possible. */
export function explain(error: unknown): string {
  if (!(error instanceof ApiError)) return t('error.unknown')
  const { status, code, message, details } = error
  for (const key of [`error.${String(details['reason'])}`, `error.${code}`]) {
    if (hasText(key)) return t(key, { message })
  }
  // Errors of the page itself are already in the user's language.
  return (status === 0 && message) || sayForeign(message)
}

const idle = { isBusy: false, error: null }

/** Runs one action at a time: busy meanwhile, keeps the error until the next attempt. */
export function useAction() {
  const state = useSignal<{ isBusy: boolean; error: unknown }>(idle)
  const run = async (action: () => Promise<unknown>): Promise<void> => {
    if (state.value.isBusy) return
    state.value = { isBusy: true, error: null }
    try {
      await action()
      state.value = idle
    } catch (error) {
      state.value = { isBusy: false, error }
    }
  }
  return {
    ...state.value,
    run,
    /** Submit handler of a form that prevents the browser's. */
    onSubmit: (action: () => Promise<unknown>) => (event: Event) => {
      event.preventDefault()
      void run(action)
    },
    clear: () => {
      state.value = idle
    },
  }
}

/** Renders again every second while it is wanted. */
export function useTick(isWanted: boolean): void {
  const tick = useSignal(0)
  useEffect(() => {
    if (isWanted) return browserClock.setTimer(1000, () => (tick.value += 1))
  }, [isWanted, tick.value])
}

/** Time until the next attempt: updated each second, but once a minute for screen readers. */
function Countdown({ seconds }: { readonly seconds: number }) {
  const end = useRef(browserClock.now() + seconds * 1000).current
  const left = Math.ceil((end - browserClock.now()) / 1000)
  useTick(left > 0)
  if (left <= 0) return <p>{t('tries.over')}</p>
  const say = (time: string) => t('tries.wait', { left: time })
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
  return (
    <>
      {/* Elements that are replaced: a translated text cannot change. */}
      <p key={left} aria-hidden="true">
        {say(clock)}
      </p>
      <p class="visually-hidden">{say(formatLeft(Math.ceil(left / 60) * 60))}</p>
    </>
  )
}
