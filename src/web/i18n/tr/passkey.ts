import type { Same } from '../../lib/i18n.ts'
import type { passkey as english } from '../en/passkey.ts'

export const passkey = {
  'error.https_required': 'Geçiş anahtarları yalnızca https ile ve bu hizmetin adresinde çalışır.',
  'error.wrong_passkey': 'Geçiş anahtarı kabul edilmedi. Yeniden deneyin veya parolanızı kullanın.',
  'passkey.use': 'Geçiş anahtarı kullan',
} satisfies Same<typeof english>
