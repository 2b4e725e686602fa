import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { Editable } from '../../lib/editable.ts'
import { formatBytes } from '../../lib/format.ts'
import { t, type TextKey } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'

/** The API's limit for a logo: characters of its data: URL, 4 for 3 bytes. */
const logoCharactersMax = 300_000
const logoBytesMax = Math.floor(((logoCharactersMax - 40) / 4) * 3)
const logoTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml']

export const colorPattern = /^#[0-9a-f]{6}$/i

/** Typed, or picked with the browser's colour picker. */
export function ColorField(props: {
  readonly label: string
  readonly hint?: string
  readonly value: Editable<string>
}) {
  const { label, hint, value } = props
  const isColor = colorPattern.test(value.value)
  return (
    <div class="measure">
      <Field
        label={label}
        hint={hint}
        required
        maxLength={7}
        pattern="#[0-9A-Fa-f]{6}"
        problem={isColor ? undefined : t('settings.color_wrong')}
        value={value}
      />
      <input
        type="color"
        aria-label={t('settings.pick')}
        value={isColor ? value.value : '#000000'}
        onInput={(event) => (value.value = event.currentTarget.value)}
      />
    </div>
  )
}

/** Why a logo is refused; empty if it is not. */
function refuse({ type, size }: File): string {
  if (!logoTypes.includes(type)) return t('set.logo.wrong_type')
  if (size <= logoBytesMax) return ''
  return t('set.logo.too_large', { size: formatBytes(size), max: formatBytes(logoBytesMax) })
}

/** An image as a data: URL, because pages may not load external ones. */
export function LogoField(props: {
  /** `logo` or `logoDark`: shown on the matching background. */
  readonly name: string
  readonly label: string
  readonly value: Editable<string>
}) {
  const { name, label, value } = props
  const problem = useSignal('')
  const id = useId()
  const take = (file: File) => {
    problem.value = refuse(file)
    if (problem.value) return
    const reader = new FileReader()
    reader.onload = () => (value.value = reader.result as string)
    reader.readAsDataURL(file)
  }
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      {value.value && <img class={name} src={value.value} alt={label} />}
      <div class="row">
        <label class="button plain">
          {t('set.logo.choose')}
          <input
            class="visually-hidden"
            type="file"
            accept={logoTypes.join()}
            aria-describedby={id}
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? []
              event.currentTarget.value = ''
              if (file) take(file)
            }}
          />
        </label>
        {value.value && (
          <Button
            onClick={() => {
              problem.value = ''
              value.value = ''
            }}
          >
            {t('set.logo.remove')}
          </Button>
        )}
      </div>
      <div id={id}>
        <p class="hint">{t(`set.${name}.hint` as TextKey, { size: formatBytes(logoBytesMax) })}</p>
        <p class="problem-text" role="alert">
          {problem.value}
        </p>
      </div>
    </fieldset>
  )
}
