import type { Same } from '../../lib/i18n.ts'
import type { send as english } from '../en/send.ts'

export const send = {
  'expiry.date': 'Data…',
  'expiry.day': 'Scade alla fine del giorno',
  'expiry.never': 'mai',
  'send.add_title': 'Aggiungi un titolo',
  'send.all_in': 'Caricamento completo. Privato finché non ottieni il link.',
  'send.before_done': 'Puoi condividere il link prima che il caricamento finisca.',
  'send.biggest': 'Limite superato di {size}. Rimuovi dei file; i più grandi sono:',
  'send.cancel': 'Annulla caricamento',
  'send.cancel_text': 'I dati caricati vengono eliminati. L’elenco dei file resta.',
  'send.cancel_title': 'Annullare questo caricamento?',
  'send.choose': 'Scegli i file',
  'send.discard': 'Scarta',
  'send.discard_title': 'Scartare questo caricamento?',
  'send.dock': 'Caricamenti',
  'send.dock_files': ['{done} di {n} file', '{done} di {n} file'],
  'send.expires': 'Scade {day}',
  'send.get_link': 'Ottieni link',
  'send.get_links': 'Ottieni link',
  'send.held': 'Il caricamento inizia quando ottieni il link.',
  'send.keep': 'Continua a caricare',
  'send.keep_open':
    'Tieni aperta questa pagina. Il caricamento va in pausa mentre il dispositivo è in standby ' +
    'e poi continua.',
  'send.kept_both': [
    'Conservati entrambi: {name}',
    '{n} file rinominati; uno ora si chiama {name}',
  ],
  'send.life': 'conservati {time}',
  'send.limit': 'Fino a {size}',
  'send.link_instead': 'Ottieni invece un link',
  'send.link_received': 'Crea il link con i file arrivati',
  'send.never_expires': 'Non scade mai',
  'send.not_begun': 'Nell’elenco mancano {size} di file il cui caricamento non era iniziato.',
  'send.open': 'Apri',
  'send.other_open':
    'Qui è aperto un altro caricamento. Prima ottieni il suo link o rimuovi i suoi file.',
  'send.pick_again':
    'Questo caricamento è stato interrotto. Scegli di nuovo gli stessi file o le stesse ' +
    'cartelle per continuare.',
  'send.recipients': 'A',
  'send.recipients_hint':
    'Premi Invio, virgola o spazio per aggiungere un indirizzo. Puoi incollarne più di uno.',
  'send.removed': 'Rimosso: {name}.',
  'send.send_to': ['Invia a {n} persona', 'Invia a {n} persone'],
  'send.slug_taken': 'Questo link è già in uso. Scegline un altro.',
  'send.start_over': 'Ricomincia con questi file',
  'send.stopped':
    'Questo caricamento è stato eliminato o completato altrove. I tuoi file sono ancora ' +
    'nell’elenco.',
  'send.title': 'Invia file',
  'send.title_field': 'Titolo',
  'send.uploaded': 'Caricamento completo: “{name}”.',
  'recipients.added': 'Destinatari aggiunti: {list}',
  'recipients.list': 'Destinatari',
  'recipients.removed': 'Destinatario rimosso: {name}',
  'ready.change': 'Modifica',
  'ready.ignored': 'Non è un indirizzo email: {list}',
} satisfies Same<typeof english>
