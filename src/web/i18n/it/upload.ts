import type { Same } from '../../lib/i18n.ts'
import type { upload as english } from '../en/upload.ts'

export const upload = {
  'drop.add_files': 'Aggiungi file',
  'drop.add_folder': 'Aggiungi cartella',
  'drop.or_folder': 'o una cartella',
  'drop.text_name': 'Testo incollato.txt',
  'drop.title': 'Trascinali qui o incollali',
  'error.file_too_large': 'Questo file supera la dimensione consentita dal servizio.',
  'error.share_too_large': 'Insieme, i file superano la dimensione consentita dal servizio.',
  'file.is.changed': 'modificato',
  'file.is.done': 'caricato',
  'file.is.failed': 'non inviato',
  'file.is.missing': 'non ancora scelto',
  'file.problem.blocked_extension': 'I file di tipo {kind} non sono accettati qui.',
  'file.problem.changed':
    'Il file è cambiato dopo l’inizio del caricamento. Riprova per inviare la nuova versione.',
  'file.problem.extension_not_allowed': 'I file di tipo {kind} non sono accettati qui.',
  'file.problem.file_too_large': 'Questo file supera la dimensione consentita dal servizio.',
  'file.problem.refused_name': 'Questo nome di file non è consentito. Prima rinomina il file.',
  'file.problem.restarted':
    'Il file è cambiato dall’inizio del caricamento, quindi viene inviato di nuovo dall’inizio.',
  'file.problem.unreadable': 'Questo file non si può leggere. Gli altri continuano.',
  'file.clear': 'Svuota elenco',
  'file.remove_n': ['Rimuovi {n} file', 'Rimuovi {n} file'],
  'file.remove_some': 'Rimuovi file…',
  'file.removed_n': ['{n} file rimosso.', '{n} file rimossi.'],
  'file.remove': 'Rimuovi {name}',
  'file.retry': 'Riprova: {name}',
  'file.is.skipped': 'saltato',
  'file.skipped_count': [
    '{n} file viene saltato. L’elenco indica perché.',
    '{n} file vengono saltati. L’elenco indica perché.',
  ],
  'common.show_more': 'Mostra altro (ancora {left})',
} satisfies Same<typeof english>
