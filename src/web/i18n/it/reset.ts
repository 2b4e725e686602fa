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
  'reset.set': 'Imposta password',
  'reset.set_title': 'Imposta una nuova password',
  'reset.title': 'Password dimenticata?',
  'reset.to_login': 'Vai all’accesso',
  'reset.wrong_link': 'Questo link non è più valido. Chiedine uno nuovo.',
  'error.wrong_proxy_user':
    'Non puoi accedere qui con questo account. Rivolgiti all’amministratore.',
  'proxy.action': 'Continua come {name}',
  'proxy.text': 'Hai effettuato l’accesso presso la tua organizzazione.',
} satisfies Same<typeof english>
