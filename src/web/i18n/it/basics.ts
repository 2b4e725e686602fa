import type { Same } from '../../lib/i18n.ts'
import type { basics as english } from '../en/basics.ts'

export const basics = {
  'common.copied': 'Copiato.',
  'common.copy': 'Copia',
  'common.copy_by_hand': 'Premi Ctrl+C per copiare.',
  'common.email': 'Email',
  'field.email': 'Inserisci un indirizzo email completo, ad esempio ada@example.org.',
  'field.missing': 'Compila questo campo.',
  'field.short': 'Usa almeno {n} caratteri.',
  'common.hide': 'Nascondi',
  'common.imprint': 'Note legali',
  'common.loading': 'Caricamento…',
  'common.password': 'Password',
  'common.privacy': 'Privacy',
  'common.show': 'Mostra',
  'common.try_again': 'Riprova',
  'connection.back': 'Connessione ripristinata.',
  'connection.lost':
    'Connessione assente. I dati inseriti sono conservati e questa pagina continua ' +
    'automaticamente.',
  'error.cookie_blocked':
    'I dati sono corretti, ma il browser blocca i cookie di questo sito. Consentili e riprova.',
  'error.cookie_insecure':
    'I dati sono corretti, ma il browser mantiene l’accesso solo su una pagina cifrata. Apri ' +
    'questa pagina al suo indirizzo https://.',
  'error.not_found': 'Qui non c’è nulla. Forse è stato eliminato.',
  'error.unauthorized': 'La tua sessione è stata chiusa.',
  'error.unavailable': 'Il servizio non può farlo in questo momento. Riprova tra poco.',
  'error.unknown':
    'Qualcosa è andato storto. Se hai modificato qualcosa, controlla se è stato salvato prima ' +
    'di riprovare.',
  'error.unreachable':
    'Il servizio non è raggiungibile. Se hai modificato qualcosa, controlla se è stato salvato ' +
    'prima di riprovare.',
  'error.wrong_code': 'Codice errato. I codici cambiano ogni 30 secondi: controlla l’orologio.',
  'error.wrong_credentials': 'Indirizzo email o password errati.',
  'left.hours': ['circa {n} ora', 'circa {n} ore'],
  'left.minutes': ['circa {n} minuto', 'circa {n} minuti'],
  'left.under_minute': 'meno di un minuto',
  'tries.over': 'Ora puoi riprovare.',
  'tries.wait': 'Troppi tentativi. Riprova tra {left}.',
} satisfies Same<typeof english>
