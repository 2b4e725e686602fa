import { useId, useState } from 'preact/hooks'
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
  readonly value: string
  readonly onValue: (value: string) => void
}) {
  const { label, hint, value, onValue } = props
  const isColor = colorPattern.test(value)
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
        onValue={onValue}
      />
      <input
        type="color"
        aria-label={t('settings.pick')}
        value={isColor ? value : '#000000'}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </div>
  )
}

/** An image as a data: URL, because pages may not load external ones. */
export function LogoField(props: {
  /** `logo` or `logoDark`: shown on the matching background. */
  readonly name: string
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
}) {
  const { name, label, value, onValue } = props
  const [problem, setProblem] = useState('')
  const id = useId()
  const take = (file: File) => {
    setProblem('')
    if (!logoTypes.includes(file.type)) return setProblem(t('set.logo.wrong_type'))
    if (file.size > logoBytesMax) {
      const sizes = { size: formatBytes(file.size), max: formatBytes(logoBytesMax) }
      return setProblem(t('set.logo.too_large', sizes))
    }
    const reader = new FileReader()
    reader.onload = () => onValue(reader.result as string)
    reader.readAsDataURL(file)
  }
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      {value && <img class={name} src={value} alt={label} />}
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
        {value && (
          <Button
            onClick={() => {
              setProblem('')
              onValue('')
            }}
          >
            {t('set.logo.remove')}
          </Button>
        )}
      </div>
      <div id={id}>
        <p class="hint">{t(`set.${name}.hint` as TextKey, { size: formatBytes(logoBytesMax) })}</p>
        <p class="problem-text" role="alert">
          {problem}
        </p>
      </div>
    </fieldset>
  )
}
