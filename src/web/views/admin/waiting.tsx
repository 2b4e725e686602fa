import { api } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Name } from '../../ui/name.tsx'
import { Problem, useAction } from '../../ui/state.tsx'
import { Listing, ListRow, noHead } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import type { ManagedUser } from './user.ts'

/** A person who has signed up and waits for approval. */
export interface WaitingPerson extends Pick<ManagedUser, 'id' | 'email' | 'name'> {
  readonly requested_at: string
}

/** People who wait for approval, with both answers; nothing when there are none. */
export function Waiting(props: {
  readonly people: readonly WaitingPerson[]
  /** All of them, including those that are not shown. */
  readonly count: number
  readonly onAnswered: () => void
}) {
  const { people, count, onAnswered } = props
  const action = useAction()
  if (people.length === 0) return null
  const answer = ({ id, name }: WaitingPerson, isApproved: boolean) =>
    action.run(async () => {
      const path = '/api/users'
      const all = await api<readonly WaitingPerson[]>('GET', path)
      // Otherwise another administrator has answered: it may be an account with files by now.
      if (all.some((one) => one.id === id && one.requested_at)) {
        if (isApproved) await api('PUT', `${path}/${id}`, { body: { disabled: false } })
        else await api('DELETE', `${path}/${id}`)
        toast(t(isApproved ? 'users.approved' : 'users.declined', { name }))
      }
      onAnswered()
    })
  return (
    <section class="stack" aria-labelledby="waiting">
      <h2 id="waiting">{t('users.waiting', { n: count })}</h2>
      <Problem error={action.error} />
      <Listing heads={[t('nav.account'), t('activity.when'), noHead]}>
        {people.map((person) => (
          <ListRow
            key={person.id}
            cells={[<Time at={person.requested_at} />]}
            isWide
            actions={
              <>
                <Button
                  label={t('users.approve_one', { name: person.name })}
                  busy={action.isBusy}
                  onClick={() => answer(person, true)}
                >
                  {t('users.approve')}
                </Button>
                <Button
                  kind="quiet"
                  label={t('users.decline_one', { name: person.name })}
                  busy={action.isBusy}
                  onClick={() => answer(person, false)}
                >
                  {t('users.decline')}
                </Button>
              </>
            }
          >
            <bdi>{person.name}</bdi>
            <small class="faint">
              <Name of={person.email} />
            </small>
          </ListRow>
        ))}
      </Listing>
    </section>
  )
}
