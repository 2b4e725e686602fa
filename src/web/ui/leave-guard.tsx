import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { go, holdLeaving } from '../lib/router.ts'
import { useSignal } from '../lib/signals.ts'
import { Confirm } from './dialog.tsx'

/** Asks before the view is left: in the app with a dialog, otherwise through the browser. */
export function LeaveGuard(props: {
  readonly title: string
  /** What would be lost. */
  readonly children: ComponentChildren
  readonly action: string
}) {
  const { title, children, action } = props
  const wanted = useSignal<string | null>(null)
  useEffect(() => {
    const stay = (event: BeforeUnloadEvent) => event.preventDefault()
    const ask = (address: string) => {
      if (new URL(address, location.href).pathname !== location.pathname) {
        wanted.value = address
        return
      }
      // Navigation within this view loses nothing.
      letGo()
      go(address)
      letGo = holdLeaving(ask)
    }
    let letGo = holdLeaving(ask)
    addEventListener('beforeunload', stay)
    return () => {
      letGo()
      removeEventListener('beforeunload', stay)
    }
  }, [])
  const address = wanted.value
  if (address === null) return null
  const leave = () => {
    // Released, because this view itself is removed.
    holdLeaving(() => {})()
    go(address)
  }
  return (
    <Confirm title={title} action={action} onConfirm={leave} onClose={() => (wanted.value = null)}>
      <p>{children}</p>
    </Confirm>
  )
}
