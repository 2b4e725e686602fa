import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { go, holdLeaving } from '../lib/router.ts'
import { Confirm } from './dialog.tsx'

/** While it is there it asks before the view is left: in the app by a dialog, else the browser. */
export function LeaveGuard(props: {
  readonly title: string
  /** What is lost. */
  readonly children: ComponentChildren
  readonly action: string
}) {
  const { title, children, action } = props
  const [wanted, setWanted] = useState<string | null>(null)
  useEffect(() => {
    const stay = (event: BeforeUnloadEvent) => event.preventDefault()
    const ask = (address: string) => {
      if (new URL(address, location.href).pathname !== location.pathname) return setWanted(address)
      // Only to another place of this view: nothing is lost.
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
  if (wanted === null) return null
  const leave = () => {
    // Held no more: this very view goes away with what it holds.
    holdLeaving(() => {})()
    go(wanted)
  }
  return (
    <Confirm title={title} action={action} onConfirm={leave} onClose={() => setWanted(null)}>
      <p>{children}</p>
    </Confirm>
  )
}
