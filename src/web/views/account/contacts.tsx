import { api, ApiError } from '../../lib/api.ts'
import {
  addContact,
  contacts,
  contactsPath,
  loadContacts,
  type Contact,
} from '../../lib/contacts.ts'
import { part, type Editable } from '../../lib/editable.ts'
import { language, t } from '../../lib/i18n.ts'
import { searchable } from '../../lib/search.ts'
import type { Recipient } from '../../lib/recipients.ts'
import { useSignal } from '../../lib/signals.ts'
import { EmailField, Field, NameField } from '../../ui/field.tsx'
import { focusNeighbour } from '../../lib/focus.ts'
import { Form, FormDialog } from '../../ui/form.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Problem, Show, useAction, useLoad } from '../../ui/state.tsx'
import { ChangeableRow } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.tsx'

/** Longer lists get a search field. */
const searchedMin = 20
const conflict = () => ({ conflict: t('contacts.known') })

export function Contacts() {
  const loaded = useLoad(() => loadContacts(), [])
  const changing = useSignal<Contact | null>(null)
  const wanted = useSignal('')
  const action = useAction()
  const all = contacts.value
  const remove = (contact: Contact) =>
    action.run(async () => {
      await api('DELETE', `${contactsPath}/${contact.id}`).catch(ignoreGone)
      contacts.value = contacts.value!.filter(({ id }) => id !== contact.id)
      const onUndo = () => void action.run(() => addContact(contact))
      toast(t('contacts.removed', { name: nameOf(contact) }), { onUndo })
    })
  return (
    <>
      <Heading title={t('account.contacts')} />
      <p class="faint">{t('contacts.text')}</p>
      {!all && <Show loaded={loaded}>{() => null}</Show>}
      {all && (
        <>
          <Add />
          <Problem error={action.error} texts={conflict()} />
          {all.length > searchedMin && (
            <Field label={t('contacts.search')} type="search" value={wanted} />
          )}
          {all.length === 0 && <p class="hint">{t('contacts.none')}</p>}
          <ul class="rows">
            {find(all, wanted.value).map((contact) => (
              <ChangeableRow
                key={contact.id}
                name={nameOf(contact)}
                hint={contact.name && contact.email}
                onChange={() => (changing.value = contact)}
                onRemove={({ currentTarget }) => {
                  focusNeighbour(currentTarget as Element)
                  return remove(contact)
                }}
              />
            ))}
          </ul>
        </>
      )}
      {changing.value && (
        <Change contact={changing.value} onClose={() => (changing.value = null)} />
      )}
    </>
  )
}

function Add() {
  const person = useSignal<Recipient>({ email: '', name: '' })
  const added = useSignal('')
  const add = async () => {
    const contact = person.value
    await addContact(contact)
    added.value = t('contacts.added', { name: nameOf(contact) })
    person.value = { email: '', name: '' }
  }
  return (
    <Form
      class="part"
      action={t('contacts.add')}
      onSubmit={add}
      texts={conflict()}
      done={added.value}
    >
      <Fields person={person} />
    </Form>
  )
}

function Change({ contact, onClose }: { readonly contact: Contact; readonly onClose: () => void }) {
  const { id, email, name } = contact
  const person = useSignal<Recipient>({ email, name })
  const save = async () => {
    const body = person.value
    const changed = await api<Contact>('PATCH', `${contactsPath}/${id}`, { body })
    contacts.value = contacts.value!.map((one) => (one.id === id ? changed : one))
    onClose()
  }
  return (
    <FormDialog
      title={t('contacts.change_title', { name: nameOf(contact) })}
      action={t('save')}
      onSubmit={save}
      texts={conflict()}
      onClose={onClose}
    >
      <Fields person={person} />
    </FormDialog>
  )
}

function Fields({ person }: { readonly person: Editable<Recipient> }) {
  const name = { value: part(person, 'name'), required: false, hint: t('contacts.name_hint') }
  return (
    <>
      <EmailField autoComplete="off" value={part(person, 'email')} />
      <NameField autoComplete="off" {...name} />
    </>
  )
}

const nameOf = ({ name, email }: Recipient) => name || email

/** Contacts that contain the words in name or address, ordered by name. */
function find(all: readonly Contact[], wanted: string): Contact[] {
  const words = searchable(wanted).split(/\s+/)
  const compare = new Intl.Collator(language).compare
  return all
    .filter(({ name, email }) => {
      const text = searchable(`${name} ${email}`)
      return words.every((word) => text.includes(word))
    })
    .toSorted((a, b) => compare(nameOf(a), nameOf(b)))
}

/** Deleted elsewhere meanwhile, which is just as good. */
function ignoreGone(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'not_found')) throw error
}
