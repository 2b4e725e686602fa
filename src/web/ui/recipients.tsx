import { useEffect, useId, useRef } from 'preact/hooks'
import { contacts, loadContacts } from '../lib/contacts.ts'
import type { Editable } from '../lib/editable.ts'
import { t } from '../lib/i18n.ts'
import * as written from '../lib/recipients.ts'
import { useSignal } from '../lib/signals.ts'
import { IconButton } from './button.tsx'
import * as icons from './icons.ts'

interface RecipientsProps {
  /** In the service's form, including unfinished text. */
  readonly value: Editable<string>
  readonly required?: boolean
}

interface Entered {
  readonly list: readonly written.Recipient[]
  /** Text that is not a chip yet. */
  readonly typed: string
  readonly value: string
}

interface TypedEvent {
  readonly currentTarget: HTMLInputElement
  /** How the text was entered. */
  readonly inputType?: string
}

/** Chips, unfinished text, and the functions that change them. */
function useEntered(
  { value }: RecipientsProps,
  field: { readonly current: HTMLInputElement | null },
) {
  const said = useSignal('')
  const entered = useSignal<Entered | null>(null)
  // A value that was set elsewhere takes precedence.
  const { list, typed } = entered.value?.value === value.value ? entered.value : enter(value.value)
  const set = (next: readonly written.Recipient[], text: string) => {
    const joined = join(next, text)
    entered.value = { list: next, typed: text, value: joined }
    value.value = joined
    // Like leaving a field: forms that save each change do so now.
    if (next !== list) field.current?.dispatchEvent(new Event('change', { bubbles: true }))
  }
  const add = (text: string) => {
    const fresh = written
      .readRecipients(text)
      .filter((one) => !list.some((known) => written.isSame(one, known)))
    const valid = written.writeRecipients(fresh.filter(written.isAddress))
    said.value = valid && t('recipients.added', { list: valid })
    set([...list, ...fresh], '')
  }
  return {
    list,
    typed,
    said: said.value,
    onInput: ({ currentTarget: { value: text }, inputType }: TypedEvent) => {
      if (isChosen(text, inputType) || isEnded(text)) add(text)
      else set(list, text)
    },
    onRemove: (recipient: written.Recipient) => {
      said.value = t('recipients.removed', { name: recipient.email })
      const left = list.filter((one) => one !== recipient)
      set(left, typed)
    },
    /** Unfinished text becomes a chip with its problem, instead of a bubble of the browser. */
    onInvalid: (event: Event) => {
      if (list.length + typed.length === 0) return
      event.preventDefault()
      if (typed) add(typed)
      field.current?.focus()
    },
    onPaste: (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text') ?? ''
      const found = written.readRecipients(text)
      if (found.length < 2 && !(found[0] && written.isAddress(found[0]))) return
      event.preventDefault()
      add(`${typed} ${text}`)
    },
    onKeyDown: (event: KeyboardEvent) => {
      const last = list.at(-1)
      if (event.key === 'Enter' && !event.isComposing) {
        // Never sends the form, which the chips of a paste would invite.
        event.preventDefault()
        if (typed.trim()) add(typed)
      } else if (event.key === 'Backspace' && !typed && last) {
        event.preventDefault()
        set(list.slice(0, -1), written.writeRecipient(last))
      }
    },
  }
}

/**
 * Recipients of the link by email. Each is a chip, made by Enter, a comma, a semicolon, a space or
 * pasting. Invalid addresses are marked and stay, and forms cannot be sent with them. Leaving
 * the field makes no chip, because a button below would move away from the pointer.
 */
export function Recipients(props: RecipientsProps) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const { list, typed, said, onRemove, ...handlers } = useEntered(props, field)
  const wrong = sayWrong(list)
  useEffect(() => {
    const problem = wrong || sayWrong(written.readRecipients(typed))
    field.current?.setCustomValidity(problem)
  })
  return (
    <div class="field">
      <div class="within">
        <label for={id}>{t('send.recipients')}</label>
        {list.length > 0 && <Chips list={list} field={field} onRemove={onRemove} />}
        <input
          id={id}
          ref={field}
          inputMode="email"
          autoComplete="off"
          list={`${id}-contacts`}
          required={props.required && list.length === 0}
          aria-invalid={wrong ? 'true' : undefined}
          aria-describedby={`${id}-note`}
          value={typed}
          onFocus={() => void loadContacts().catch(() => {})}
          {...handlers}
        />
      </div>
      <datalist id={`${id}-contacts`}>
        {contacts.value
          ?.filter((contact) => !list.some((known) => written.isSame(contact, known)))
          .map((contact) => (
            <option key={contact.id} value={written.writeRecipient(contact)} />
          ))}
      </datalist>
      <p class={wrong ? 'problem-text' : 'visually-hidden'} id={`${id}-note`}>
        {wrong || t('send.recipients_hint')}
      </p>
      <p class="visually-hidden" role="status">
        {said}
      </p>
    </div>
  )
}

function Chips(props: {
  readonly list: readonly written.Recipient[]
  readonly field: { readonly current: HTMLInputElement | null }
  readonly onRemove: (recipient: written.Recipient) => void
}) {
  const { list, field, onRemove } = props
  return (
    <ul class="recipients" aria-label={t('recipients.list')}>
      {list.map((recipient) => (
        <li
          key={recipient.email.toLowerCase()}
          class={written.isAddress(recipient) ? 'recipient' : 'recipient wrong'}
        >
          <bdi>{written.writeRecipient(recipient)}</bdi>
          <IconButton
            icon={icons.close}
            label={t('file.remove', { name: recipient.email })}
            onClick={({ currentTarget }) => {
              const item = (currentTarget as Element).closest('li')
              const near = item?.nextElementSibling ?? item?.previousElementSibling
              const next = near?.querySelector('button') ?? field.current
              onRemove(recipient)
              next?.focus()
            }}
          />
        </li>
      ))}
    </ul>
  )
}

/** Empty when all are valid. */
function sayWrong(list: readonly written.Recipient[]): string {
  const wrong = list.filter((recipient) => !written.isAddress(recipient))
  return wrong.length > 0 ? t('ready.ignored', { list: written.writeRecipients(wrong) }) : ''
}

const enter = (value: string): Entered => ({
  list: written.readRecipients(value),
  typed: '',
  value,
})

const join = (list: readonly written.Recipient[], typed: string) =>
  written.writeRecipients(written.readRecipients(`${written.writeRecipients(list)}, ${typed}`))

/** Whether it was selected among the contacts; typed text may continue. */
function isChosen(text: string, inputType: string | undefined): boolean {
  if (inputType && inputType !== 'insertReplacementText') return false
  return contacts.value?.some((contact) => written.writeRecipient(contact) === text) ?? false
}

/** Whether the text is an address followed by a separator. */
function isEnded(text: string): boolean {
  const isOpen = text.split('"').length % 2 === 0 || text.lastIndexOf('<') > text.lastIndexOf('>')
  return !isOpen && /[^\s,;].*[,;]|@\S*\s/.test(text)
}
