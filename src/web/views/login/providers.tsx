import { api } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { readPageData } from '../../lib/page-data.ts'
import { Button } from '../../ui/button.tsx'
import { Problem, useAction } from '../../ui/state.tsx'

interface LoginData {
  readonly passwordSignIn: boolean
  /** Whether people can create an account themselves. */
  readonly signUp: boolean
  readonly providers: readonly { readonly id: string; readonly name: string }[]
}

export const loginData = () => readPageData<LoginData>()

/** A button for each sign-in provider. */
export function ProviderButtons(props: {
  readonly remember: { readonly value: boolean }
  /** A path of this service. */
  readonly next: string
}) {
  const action = useAction()
  const start = async (id: string) => {
    const again = new URLSearchParams(location.search).has('again')
    const body = { remember: props.remember.value, returnTo: props.next, again }
    const { url } = await api<{ url: string }>('POST', `/api/auth/oidc/${id}/start`, { body })
    location.assign(url)
  }
  return (
    <>
      <Problem error={action.error} />
      {loginData().providers.map(({ id, name }) => (
        <Button key={id} isWide busy={action.isBusy} onClick={() => action.run(() => start(id))}>
          {t('login.provider', { name })}
        </Button>
      ))}
    </>
  )
}
