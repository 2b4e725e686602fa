import { useSignal } from '@preact/signals'
import { api, ApiError } from '../lib/api.ts'
import { t } from '../lib/i18n.ts'
import { Button } from './button.tsx'
import { Field } from './field.tsx'
import { Problem, useAction } from './state.tsx'

/** Asks for the password of a link; calls `onUnlocked` once the browser has its cookie. */
export function Unlock(props: { readonly path: string; readonly onUnlocked: () => void }) {
  const password = useSignal('')
  const action = useAction()
  const submit = async () => {
    await api('POST', props.path, { body: { password: password.value }, keepUnauthorized: true })
    props.onUnlocked()
  }
  return (
    <form
      class="stack narrow"
      onSubmit={(event) => {
        event.preventDefault()
        const field = event.currentTarget.querySelector('input')
        void action.run(submit).then(() => field?.select())
      }}
    >
      <Field
        label={t('password')}
        type="password"
        autoComplete="off"
        required
        autoFocus
        maxLength={256}
        value={password}
      />
      <Problem error={action.error} texts={{ wrong_password: sayWrong(action.error) }} />
      <div>
        <Button kind="primary" type="submit" busy={action.isBusy}>
          {t('unlock.action')}
        </Button>
      </div>
    </form>
  )
}

function sayWrong(error: unknown): string {
  const left = error instanceof ApiError ? error.triesLeft : null
  return left === null ? t('unlock.wrong') : `${t('unlock.wrong')} ${t('unlock.left', { n: left })}`
}
