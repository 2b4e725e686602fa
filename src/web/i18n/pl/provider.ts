import type { Same } from '../../lib/i18n.ts'
import type { provider as english } from '../en/provider.ts'

export const provider = {
  'error.provider_refused': 'Dostawca nie potwierdził, kim jesteś. Spróbuj ponownie.',
  'error.provider_unreachable': 'Dostawca nie odpowiada. Spróbuj ponownie lub zaloguj się inaczej.',
  'error.sign_in_expired':
    'To logowanie wygasło lub zaczęło się w innej przeglądarce. Zacznij od nowa.',
} satisfies Same<typeof english>
