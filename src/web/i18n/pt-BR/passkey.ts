import type { Same } from '../../lib/i18n.ts'
import type { passkey as english } from '../en/passkey.ts'

export const passkey = {
  'error.https_required': 'As chaves de acesso só funcionam com https, no endereço deste serviço.',
  'error.wrong_passkey': 'A chave de acesso não foi aceita. Tente de novo ou use sua senha.',
  'passkey.use': 'Usar uma chave de acesso',
} satisfies Same<typeof english>
