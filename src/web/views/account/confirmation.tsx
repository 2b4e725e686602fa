import type { ComponentChildren } from 'preact'
import { ApiError } from '../../lib/api.ts'
import { editable, type Editable } from '../../lib/editable.ts'
import { t } from '../../lib/i18n.ts'
import { readProof } from '../../lib/session.ts'
import { useSignal } from '../../lib/signals.ts'
import { Field } from '../../ui/field.tsx'

export function PasswordField(props: { readonly hint?: string; readonly value: Editable<string> }) {
  return (
    <Field
      label={t('account.current_password')}
      type="password"
      autoComplete="current-password"
      required
      {...props}
    />
  )
}

export function CodeField(props: {
  readonly autoFocus?: boolean
  readonly value: Editable<string>
}) {
  return (
    <Field
      label={t('session.code')}
      autoComplete="one-time-code"
      maxLength={100}
      required
      {...props}
    />
  )
}

/** Asks for the password, and for a code if the service requires one. */
export function useConfirmation(hint?: string): {
  readonly fields: ComponentChildren
  /** Sends the input. Resolves with false when a code is required first. */
  readonly confirm: (send: (proof: object) => Promise<unknown>) => Promise<boolean>
} {
  const password = useSignal('')
  const code = useSignal<string | null>(null)
  const setCode = (typed: string | null) => (code.value = typed)
  return {
    fields: (
      <>
        <PasswordField {...(hint ? { hint } : {})} value={password} />
        {code.value !== null && <CodeField autoFocus value={editable(code.value, setCode)} />}
      </>
    ),
    async confirm(send) {
      try {
        const proof = code.value ? readProof(code.value) : {}
        await send({ currentPassword: password.value, ...proof })
      } catch (error) {
        if (!(error instanceof ApiError) || error.details['field'] !== 'code') throw error
        setCode('')
        return false
      }
      password.value = ''
      setCode(null)
      return true
    },
  }
}
