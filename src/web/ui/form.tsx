import type { ComponentChildren } from 'preact'
import { Button } from './button.tsx'
import { Problem, useAction } from './state.tsx'

interface FormProps {
  readonly children: ComponentChildren
  /** What the button says that submits it. */
  readonly action: string
  readonly onSubmit: () => Promise<unknown>
  readonly kind?: 'primary' | 'danger'
  /** Own words for what may go wrong, by the code of the error. */
  readonly texts?: Readonly<Record<string, string>>
  /** Said once it has worked. */
  readonly done?: string | undefined
  /** Before the button. */
  readonly more?: ComponentChildren
  /** Below the button: other ways to go. */
  readonly after?: ComponentChildren
  readonly class?: string
}

/** Fields and the one button for them: Enter submits, what went wrong stays above the button. */
export function Form(props: FormProps) {
  const { kind = 'primary', done } = props
  const action = useAction()
  return (
    <form class={props.class ?? 'stack'} onSubmit={action.onSubmit(props.onSubmit)}>
      {props.children}
      {action.error !== null && <Problem error={action.error} texts={props.texts} />}
      <div class="actions">
        <span class="hint" role="status">
          {!action.isBusy && done}
        </span>
        {props.more}
        <Button kind={kind} type="submit" busy={action.isBusy}>
          {props.action}
        </Button>
      </div>
      {props.after}
    </form>
  )
}
