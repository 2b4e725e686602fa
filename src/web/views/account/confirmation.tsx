import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { ApiError } from '../../lib/api.ts'
import { editable } from '../../lib/editable.ts'
import { t } from '../../lib/i18n.ts'
import { confirmByPasskey, hasPasskeys } from '../../lib/passkey.ts'
import { factors, readProof } from '../../lib/session.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { CodeField, PasswordField } from '../../ui/field.tsx'

export function CurrentPassword(props: Parameters<typeof PasswordField>[0]) {
  return <PasswordField label={t('account.current_password')} required {...props} />
}

interface Asked {
  readonly hint?: string
  /** Asks for the code from the start. */
  readonly asksCode?: boolean
}

/**
 * Asks for the password, and for a code if the service requires one; or for a passkey. An account
 * without a password confirms in a dialog of its own, when the service asks for it.
 */
export function useConfirmation({ hint, asksCode = false }: Asked = {}): {
  readonly fields: ComponentChildren
  /** Sends the input. Resolves with false when a code is required first. */
  readonly confirm: (send: (proof: object) => Promise<unknown>) => Promise<boolean>
} {
  const firstCode = asksCode ? '' : null
  const password = useSignal('')
  const code = useSignal<string | null>(firstCode)
  const setCode = (typed: string | null) => (code.value = typed)
  const byPasskey = useSignal(false)
  const mark = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    // After the password's field is gone, which is required.
    if (byPasskey.value) mark.current?.closest('form')?.requestSubmit()
  }, [byPasskey.value])
  const { hasPassword, hasPasskey } = factors.value
  return {
    fields: byPasskey.value ? (
      <span ref={mark} hidden />
    ) : (
      hasPassword && (
        <>
          <CurrentPassword hint={hint} value={password} />
          {code.value !== null && (
            <CodeField autoFocus={!asksCode} value={editable(code.value, setCode)} />
          )}
          {hasPasskey && hasPasskeys() && (
            <Button onClick={() => (byPasskey.value = true)}>{t('passkey.use')}</Button>
          )}
        </>
      )
    ),
    async confirm(send) {
      if (byPasskey.value && !(await confirmByPasskey())) {
        byPasskey.value = false
        return false
      }
      try {
        const proof = code.value ? readProof(code.value) : {}
        const typed = { currentPassword: password.value, ...proof }
        await send(byPasskey.value || !hasPassword ? {} : typed)
      } catch (error) {
        if (!(error instanceof ApiError) || error.details['field'] !== 'code') throw error
        setCode('')
        return false
      }
      password.value = ''
      byPasskey.value = false
      setCode(firstCode)
      return true
    },
  }
}
