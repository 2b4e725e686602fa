import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/account.ts'
import { provider } from './provider.ts'
import { theme } from './theme.ts'

export const texts = {
  ...provider,
  ...theme,
  'account.contacts': 'Contatti',
  'contacts.add': 'Aggiungi contatto',
  'contacts.added': 'Contatto aggiunto: {name}.',
  'contacts.change_one': 'Modifica {name}',
  'contacts.change_title': 'Modifica “{name}”',
  'contacts.known': 'Questo indirizzo è già tra i tuoi contatti.',
  'contacts.name_hint': 'Facoltativo.',
  'contacts.none': 'Ancora nessun contatto.',
  'contacts.removed': 'Contatto rimosso: {name}.',
  'contacts.search': 'Cerca nei contatti',
  'contacts.text': 'Persone a cui invii spesso dei file. Suggerite mentre scrivi.',
  'account.shortcuts': 'Scorciatoie da tastiera',
  'account.profile': 'Profilo',
  'account.passkeys': 'Passkey',
  'account.password': 'Password',
  'account.two_step': 'Verifica in due passaggi',
  'account.sessions': 'Sessioni attive',
  'account.tokens': 'Token API',
  'account.delete': 'Elimina account',
  'account.current_password': 'Password attuale',
  'defaults.as_last': 'Come nell’ultima condivisione',
  'defaults.start': 'Inizio del caricamento',
  'defaults.start_hint':
    'Sui dispositivi con risparmio dati, il caricamento inizia sempre quando ottieni il link.',
  'defaults.start_later': 'Quando ottieni il link',
  'defaults.start_now': 'Appena scelti i file',
  'defaults.start_service': 'Valore predefinito di questo servizio',
  'defaults.title': 'Valori predefiniti delle nuove condivisioni',
  'error.last_factor':
    'Questo servizio richiede la verifica in due passaggi. Prima aggiungi un’altra passkey o ' +
    'configura l’app.',
  'error.no_second_factor': 'La verifica in due passaggi è già disattivata. Ricarica la pagina.',
  'error.passkey_known': 'Questo dispositivo ha già una passkey per il tuo account.',
  'error.second_factor_enabled': 'La verifica in due passaggi è già attiva. Ricarica la pagina.',
  'error.too_many_passkeys': 'Hai raggiunto il limite di passkey. Prima rimuovine una.',
  'error.too_many_tokens': 'Hai raggiunto il limite di token API. Prima revocane uno.',
  'keys.add': 'Aggiungi l’indirizzo digitato (destinatari). Virgola e spazio fanno lo stesso.',
  'keys.close': 'Chiudi una finestra o un menu',
  'keys.turn': 'File precedente o successivo nell’anteprima',
  'keys.list': 'Mostra questo elenco',
  'keys.mend': 'Modifica l’ultimo indirizzo se il campo è vuoto (destinatari)',
  'keys.paste': 'Incolla file (Invia) o più indirizzi insieme (destinatari)',
  'keys.switch': 'Scorciatoie con un solo tasto',
  'keys.switch_hint':
    'Se sono disattivate, il tasto ? non fa nulla. La scelta è salvata in questo browser. Questo ' +
    'elenco è sempre disponibile in Account.',
  'profile.display': 'Aspetto',
  'profile.email_taken': 'Un altro account usa questo indirizzo email.',
  'profile.language': 'Lingua',
  'profile.this_browser': 'Lingua e tema sono salvati in questo browser.',
  'profile.why_password':
    'Tramite il tuo indirizzo email si può reimpostare la tua password. Conferma la modifica.',
  'passkeys.add': 'Aggiungi una passkey',
  'passkeys.created': 'aggiunta {day}',
  'passkeys.no_browser': 'Questo browser non supporta le passkey.',
  'passkeys.none': 'Ancora nessuna passkey.',
  'passkeys.remove_text':
    'Non potrà più farti accedere e le altre sessioni iniziate con essa termineranno. Eliminala ' +
    'anche sul dispositivo.',
  'passkeys.remove_title': 'Rimuovere “{name}”?',
  'passkeys.text':
    'Accedi con l’impronta, il volto o il blocco schermo invece che con la password e un codice.',
  'passkeys.unused': 'mai usata',
  'passkeys.used': 'ultimo uso',
  'password.change': 'Cambia password',
  'password.changed': 'Password cambiata.',
  'password.effect':
    'Una nuova password chiude tutte le altre tue sessioni e revoca tutti i tuoi token API.',
  'password.fair': 'Abbastanza lunga. Qualche parola in più la rende più sicura.',
  'password.good': 'Bene: le password lunghe sono difficili da indovinare.',
  'password.length': 'Lunghezza',
  'password.missing': ['Ancora {n} carattere', 'Ancora {n} caratteri'],
  'password.new': 'Nuova password',
  'two_step.on': 'Attiva',
  'two_step.off': 'Non attiva',
  'two_step.on_text': 'Per accedere servono la tua password e un codice della tua app.',
  'two_step.off_text':
    'Con la verifica in due passaggi, una password rubata non basta: per accedere serve anche ' +
    'un codice di un’app.',
  'two_step.left': 'Codici di recupero rimasti: {n} su 10.',
  'two_step.do.renew': 'Sostituisci i codici di recupero',
  'two_step.do.renew_text':
    'Ricevi dieci nuovi codici. Quelli attuali smettono subito di funzionare.',
  'two_step.do.renew_title': 'Sostituire i codici di recupero?',
  'two_step.required':
    'Questo servizio richiede la verifica in due passaggi. Se la disattivi, dovrai configurarla ' +
    'di nuovo subito.',
  'two_step.set_up': 'Configura',
  'two_step.do.turn_off': 'Disattiva',
  'two_step.do.turn_off_title': 'Disattivare la verifica in due passaggi?',
  'two_step.do.turn_off_text':
    'Per accedere basterà la tua password. Tutte le altre sessioni vengono chiuse e i token API ' +
    'revocati.',
  'two_step.is_off': 'La verifica in due passaggi è disattivata.',
  'enrol.must':
    'Questo servizio richiede la verifica in due passaggi. Configurarla richiede un minuto.',
  'enrol.scan_title': 'Aggiungi il tuo account all’app',
  'enrol.scan_text':
    'Scansiona questo codice con un’app di autenticazione come Aegis, 2FAS o Google Authenticator.',
  'enrol.qr_alt': 'Codice QR per la tua app di autenticazione',
  'enrol.open_app': 'Apri in un’app su questo dispositivo',
  step: 'Passaggio {n} di {all}',
  'enrol.secret': 'Oppure inserisci questa chiave nell’app',
  'enrol.code_title': 'Inserisci il codice dell’app',
  'enrol.code_text':
    'Conferma che l’app è configurata correttamente. Le altre tue sessioni verranno chiuse.',
  'enrol.six_digits': 'Codice a 6 cifre',
  'enrol.turn_on': 'Attiva',
  'codes.title': 'Salva i codici di recupero',
  'codes.text':
    'Ogni codice permette di accedere una volta senza l’app. I codici non verranno più ' +
    'mostrati: conservali dove puoi trovarli anche senza il telefono.',
  'codes.are_new': 'I codici di recupero precedenti non funzionano più.',
  'codes.is_on': 'La verifica in due passaggi è attiva.',
  'codes.copy_by_hand': 'Qui non è possibile copiare i codici. Scaricali o stampali.',
  'codes.print': 'Stampa',
  'codes.kept': 'Li ho salvati',
  'codes.leave': 'Lascia la pagina',
  'codes.leave_text':
    'Non verranno più mostrati. Senza di essi, se perdi il telefono perdi l’accesso all’account.',
  'codes.leave_title': 'Lasciare la pagina senza salvare i codici di recupero?',
  'sessions.text': 'Browser e dispositivi che hanno accesso al tuo account.',
  'sessions.current': 'Attuale',
  'sessions.device': '{browser} su {system}',
  'sessions.unknown': 'Dispositivo sconosciuto',
  'sessions.seen': 'ultima attività',
  'sessions.end': 'Disconnetti',
  'sessions.end_one': 'Disconnetti {name}',
  'sessions.end_others': 'Chiudi le altre sessioni',
  'sessions.end_others_hint': 'Annulla anche i token di caricamento. I token API restano validi.',
  'sessions.ended': 'Sessione chiusa.',
  'sessions.others_ended': 'Tutte le altre sessioni sono state chiuse.',
  'tokens.text':
    'Per i programmi che agiscono per tuo conto. Un token non può modificare il modo in cui ' +
    'accedi.',
  'tokens.none': 'Ancora nessun token API.',
  'tokens.create': 'Crea token',
  'tokens.name_hint': 'A cosa serve il token, ad esempio “backup ufficio”.',
  'tokens.scopes': 'Autorizzazioni',
  'tokens.choose': 'Scegli almeno un’autorizzazione.',
  'tokens.may_read': 'Lettura: vedere e scaricare i tuoi file e le tue condivisioni',
  'tokens.may_send': 'Invio: caricare file e creare condivisioni',
  'tokens.may_manage':
    'Gestione: modificare ed eliminare le tue condivisioni, creare richieste di file',
  'tokens.may_administer':
    'Amministrazione: account, condivisioni e gran parte delle impostazioni del servizio',
  'tokens.may_metrics': 'Metriche: leggere i dati per il monitoraggio',
  'tokens.is_read': 'lettura',
  'tokens.is_send': 'invio',
  'tokens.is_manage': 'gestione',
  'tokens.is_administer': 'amministrazione',
  'tokens.is_metrics': 'lettura delle metriche',
  'tokens.life': 'Validità',
  'tokens.days': ['{n} giorno', '{n} giorni'],
  'tokens.made': 'Il tuo nuovo token',
  'tokens.once': 'Non verrà più mostrato. Conservalo al sicuro, come una password.',
  'tokens.token': 'Token',
  'tokens.created': 'creato {day}',
  'tokens.unused': 'mai usato',
  'tokens.end': 'Revoca',
  'tokens.end_one': 'Revoca {name}',
  'tokens.end_title': 'Revocare “{name}”?',
  'tokens.end_text':
    'I programmi che usano questo token verranno rifiutati e i tuoi token di caricamento ' +
    'verranno annullati. L’operazione è irreversibile.',
  'delete.text': 'Verranno eliminati definitivamente:',
  'delete.shares': 'le tue condivisioni e tutti i loro file; i link smettono subito di funzionare',
  'delete.contacts': 'i tuoi contatti e le tue preferenze',
  'delete.requests': 'le tue richieste di file e tutti i file ricevuti',
  'delete.logins': 'tutte le sessioni e i token API del tuo account',
  'delete.log': 'Le tue azioni restano nel registro di controllo finché il gestore lo conserva.',
  'delete.email': 'Per confermare, digita {email}',
  'delete.wrong_email': 'Non è l’indirizzo email di questo account.',
  'delete.action': 'Elimina il mio account',
  'account.providers': 'Accessi collegati',
  'error.identity_taken': 'Questo accesso appartiene a un altro account.',
  'error.last_sign_in':
    'Non potresti più accedere. Imposta prima una password o aggiungi una passkey.',
  'linked.link': 'Collega {name}',
  'linked.none': 'Nessun accesso collegato.',
  'linked.text': 'Accedi con un account che hai altrove.',
  'linked.unlink': 'Scollega',
  'linked.unlink_text':
    'Non potrà più farti accedere, e le altre sessioni che ha avviato si chiudono.',
  'linked.unlink_title': 'Scollegare “{name}”?',
} satisfies Same<typeof english>
