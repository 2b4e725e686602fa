import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/app.ts'
import { common } from './common.ts'
import { passkey } from './passkey.ts'
import { send } from './send.ts'
import { states } from './states.ts'
import { uploadTotal } from './upload-total.ts'
import { upload } from './upload.ts'

export const texts = {
  ...common,
  ...passkey,
  ...send,
  ...states,
  ...upload,
  ...uploadTotal,
  'error.already_complete': 'Questo caricamento è già completo. Ricarica la pagina per vederlo.',
  'error.confirmation_required': 'Non è stato modificato nulla: prima conferma la tua identità.',
  'error.last_administrator': 'Il servizio ha bisogno di almeno un amministratore.',
  'error.too_many_contacts':
    'L’elenco dei contatti è pieno. Rimuovi un contatto per aggiungerne un altro.',
  'error.wrong_current_password': 'La password attuale è errata.',
  'error.wrong_second_factor': 'Questo codice è errato o è già stato usato.',
  'links.local': 'I link iniziano con {base} e portano ognuno al proprio computer.',
  'links.local_advice':
    'Imposta BASE_URL sull’indirizzo da aprire, ad esempio {address}, e riavvia il servizio.',
  'common.more': 'Mostra altro',
  'nav.account': 'Account',
  'nav.account_settings': 'Impostazioni dell’account',
  'nav.admin': 'Admin',
  'nav.main': 'Menu principale',
  'nav.new': 'da vedere',
  'nav.requests': 'Richieste',
  'nav.send': 'Invia',
  'nav.shares': 'Condivisioni',
  'nav.sign_out': 'Esci',
  'no_mail.text': 'L’email è disattivata: nessun server di posta è configurato.',
  'no_mail.action': 'Configura l’email',
  'missing.title': 'Pagina non trovata',
  'missing.text': 'L’indirizzo potrebbe essere sbagliato, o la pagina è stata eliminata.',
  'common.unopened': 'Impossibile aprire questa pagina',
  'confirm.title': 'Conferma la tua identità',
  'confirm.text': 'Non verrà richiesto di nuovo per 10 minuti.',
  'confirm.either': 'Basta la password o un codice.',
  'confirm.action': 'Conferma',
  'session.title': 'Accedi di nuovo',
  'session.text': 'La tua sessione è terminata. Accedi per riprendere da dove avevi lasciato.',
  'session.sign_in': 'Accedi',
  'session.code': 'Codice a 6 cifre o codice di recupero',
  'common.just_now': 'proprio ora',
  'session.other_way': 'Accedi in un altro modo',
} satisfies Same<typeof english>
