import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { t } from '../lib/i18n.ts'
import { useSignal } from '../lib/signals.ts'
import { Button } from './button.tsx'
import { Problem, useAction } from './state.tsx'

interface DialogProps {
  readonly title: string
  /** In the place of the title, with the same words. */
  readonly shown?: ComponentChildren
  readonly children: ComponentChildren
  /** Called for Esc and the close button. Without it the dialog cannot be dismissed. */
  readonly onClose?: () => void
  /** Beside the title of a dialog that fills the window. */
  readonly bar?: ComponentChildren
}

/** A native modal dialog: the browser keeps the focus inside and restores it afterwards. */
export function Dialog({ title, shown, children, onClose, bar }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement
    ref.current?.showModal()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      class={bar ? 'viewer' : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !onClose) event.preventDefault()
      }}
      // Browsers close it at the second Esc even if `cancel` was prevented.
      onClose={(event) => onClose ?? event.currentTarget.showModal()}
    >
      <div class={bar ? 'bar' : undefined}>
        <h2 id={id}>{shown ?? title}</h2>
        {bar}
      </div>
      {children}
    </dialog>
  )
}

interface ConfirmProps {
  readonly title: string
  /** Names the object and the consequences. */
  readonly children: ComponentChildren
  readonly action: string
  readonly keep?: string
  readonly kind?: 'primary'
  readonly onConfirm: () => Promise<unknown> | void
  readonly onClose: () => void
}

/** Confirms an act on one thing: `ask` opens the dialog, which is shown where `dialog` stands. */
export function useConfirm<T>(describe: (one: T) => Omit<ConfirmProps, 'onClose'>) {
  const asked = useSignal<{ readonly one: T } | null>(null)
  const onClose = () => (asked.value = null)
  return {
    ask: (one: T) => void (asked.value = { one }),
    dialog: asked.value && <Confirm {...describe(asked.value.one)} onClose={onClose} />,
  }
}

/** Asks for confirmation before an irreversible action; stays open and shows a failure. */
export function Confirm(props: ConfirmProps) {
  const { title, children, action, keep, kind, onConfirm, onClose } = props
  const { isBusy, error, run } = useAction()
  const confirm = async () => {
    await onConfirm()
    onClose()
  }
  return (
    <Dialog title={title} onClose={isBusy ? undefined : onClose}>
      <div class="stack">
        {children}
        <Problem error={error} />
        <div class="actions">
          <Button disabled={isBusy} onClick={onClose}>
            {keep ?? t('common.cancel')}
          </Button>
          <Button kind={kind ?? 'danger'} busy={isBusy} onClick={() => run(confirm)}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
