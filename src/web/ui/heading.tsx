import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { branding } from '../lib/branding.ts'
import { signal } from '../lib/signals.ts'

/** Prefix of every title: the progress of uploads. */
export const titlePrefix = signal('')

/** Longer ones stand below the picture of a card on phones, instead of beside it. */
export const titleMax = 24

/** Whether it is the first view: its heading does not take the focus. */
let isFirst = true

/**
 * The only `<h1>` of a view. It sets the window title, and after a change of view it takes the
 * focus, so that the new view is read out and the keyboard starts there.
 */
export function Heading(props: { readonly title: string; readonly children?: ComponentChildren }) {
  const ref = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // The view is at its top already.
    if (!isFirst) ref.current?.focus({ preventScroll: true })
    isFirst = false
  }, [])
  const title = `${titlePrefix.value}${props.title} – ${branding.appName}`
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <h1 ref={ref} tabIndex={-1} class={props.title.length > titleMax ? 'long' : undefined}>
      {props.children ?? props.title}
    </h1>
  )
}

/** The heading, and at the end of its line the main action of the view. */
export const HeadingRow = ({ title, children }: Parameters<typeof Heading>[0]) => (
  <div class="row spread">
    <Heading title={title} />
    {children}
  </div>
)

/** The title of what was made, below what was done with it. */
export function Done({ said, title }: { readonly said: string; readonly title: string }) {
  return (
    <>
      <p class="said" role="status">
        {said}
      </p>
      <Heading title={title} />
    </>
  )
}
