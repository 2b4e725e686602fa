import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/guest.ts'
import { common } from './common.ts'
import { theme } from './theme.ts'
import { unlock } from './unlock.ts'
import { upload } from './upload.ts'
import { uploadTotal } from './upload-total.ts'

export const texts = {
  ...common,
  ...theme,
  ...unlock,
  ...upload,
  ...uploadTotal,
  'guest.again': 'Invia altri file',
  'guest.arrived': ['{n} file ricevuto ({size}).', '{n} file ricevuti ({size}).'],
  'guest.asks': '{owner} ti chiede',
  'guest.is.closed':
    'Era possibile una sola consegna, ed è stata fatta. I tuoi file non sono stati consegnati.',
  'guest.continue': 'Continua',
  'guest.discard': 'Scarta',
  'guest.elsewhere': 'Un’altra scheda sta già inviando questi file.',
  'guest.field.email': 'La tua email',
  'guest.is.expired': 'Questa richiesta ora è chiusa. I tuoi file non sono stati consegnati.',
  'guest.has': ['{owner} ha ricevuto {n} file ({size}).', '{owner} ha ricevuto {n} file ({size}).'],
  'guest.limit': 'fino a {size}',
  'guest.more': 'Aggiungi il tuo nome o una nota',
  'guest.field.name': 'Il tuo nome',
  'guest.field.note': 'Nota',
  'guest.once': 'per una sola consegna',
  'guest.only': 'solo {kinds}',
  'guest.open': 'Tieni aperta questa pagina. Se la chiudi, apri di nuovo il link per continuare.',
  'guest.optional': '{name} (facoltativo)',
  'guest.pick_again': 'Scegli di nuovo gli stessi file per riprendere da dove avevi lasciato.',
  'guest.quote': 'Indicalo se contatti {owner}.',
  'guest.reference': 'Il tuo riferimento è {reference}.',
  'guest.send': ['Invia {n} file ({size})', 'Invia {n} file ({size})'],
  'guest.sending': 'Invio dei tuoi file',
  'guest.sending_to': 'Invio a {owner}',
  'guest.start_over': 'Ricomincia',
  'guest.stopped':
    'Questo caricamento non può continuare. I tuoi file sono ancora selezionati: ricomincia.',
  'guest.thanks': 'Grazie',
  'guest.to': 'I tuoi file vengono consegnati solo a {owner}.',
  'guest.to_shared': 'I tuoi file vengono consegnati a {owner}, che può condividerli con altri.',
  'guest.to_whom_shared':
    'I tuoi file vengono consegnati alla persona che ti ha inviato questo link, che può ' +
    'condividerli con altri.',
  'guest.to_whom':
    'I tuoi file vengono consegnati solo alla persona che ti ha inviato questo link.',
  'guest.too_big': 'Limite superato di {size}: rimuovi dei file.',
  'guest.unfinished': 'Caricamento incompleto ({when}): {files}.',
  'guest.until': 'aperta fino a {day}',
} satisfies Same<typeof english>
