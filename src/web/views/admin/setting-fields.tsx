import * as icons from '../../ui/icons.ts'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { editable, type Editable } from '../../lib/editable.ts'
import { hasText, t, type TextKey } from '../../lib/i18n.ts'
import { languageName } from '../../lib/languages.ts'
import { expiryUnits, type ExpiryUnit } from '../../lib/limits.ts'
import { query } from '../../lib/router.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { Check, Field, optionsOf, Select } from '../../ui/field.tsx'
import { ColorField, ImageField } from './branding-fields.tsx'
import { isSame, keysOf, type Setting, type Values } from './setting-table.ts'
import { readKinds } from '../../lib/kinds.ts'
import { Icon } from '../../ui/icon.tsx'

interface SettingProps {
  readonly setting: Setting
  readonly values: Values
  readonly defaults: Values
  /** Whether the service refused its value. */
  readonly isRefused: boolean
  readonly onChange: (changes: Values) => void
}

export const nameOf = ({ key }: Setting) => t(`set.${key}` as TextKey)

/** Empty if the name is enough. */
export function hintOf({ key }: Setting): string {
  const text = `set.${key}.hint`
  return hasText(text) ? t(text) : ''
}

/** A setting; if it differs from its default, with a mark and a reset button. */
export function SettingField(props: SettingProps) {
  const { setting, values, defaults, onChange } = props
  const keys = keysOf(setting)
  const isChanged = keys.some((key) => !isSame(values[key], defaults[key]))
  const label = nameOf(setting)
  // Resetting also discards unfinished input.
  const round = useSignal(0)
  const box = useRef<HTMLDivElement>(null)
  const isWanted = query('setting') === setting.key
  useEffect(() => {
    if (isWanted) box.current?.querySelector<HTMLElement>('input, textarea, select')?.focus()
  }, [isWanted])
  return (
    <div ref={box} class="setting" data-refused={props.isRefused ? '' : undefined}>
      <Input key={round.value} {...props} label={label} />
      {isChanged && (
        <Button
          kind="quiet"
          label={t('settings.reset_one', { label })}
          onClick={() => {
            round.value += 1
            onChange(Object.fromEntries(keys.map((key) => [key, defaults[key]])))
          }}
        >
          {t('settings.reset')}
        </Button>
      )}
    </div>
  )
}

function Input({ setting, values, onChange, label }: SettingProps & { readonly label: string }) {
  const { key } = setting
  const value = values[key]
  const hint = hintOf(setting)
  const bind = <T,>(shown: T) => editable(shown, (to) => onChange({ [key]: to }))
  const shared = { label, hint }
  switch (setting.kind) {
    case 'check':
      return <Check {...shared} checked={bind(value === true)} />
    case 'number':
      return <NumberInput {...shared} {...setting} value={bind(Number(value))} />
    case 'bytes':
      return <BytesInput {...shared} value={bind(Number(value))} />
    case 'span':
      return <SpanInput {...shared} name={key} values={values} onChange={onChange} />
    case 'types':
      return <TypesField label={label} value={bind(value as readonly string[])} />
    case 'list':
      return <ListInput {...shared} value={bind(value as readonly string[])} />
    case 'choice': {
      const say = (option: string) =>
        key === 'language' ? languageName(option) : t(`set.${key}.${option}` as TextKey)
      const options = optionsOf(setting.options, say)
      return <Select {...shared} value={bind(String(value))} options={options} />
    }
    case 'color':
      return <ColorField {...shared} name={key} value={bind(String(value))} />
    case 'image':
      return <ImageField name={key} label={label} value={bind(String(value))} />
    default:
      return (
        <Field
          {...shared}
          {...(setting.kind === 'lines' ? { lines: 4 } : { type: setting.kind })}
          {...(setting.kind === 'password' && { autoComplete: 'new-password' })}
          maxLength={setting.max}
          value={bind(String(value))}
        />
      )
  }
}

interface InputProps<T> {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly value: Editable<T>
}

/** A whole number; with a minimum of 0 an empty field means 0, for no limit. */
function NumberInput(props: InputProps<number> & Extract<Setting, { kind: 'number' }>) {
  const { label, hint, value, min, least = min, max, scale = 1 } = props
  const shown = value.value === 0 && min === 0 ? '' : String(value.value / scale)
  const read = (typed: string) => Math.round(Number(typed) * scale)
  return (
    <Field
      label={label}
      hint={hint}
      type="number"
      min={least}
      max={max}
      step={scale === 1 ? 1 : 'any'}
      required={min > 0}
      value={useTyped(shown, read, value)}
    />
  )
}

/** Words with commas or spaces between. */
export const readWords = (typed: string): string[] => typed.split(/[\s,]+/).filter(Boolean)

function ListInput({ value, ...shared }: InputProps<readonly string[]>) {
  return <Field {...shared} value={useTyped(value.value.join(', '), readWords, value)} />
}

const byteUnits = { MB: 1e6, GB: 1e9, TB: 1e12 } as const
type ByteUnit = keyof typeof byteUnits

function unitOf(bytes: number): ByteUnit {
  const fits = (name: ByteUnit) => bytes >= byteUnits[name] && (bytes / byteUnits[name]) % 1 === 0
  return bytes === 0 ? 'GB' : ((['TB', 'GB'] as const).find(fits) ?? 'MB')
}

/** Bytes in the unit with the shortest number; empty means 0, for no limit. */
export function BytesInput({ label, hint, value }: InputProps<number>) {
  const bytes = value.value
  const unit = useSignal(unitOf(bytes))
  const scale = byteUnits[unit.value]
  const shown = bytes === 0 ? '' : String(bytes / scale)
  const read = (typed: string) => Math.round(Number(typed) * byteUnits[unit.value])
  const typed = useTyped(shown, read, value)
  return (
    <Pair
      {...{ label, hint }}
      step="any"
      placeholder={t('settings.unlimited')}
      value={typed}
      unit={editable(unit.value, (name) => {
        unit.value = name
        value.value = read(typed.value)
      })}
      units={optionsOf(Object.keys(byteUnits) as ByteUnit[], (name) => name)}
    />
  )
}

/** A duration: a number and its unit, which are two settings of the API. */
function SpanInput(props: {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly name: string
  readonly values: Values
  readonly onChange: (changes: Values) => void
}) {
  const { label, hint, name, values, onChange } = props
  const value = Number(values[`${name}Val`])
  return (
    <Pair
      {...{ label, hint }}
      max={10_000}
      step={1}
      value={editable(value === 0 ? '' : String(value), (typed) =>
        onChange({ [`${name}Val`]: Number(typed) }),
      )}
      unit={editable(values[`${name}Unit`] as ExpiryUnit, (unit) =>
        onChange({ [`${name}Unit`]: unit }),
      )}
      units={optionsOf(expiryUnits, (unit) => t(`settings.unit.${unit}`))}
    />
  )
}

/** A number and its unit under one label; their own labels are only read out. */
function Pair<Unit extends string>(
  props: Parameters<typeof Field>[0] & {
    readonly unit: Editable<Unit>
    readonly units: Parameters<typeof Select<Unit>>[0]['options']
  },
) {
  const { label, hint, unit, units, ...number } = props
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      <div class="measure">
        <Field {...number} label={t('settings.number', { label })} type="number" min={0} />
        <Select label={t('settings.unit', { label })} value={unit} options={units} />
      </div>
      {hint && <p class="hint">{hint}</p>}
    </fieldset>
  )
}

/** Keeps the input as typed while it means the same value: `1.` on the way to `1.5`. */
function useTyped<T>(shown: string, read: (typed: string) => T, value: Editable<T>) {
  const text = useSignal(shown)
  const isForeign = !isSame(read(text.value), value.value)
  useEffect(() => {
    if (isForeign) text.value = shown
  }, [isForeign, shown])
  return editable(text.value, (typed) => {
    text.value = typed
    value.value = read(typed)
  })
}

/** File extensions as chips; pressing one removes it. */
function TypesField({ label, value }: InputProps<readonly string[]>) {
  const typed = useSignal('')
  const box = useRef<HTMLFieldSetElement>(null)
  const focusField = () => box.current?.querySelector('input')?.focus()
  const add = () => {
    const types = readKinds(typed.value)
    typed.value = ''
    if (types.length > 0) value.value = [...new Set([...value.value, ...types])]
  }
  return (
    <fieldset
      class="field"
      ref={box}
      // Also what is typed, and not added by its button.
      onChange={add}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
        event.preventDefault()
        add()
      }}
    >
      <legend>{label}</legend>
      {value.value.length === 0 && <p class="faint">{t('set.blocked.none')}</p>}
      <ul class="chips">
        {value.value.map((type) => (
          <li key={type}>
            <button
              type="button"
              class="chip"
              aria-label={`${t('common.remove')}: ${type}`}
              onClick={() => {
                value.value = value.value.filter((other) => other !== type)
                focusField()
              }}
            >
              {type} <Icon path={icons.close} />
            </button>
          </li>
        ))}
      </ul>
      <div class="measure">
        <Field
          label={t('settings.add_type')}
          hint={t('set.blocked.hint')}
          maxLength={400}
          value={typed}
        />
        <Button
          label={`${t('common.add')}: ${label}`}
          onClick={() => {
            add()
            focusField()
          }}
        >
          {t('common.add')}
        </Button>
      </div>
    </fieldset>
  )
}
