import { api, ignoreGone } from '../../lib/api.ts'
import { addContact, contacts, contactsPath, loadContacts } from '../../lib/contacts.ts'
import type { Contact } from '../../lib/contacts.ts'
import { part } from '../../lib/editable.ts'
import { language, t } from '../../lib/i18n.ts'
import { inTurn } from '../../lib/in-turn.ts'
import { hasWords } from '../../lib/search.ts'
import type { Recipient } from '../../lib/recipients.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { EmailField, Field, NameField } from '../../ui/field.tsx'
import { focusNeighbour } from '../../lib/focus.ts'
import { FormDialog } from '../../ui/form.tsx'
import { HeadingRow } from '../../ui/heading.tsx'
import * as icons from '../../ui/icons.ts'
import { Empty, Problem, Show, useAction, useLoad } from '../../ui/state.tsx'
import { ChangeableRow } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.tsx'

/** Longer lists get a search field. */
const searchedMin = 20
const conflict = () => ({ conflict: t('contacts.known') })

export function Contacts() {
  const loaded = useLoad(() => loadContacts(), [])
  const edited = useSignal<Partial<Contact> | null>(null)
  const wanted = useSignal('')
  const action = useAction()
  const all = contacts.value ?? []
  const run = (task: () => Promise<void>) => inTurn(() => action.run(task))
  const remove = (contact: Contact) =>
    run(async () => {
      // Pressed twice.
      if (!contacts.value!.includes(contact)) return
      await api('DELETE', `${contactsPath}/${contact.id}`).catch(ignoreGone)
      contacts.value = contacts.value!.filter(({ id }) => id !== contact.id)
      const onUndo = () => void run(() => addContact(contact))
      toast(t('contacts.removed', { name: nameOf(contact) }), { onUndo })
    })
  return (
    <>
      <HeadingRow title={t('account.contacts')}>
        <Button kind="primary" icon={icons.add} onClick={() => (edited.value = {})}>
          {t('contacts.add')}
        </Button>
      </HeadingRow>
      <p class="faint">{t('contacts.text')}</p>
      <Show loaded={loaded}>
        {() => (
          <>
            <Problem error={action.error} texts={conflict()} />
            {all.length > searchedMin && (
              <Field label={t('contacts.search')} type="search" value={wanted} />
            )}
            {all.length === 0 && <Empty icon={icons.mail} text={t('contacts.none')} />}
            <ul class="rows">
              {find(all, wanted.value).map((contact) => (
                <ChangeableRow
                  key={contact.id}
                  name={nameOf(contact)}
                  hint={contact.name && contact.email}
                  onChange={() => (edited.value = contact)}
                  onRemove={({ currentTarget }) => {
                    focusNeighbour(currentTarget as Element)
                    return remove(contact)
                  }}
                />
              ))}
            </ul>
          </>
        )}
      </Show>
      {edited.value && <Edit contact={edited.value} onClose={() => (edited.value = null)} />}
    </>
  )
}

/** The fields of a contact: a new one, which has no id, or a known one. */
function Edit(props: { readonly contact: Partial<Contact>; readonly onClose: () => void }) {
  const { contact, onClose } = props
  const { id, email = '', name = '' } = contact
  const person = useSignal<Recipient>({ email, name })
  const save = async () => {
    const body = person.value
    if (id) {
      const changed = await api<Contact>('PATCH', `${contactsPath}/${id}`, { body })
      contacts.value = contacts.value!.map((one) => (one.id === id ? changed : one))
    } else {
      await addContact(body)
      toast(t('contacts.added', { name: nameOf(body) }))
    }
    onClose()
  }
  return (
    <FormDialog
      title={id ? t('contacts.change_title', { name: name || email }) : t('contacts.add')}
      action={t(id ? 'common.save' : 'contacts.add')}
      onSubmit={save}
      texts={conflict()}
      onClose={onClose}
    >
      <EmailField autoComplete="off" value={part(person, 'email')} />
      <NameField
        autoComplete="off"
        required={false}
        hint={t('contacts.name_hint')}
        value={part(person, 'name')}
      />
    </FormDialog>
  )
}

const nameOf = ({ name, email }: Recipient) => name || email

function find(all: readonly Contact[], wanted: string): Contact[] {
  const compare = new Intl.Collator(language).compare
  return all
    .filter(({ name, email }) => hasWords(`${name} ${email}`, wanted))
    .toSorted((a, b) => compare(nameOf(a), nameOf(b)))
}
