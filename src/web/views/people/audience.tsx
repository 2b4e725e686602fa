import type { Editable } from '../../lib/editable.ts'
import { t } from '../../lib/i18n.ts'
import { sendsEmail } from '../../lib/page-data.ts'
import type { Share } from '../../lib/share.ts'
import { optionsOf, Select } from '../../ui/field.tsx'

/** Who may open a share. */
export function AudienceField(props: {
  readonly value: Editable<Share['audience']>
  /** Of a share that may be open already. */
  readonly hint?: string
}) {
  const { value, hint } = props
  return (
    <Select
      label={t('people.audience')}
      value={value}
      hint={hint ?? (value.value === 'named' ? t('people.named_hint') : undefined)}
      options={optionsOf(['anyone', 'named'], (name) => t(`people.${name}`))}
    />
  )
}

/** How named people prove who they are. */
export function ProofField({ value }: { readonly value: Editable<Share['recipientProof']> }) {
  const proofs = ['none', ...(sendsEmail() ? (['code'] as const) : []), 'account'] as const
  return (
    <Select
      label={t('people.proof')}
      value={value}
      options={optionsOf(proofs, (name) => t(`people.proof.${name}`))}
    />
  )
}
