import type { ComponentChildren } from 'preact'
import { copyText } from '../lib/clipboard.ts'
import { editable, type Editable } from '../lib/editable.ts'
import { t } from '../lib/i18n.ts'
import { generatePassword } from '../lib/password.ts'
import { Button } from './button.tsx'
import { Field, Switch } from './field.tsx'
import { toast } from './toast.tsx'

/** The password of a new link, which begins as a suggestion; null while there is none. */
export function PasswordSwitch(props: {
  readonly value: Editable<string | null>
  readonly hint: ComponentChildren
}) {
  const { value, hint } = props
  const password = value.value
  const generate = () => (value.value = generatePassword())
  const copy = async () => {
    toast(t((await copyText(password ?? '')) ? 'common.copied' : 'common.copy_by_hand'))
  }
  return (
    <>
      <Switch
        label={t('common.password')}
        checked={editable(password !== null, (isOn) => (isOn ? generate() : (value.value = null)))}
      />
      {password !== null && (
        <div class="shown">
          <Field
            label={t('common.password')}
            autoComplete="off"
            required
            maxLength={256}
            hint={hint}
            value={editable(password, (typed) => (value.value = typed))}
            tools={
              <span class="row-tight">
                <Button kind="quiet" onClick={generate}>
                  {t('send.new_password')}
                </Button>
                <Button kind="quiet" onClick={copy}>
                  {t('common.copy')}
                </Button>
              </span>
            }
          />
        </div>
      )}
    </>
  )
}
