import { useEffect } from 'preact/hooks'
import { ApiError } from '../../lib/api.ts'
import { addContact, contacts, loadContacts } from '../../lib/contacts.ts'
import { t } from '../../lib/i18n.ts'
import * as written from '../../lib/recipients.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import * as icons from '../../ui/icons.ts'
import { Problem, useAction } from '../../ui/state.tsx'

/** Offers to add recipients of a share to the contacts. */
export function NewContacts({ recipients }: { readonly recipients: string }) {
  const action = useAction()
  const count = useSignal(0)
  useEffect(() => {
    // A failure only means that nothing is offered.
    if (recipients) void loadContacts().catch(() => {})
  }, [recipients])
  const known = contacts.value
  const fresh = known
    ? written.readRecipients(recipients).filter((recipient) => {
        return (
          written.isAddress(recipient) &&
          !known.some((contact) => written.isSame(contact, recipient))
        )
      })
    : []
  const add = async () => {
    for (const recipient of fresh) await keep(recipient)
    count.value = fresh.length
  }
  return (
    <>
      {fresh.length > 0 && (
        <div>
          <Button
            kind="quiet"
            icon={icons.add}
            busy={action.isBusy}
            onClick={() => action.run(add)}
          >
            {t('ready.contacts_add', { n: fresh.length, name: written.writeRecipient(fresh[0]!) })}
          </Button>
        </div>
      )}
      <Problem error={action.error} />
      <p class="hint" role="status">
        {count.value > 0 && fresh.length === 0 && t('ready.contacts_added', { n: count.value })}
      </p>
    </>
  )
}

async function keep(recipient: written.Recipient): Promise<void> {
  try {
    await addContact(recipient)
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'conflict')) throw error
    // Added elsewhere meanwhile.
    await loadContacts(true)
  }
}
