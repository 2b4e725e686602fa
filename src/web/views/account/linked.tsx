import { api, ApiError } from '../../lib/api.ts'
import { formatDay } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { query } from '../../lib/router.ts'
import { Button } from '../../ui/button.tsx'
import { useConfirm } from '../../ui/dialog.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Problem, Show, useAction, useGet } from '../../ui/state.tsx'
import { NamedRow } from '../../ui/table.tsx'

interface Identity {
  readonly id: string
  readonly name: string
  readonly issuer: string
  readonly created_at: string
}

interface Linked {
  readonly identities: readonly Identity[]
  readonly providers: readonly { readonly id: string; readonly name: string }[]
}

const path = '/api/account/identities'

export const useLinked = () => useGet<Linked>(path)

/** Identities at sign-in providers that sign in to the account. */
export function LinkedSignIns() {
  const loaded = useLinked()
  const action = useAction()
  const problem = query('problem')
  const link = async (id: string) => {
    const { url } = await api<{ url: string }>('POST', `/api/auth/oidc/${id}/link`)
    location.assign(url)
  }
  const unlinking = useConfirm(({ id, name }: Identity) => ({
    title: t('linked.unlink_title', { name }),
    action: t('linked.unlink'),
    children: <p>{t('linked.unlink_text')}</p>,
    onConfirm: async () => {
      await api('DELETE', `${path}/${id}`)
      const { identities, providers } = loaded.data!
      loaded.set({ providers, identities: identities.filter((one) => one.id !== id) })
    },
  }))
  return (
    <>
      <Heading title={t('account.providers')} />
      <p class="faint">{t('linked.text')}</p>
      {problem && <Problem error={new ApiError(403, { code: problem })} />}
      <Problem error={action.error} />
      <Show loaded={loaded}>
        {({ identities, providers }) => (
          <>
            {providers.map(({ id, name }) => (
              <Button key={id} busy={action.isBusy} onClick={() => action.run(() => link(id))}>
                {t('linked.link', { name })}
              </Button>
            ))}
            {identities.length === 0 && <p class="hint">{t('linked.none')}</p>}
            <ul class="rows">
              {identities.map((identity) => {
                const day = t('passkeys.created', { day: formatDay(identity.created_at) })
                const hint = `${identity.issuer} · ${day}`
                return (
                  <NamedRow key={identity.id} name={identity.name} hint={hint}>
                    <Button kind="quiet" onClick={() => unlinking.ask(identity)}>
                      {t('linked.unlink')}
                    </Button>
                  </NamedRow>
                )
              })}
            </ul>
          </>
        )}
      </Show>
      {unlinking.dialog}
    </>
  )
}
