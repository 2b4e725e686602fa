import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/login.ts'
import { basics } from './basics.ts'
import { passkey } from './passkey.ts'

export const texts = {
  ...basics,
  ...passkey,
  'login.action': 'Accedi',
  'login.code': 'Codice a 6 cifre',
  'login.code_title': 'Inserisci il codice a 6 cifre',
  'login.forgot': 'Password dimenticata?',
  'login.other_account': 'Usa un altro account',
  'login.passkey': 'Accedi con una passkey',
  'login.passkey_title': 'Conferma con la passkey',
  'login.recovery_code': 'Codice di recupero',
  'login.recovery_title': 'Inserisci un codice di recupero',
  'login.remember': 'Mantieni l’accesso',
  'login.remember_hint': 'Disattiva sui computer condivisi: la sessione si chiuderà dopo 12 ore.',
  'login.title': 'Accedi',
  'login.use_code': 'Usa il codice a 6 cifre',
  'login.use_recovery': 'Usa un codice di recupero',
} satisfies Same<typeof english>
