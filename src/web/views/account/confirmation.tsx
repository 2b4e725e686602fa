import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ApiError } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { readProof } from '../../lib/session.ts'
import { Field } from '../../ui/field.tsx'

export function PasswordField(props: {
  readonly hint?: string
  readonly value: string
  readonly onValue: (value: string) => void
}) {
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
  readonly value: string
  readonly onValue: (value: string) => void
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
  const [currentPassword, setPassword] = useState('')
  const [code, setCode] = useState<string | null>(null)
  return {
    fields: (
      <>
        <PasswordField {...(hint ? { hint } : {})} value={currentPassword} onValue={setPassword} />
        {code !== null && <CodeField autoFocus value={code} onValue={setCode} />}
      </>
    ),
    async confirm(send) {
      try {
        await send({ currentPassword, ...(code ? readProof(code) : {}) })
      } catch (error) {
        if (!(error instanceof ApiError) || error.details['field'] !== 'code') throw error
        setCode('')
        return false
      }
      setPassword('')
      setCode(null)
      return true
    },
  }
}
