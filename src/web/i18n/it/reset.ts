import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/reset.ts'

export const texts = {
  'invited.action': 'Imposta la password e accedi',
  'invited.text': 'È stato creato un account per te. Scegli una password per accedere.',
  'invited.title': 'Invito',
  'invited.welcome': 'Ti diamo il benvenuto, {name}',
  'invited.wrong': 'Questo invito non è più valido. Chiedine uno nuovo.',
  'reset.again': 'Chiedi un nuovo link',
  'reset.ask': 'Inviami un link via email',
  'reset.asked':
    'Se esiste un account con questo indirizzo, un’email è in arrivo. Il suo link vale un’ora.',
  'reset.done': 'Password cambiata. Tutte le altre sessioni sono state chiuse.',
  'reset.new_password': 'Nuova password',
  'reset.no_mail':
    'Questo servizio non invia email. Chiedi al suo gestore un link per reimpostare la password.',
  'reset.rule':
    'Almeno 8 caratteri. Alcune parole sono facili da ricordare e difficili da indovinare.',
  'reset.sent': 'Controlla la tua email',
  'reset.set': 'Imposta password',
  'reset.set_title': 'Imposta una nuova password',
  'reset.title': 'Password dimenticata?',
  'reset.to_login': 'Vai all’accesso',
  'reset.wrong_link': 'Questo link non è più valido. Chiedine uno nuovo.',
  'error.wrong_proxy_user':
    'Non puoi accedere qui con questo account. Rivolgiti all’amministratore.',
  'proxy.action': 'Continua come {name}',
  'proxy.text': 'Hai effettuato l’accesso presso la tua organizzazione.',
  'signup.action': 'Crea account',
  'signup.asked': 'Controlla la tua email. Il link che contiene è valido per 24 ore.',
  'signup.name': 'Nome',
  'signup.needs_approval': 'Un amministratore approva i nuovi account.',
  'signup.signed_in': 'Hai già effettuato l’accesso. Esci prima di creare un altro account.',
  'signup.to_app': 'Continua',
  'signup.title': 'Crea un account',
  'signup.waits':
    'Un amministratore deve approvare il tuo account. Riceverai un’email quando potrai accedere.',
  'error.sign_up_off': 'Qui non puoi creare un account da te. Rivolgiti all’amministratore.',
  'error.sign_up_used': 'Esiste già un account con questo indirizzo. Accedi.',
  'error.too_many_sign_ups': 'Troppe persone attendono l’approvazione. Riprova tra qualche giorno.',
  'error.wrong_sign_up_link': 'Questo link non è più valido. Chiedine uno nuovo.',
} satisfies Same<typeof english>
