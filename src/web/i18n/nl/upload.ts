import type { Same } from '../../lib/i18n.ts'
import type { upload as english } from '../en/upload.ts'

export const upload = {
  'drop.add_files': 'Bestanden toevoegen',
  'drop.add_folder': 'Map toevoegen',
  'drop.or_folder': 'of een map',
  'drop.text_name': 'Geplakte tekst.txt',
  'drop.title': 'Sleep ze hierheen of plak ze',
  'error.file_too_large': 'Dit bestand is groter dan de dienst toestaat.',
  'error.share_too_large': 'Samen zijn de bestanden groter dan de dienst toestaat.',
  'file.is.changed': 'gewijzigd',
  'file.is.done': 'geüpload',
  'file.is.failed': 'niet verzonden',
  'file.is.missing': 'nog niet gekozen',
  'file.problem.blocked_extension': 'Bestanden zoals {kind} worden hier niet aangenomen.',
  'file.problem.changed':
    'Het bestand is gewijzigd sinds het uploaden begon. Probeer het opnieuw om de nieuwe versie ' +
    'te verzenden.',
  'file.problem.extension_not_allowed': 'Bestanden zoals {kind} worden hier niet aangenomen.',
  'file.problem.file_too_large': 'Dit bestand is groter dan de dienst toestaat.',
  'file.problem.refused_name': 'Deze bestandsnaam is niet toegestaan. Hernoem het bestand eerst.',
  'file.problem.restarted':
    'Het bestand is gewijzigd sinds het uploaden begon en wordt daarom opnieuw vanaf het ' +
    'begin verzonden.',
  'file.problem.unreadable': 'Dit bestand kan niet worden gelezen. De andere bestanden gaan door.',
  'file.clear': 'Lijst wissen',
  'file.remove_n': ['{n} bestand verwijderen', '{n} bestanden verwijderen'],
  'file.remove_some': 'Bestanden verwijderen…',
  'file.removed_n': ['{n} bestand verwijderd.', '{n} bestanden verwijderd.'],
  'file.remove': '{name} verwijderen',
  'file.retry': '{name} opnieuw proberen',
  'file.is.skipped': 'overgeslagen',
  'file.skipped_count': [
    '{n} bestand wordt overgeslagen. De lijst toont waarom.',
    '{n} bestanden worden overgeslagen. De lijst toont waarom.',
  ],
  'common.show_more': 'Meer tonen (nog {left})',
} satisfies Same<typeof english>
