import { useId, useRef } from 'preact/hooks'
import { copyText } from '../lib/clipboard.ts'
import { t } from '../lib/i18n.ts'
import { useSignal } from '../lib/signals.ts'
import { Button } from './button.tsx'
import * as icons from './icons.ts'

interface CopyFieldProps {
  readonly label: string
  readonly value: string
  /** Name of the button where several are near each other. */
  readonly action?: string
  readonly kind?: 'primary' | 'quiet'
  /** Whether the label is only read out. */
  readonly isPlain?: boolean
}

/** A text to copy. If the browser refuses, it is selected, with a hint about the keys. */
export function CopyField(props: CopyFieldProps) {
  const { label, value, action, kind = 'quiet', isPlain } = props
  const id = useId()
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const said = useSignal('')
  // From its end: what begins a link stays in sight.
  const select = () => field.current?.setSelectionRange(0, value.length, 'backward')
  const copy = async () => {
    const isCopied = await copyText(value)
    said.value = isCopied ? t('common.copied') : t('common.copy_by_hand')
    if (!isCopied) field.current?.focus()
  }
  const shared = { id, ref: field, readOnly: true, value, onFocus: select }
  return (
    <div class="field">
      <label for={id} class={isPlain ? 'visually-hidden' : undefined}>
        {label}
      </label>
      <div class="within">
        {/^https?:/.test(value) ? (
          <input {...shared} title={value} />
        ) : (
          // In several lines where it needs them: secrets may have to be typed elsewhere.
          <textarea {...shared} rows={value.length > 24 ? 2 : 1} />
        )}
        <Button kind={kind} icon={icons.copy} label={action} onClick={copy}>
          {t('common.copy')}
        </Button>
      </div>
      <p class="hint" role="status">
        {said.value}
      </p>
    </div>
  )
}
