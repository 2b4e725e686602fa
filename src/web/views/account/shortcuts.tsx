import { editable } from '../../lib/editable.ts'
import { t } from '../../lib/i18n.ts'
import { areKeysOn, isListWanted, turnKeys } from '../../lib/keys.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check } from '../../ui/field.tsx'

const list = [
  ['?', 'keys.list'],
  ['← →', 'keys.turn'],
  ['Ctrl+V', 'keys.paste'],
  ['Enter', 'keys.add'],
] as const

/** Lists keyboard shortcuts, with a switch for single-key ones. */
export function Shortcuts() {
  const isOn = useSignal(areKeysOn())
  const turn = (isNowOn: boolean) => {
    turnKeys(isNowOn)
    isOn.value = isNowOn
  }
  const close = () => (isListWanted.value = false)
  return (
    <Dialog title={t('account.shortcuts')} onClose={close}>
      <div class="stack">
        <dl class="keys">
          {list.map(([key, text]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{t(text)}</dd>
            </div>
          ))}
        </dl>
        <Check
          label={t('keys.switch')}
          hint={t('keys.switch_hint')}
          checked={editable(isOn.value, turn)}
        />
        <div class="actions">
          <Button onClick={close}>{t('common.close')}</Button>
        </div>
      </div>
    </Dialog>
  )
}
