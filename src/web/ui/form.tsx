import type { ComponentChildren } from 'preact'
import { t } from '../lib/i18n.ts'
import { useSignal } from '../lib/signals.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Problem, useAction } from './state.tsx'

interface FormProps {
  readonly children: ComponentChildren
  readonly action: string
  /** Resolves with false when it is not done yet. */
  readonly onSubmit: () => Promise<unknown>
  readonly kind?: 'primary' | 'danger' | 'plain'
  readonly disabled?: boolean
  /** Special texts for errors, by code. */
  readonly texts?: Readonly<Record<string, string>>
  /** Shown after a success. */
  readonly done?: string
  /** Before the button. */
  readonly more?: ComponentChildren
  /** Below the button: alternatives. */
  readonly after?: ComponentChildren
  readonly class?: string
}

/** Fields with a single button: Enter submits, errors stay above the button. */
export function Form(props: FormProps) {
  const { kind = 'primary' } = props
  const action = useAction()
  const isDone = useSignal(false)
  const submit = async () => {
    isDone.value = false
    isDone.value = (await props.onSubmit()) !== false
  }
  return (
    <form class={props.class ?? 'stack'} onSubmit={action.onSubmit(submit)}>
      {props.children}
      <Problem error={action.error} texts={props.texts} />
      <div class="actions">
        <span class="hint" role="status">
          {isDone.value && props.done}
        </span>
        {props.more}
        <Button kind={kind} type="submit" busy={action.isBusy} disabled={props.disabled}>
          {props.action}
        </Button>
      </div>
      {props.after}
    </form>
  )
}

/** A form in a dialog, which its second button leaves. */
export function FormDialog(
  props: FormProps & { readonly title: string; readonly onClose: () => void },
) {
  const { title, onClose, ...form } = props
  return (
    <Dialog title={title} onClose={onClose}>
      <Form {...form} more={<Button onClick={onClose}>{t('common.cancel')}</Button>} />
    </Dialog>
  )
}
