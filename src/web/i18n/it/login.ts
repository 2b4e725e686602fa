import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/login.ts'
import { basics } from './basics.ts'
import { passkey } from './passkey.ts'
import { provider } from './provider.ts'

export const texts = {
  ...provider,
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
  'error.account_disabled': 'Questo account è disattivato. Rivolgiti all’amministratore.',
  'error.account_exists':
    'Il tuo account non è collegato a questo provider. Accedi in un altro modo e collegalo in ' +
    'Account.',
  'error.email_not_verified': 'Il provider non conosce nessun tuo indirizzo email verificato.',
  'error.no_account': 'Non hai un account qui. Chiedilo all’amministratore.',
  'error.password_sign_in_off':
    'Questo servizio non accetta password. Usa uno dei pulsanti qui sotto.',
  'login.provider': 'Continua con {name}',
  'login.sign_up': 'Crea un account',
  'error.account_waiting': 'Un amministratore deve prima approvare il tuo account.',
} satisfies Same<typeof english>
