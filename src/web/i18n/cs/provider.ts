import type { Same } from '../../lib/i18n.ts'
import type { provider as english } from '../en/provider.ts'

export const provider = {
  'error.provider_refused': 'Poskytovatel nepotvrdil, kdo jste. Zkuste to znovu.',
  'error.provider_unreachable': 'Poskytovatel neodpovídá. Zkuste to znovu nebo se přihlaste jinak.',
  'error.sign_in_expired':
    'Toto přihlášení vypršelo nebo začalo v jiném prohlížeči. Začněte znovu.',
} satisfies Same<typeof english>
