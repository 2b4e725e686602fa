import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/setup.ts'
import { common } from './common.ts'
import { disk } from './disk.ts'

export const texts = {
  ...common,
  ...disk,
  'setup.account_title': 'Crea l’account amministratore',
  'common.step': 'Passaggio {n} di {all}',
  'setup.account_text': 'Il primo account amministra questo servizio.',
  'setup.account_action': 'Crea account',
  'setup.password_hint':
    'Almeno 8 caratteri. Alcune parole sono facili da ricordare e difficili da indovinare.',
  'setup.token': 'Token di configurazione',
  'setup.token_hint':
    'Si trova nel log del servizio, dopo “token=” nella riga che inizia con “setup:”.',
  'setup.no_token':
    'In questo indirizzo manca il token di configurazione. Copia l’indirizzo intero dal log o ' +
    'inserisci il token.',
  'setup.wrong_token':
    'Token di configurazione errato. Ogni avvio del servizio ne crea uno nuovo: usa l’ultima ' +
    'riga “setup:” del log.',
  'setup.taken':
    'Nel frattempo questo servizio è stato configurato. Nulla di ciò che hai inserito è stato ' +
    'salvato.',
  'setup.address_title': 'Nome e indirizzo',
  'setup.app_name': 'Nome del servizio',
  'setup.app_name_hint': 'Mostrato in ogni pagina e in ogni email.',
  'setup.other_address':
    'Hai aperto questa pagina su {here}, ma i link inizieranno con {address}. Se i destinatari ' +
    'non possono raggiungere quell’indirizzo, correggi BASE_URL e riavvia il servizio.',
  'setup.links_begin': 'I link iniziano con {address}.',
  'setup.plain_http':
    'Questo indirizzo non è cifrato: file e password sono leggibili in transito. Su una rete di ' +
    'cui non ti fidi, metti un proxy HTTPS davanti al servizio e imposta BASE_URL sul suo ' +
    'indirizzo https.',
  'setup.no_cookie':
    'BASE_URL inizia con https, quindi i browser mantengono l’accesso solo a quell’indirizzo. ' +
    'Completa qui la configurazione, poi accedi su {address}.',
  'setup.proxy_believed': 'Il servizio è dietro un proxy attendibile. Il tuo indirizzo è {ip}.',
  'setup.proxy_ignored':
    'Il servizio è dietro un proxy che TRUST_PROXY non indica. Perciò tutti hanno l’indirizzo ' +
    '{ip} e le password errate di una persona bloccano tutti. Imposta TRUST_PROXY ' +
    'sull’indirizzo del proxy e riavvia il servizio.',
  'setup.proxy_silent':
    'TRUST_PROXY è impostato, ma questa richiesta da {ip} non ha l’intestazione ' +
    'X-Forwarded-For. Se c’è un proxy, configuralo perché la invii.',
  'setup.limits_title': 'Archiviazione e limiti',
  'setup.share_limit': 'Dimensione massima di una condivisione (GB)',
  'setup.quota': 'Quota di archiviazione per account (GB)',
  'setup.unlimited': 'Lascia vuoto per nessun limite.',
  'setup.expiry': 'I link scadono dopo',
  'setup.expiry_hint': 'Salvo scelta diversa all’invio. Lascia vuoto per nessuna scadenza.',
  'setup.unit': 'Unità',
  'setup.unit.Hours': 'ore',
  'setup.unit.Days': 'giorni',
  'setup.unit.Weeks': 'settimane',
  'setup.unit.Months': 'mesi',
  'setup.mail_title': 'Email',
  'setup.mail_text':
    'Con un server SMTP, il servizio può inviare link via email, segnalare le consegne e ' +
    'reimpostare le password. Puoi configurarlo anche più tardi.',
  'setup.smtp_host': 'Server SMTP',
  'setup.smtp_port': 'Porta',
  'setup.smtp_security': 'Cifratura',
  'setup.security.starttls': 'STARTTLS (porta 587)',
  'setup.security.tls': 'TLS (porta 465)',
  'setup.security.none': 'Nessuna: le email sono leggibili in transito',
  'setup.smtp_user': 'Nome utente',
  'setup.smtp_user_hint': 'Lascia vuoto se il server non ne richiede uno.',
  'setup.smtp_from': 'Indirizzo del mittente',
  'setup.smtp_from_hint': 'Ad esempio file@example.org',
  'setup.test': 'Salva e invia email di prova',
  'setup.test_sent': 'Il server ha accettato l’email a {email}. La sua risposta:',
  'setup.test_failed': 'L’email non è stata inviata:',
  'setup.skip': 'Salta',
  'setup.done_title': 'Il tuo servizio è pronto',
  'setup.done_text':
    'Invia un file per vedere se tutto funziona. Poi aggiungi gli account di chi lo userà.',
  'setup.add_accounts': 'Aggiungi account',
  'setup.first_file': 'Invia il primo file',
  'setup.sign_in': 'Accedi',
  'setup.closed_title': 'Questo servizio è già configurato',
  'setup.closed_text':
    'Se hai un account, accedi. Altrimenti rivolgiti al gestore di questo servizio.',
} satisfies Same<typeof english>
