import type { Editable } from '../../lib/editable.ts'
import { t } from '../../lib/i18n.ts'
import { sendsEmail } from '../../lib/page-data.ts'
import type { Share } from '../../lib/share.ts'
import { Select } from '../../ui/field.tsx'

/** Who may open a share, and how they prove who they are. */
export function AudienceFields(props: {
  readonly audience: Editable<Share['audience']>
  readonly proof: Editable<Share['recipientProof']>
  /** Of a share that may be open already. */
  readonly hint?: string
}) {
  const { audience, proof, hint } = props
  const proofs = ['none', ...(sendsEmail() ? (['code'] as const) : []), 'account'] as const
  const isNamed = audience.value === 'named'
  return (
    <>
      <Select
        label={t('people.audience')}
        value={audience}
        hint={hint ?? (isNamed ? t('people.named_hint') : undefined)}
        options={[
          ['anyone', t('people.anyone')],
          ['named', t('people.named')],
        ]}
      />
      {isNamed && (
        <Select
          label={t('people.proof')}
          value={proof}
          options={proofs.map((name) => [name, t(`people.proof.${name}`)])}
        />
      )}
    </>
  )
}
