import { useId } from 'preact/hooks'
import { addressOf } from '../../lib/base-path.ts'
import type { Editable } from '../../lib/editable.ts'
import { formatBytes } from '../../lib/format.ts'
import { t, type TextKey } from '../../lib/i18n.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'

/** The API's limits in bytes: a logo has 300,000 characters as a data: URL, 4 for 3 bytes. */
const logoBytesMax = Math.floor(((300_000 - 40) / 4) * 3)
const pictureBytesMax = 2_000_000

export const colorPattern = /^#[0-9a-f]{6}$/i

/** The address of an image setting's value: a data: URL, or the version of the stored picture. */
export function imageUrl(value: string): string {
  return value === '' || value.startsWith('data:') ? value : addressOf(`/ground-picture?v=${value}`)
}

/** Typed, or picked with the browser's colour picker. */
export function ColorField(props: {
  /** Only the accent must be there. */
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly value: Editable<string>
}) {
  const { label, hint, value } = props
  const isColor = colorPattern.test(value.value)
  const required = props.name === 'accentColor'
  return (
    <div class="measure">
      <Field
        label={label}
        hint={hint}
        required={required}
        maxLength={7}
        pattern="#[0-9A-Fa-f]{6}"
        problem={isColor || (!required && !value.value) ? undefined : t('settings.wrong_color')}
        value={value}
      />
      <input
        type="color"
        aria-label={t('settings.pick', { label })}
        value={isColor ? value.value : '#ffffff'}
        onInput={(event) => (value.value = event.currentTarget.value)}
      />
    </div>
  )
}

/** An image as a data: URL, because pages may not load external ones. */
export function ImageField(props: {
  /** Logos are shown on the matching background. */
  readonly name: string
  readonly label: string
  readonly value: Editable<string>
}) {
  const { name, label, value } = props
  const isPicture = name === 'groundPicture'
  const bytesMax = isPicture ? pictureBytesMax : logoBytesMax
  const kinds = ['jpeg', 'png', 'webp', ...(isPicture ? [] : ['svg+xml'])]
  const types = kinds.map((kind) => `image/${kind}`)
  const problem = useSignal('')
  const id = useId()
  const take = (file: File) => {
    const sizes = { size: formatBytes(file.size), max: formatBytes(bytesMax) }
    problem.value = file.size > bytesMax ? t('set.image.too_large', sizes) : ''
    if (!types.includes(file.type)) problem.value = t('set.image.wrong_type')
    if (problem.value) return
    const reader = new FileReader()
    reader.onload = () => (value.value = reader.result as string)
    reader.readAsDataURL(file)
  }
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      {value.value && <img class={name} src={imageUrl(value.value)} alt={label} />}
      <div class="row">
        <label class="button plain">
          {t('set.image.choose')}
          <input
            class="visually-hidden"
            type="file"
            accept={types.join()}
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
            {t(isPicture ? 'set.groundPicture.remove' : 'set.logo.remove')}
          </Button>
        )}
      </div>
      <div id={id}>
        <p class="hint">{t(`set.${name}.hint` as TextKey, { size: formatBytes(bytesMax) })}</p>
        <p class="problem-text" role="alert">
          {problem.value}
        </p>
      </div>
    </fieldset>
  )
}
