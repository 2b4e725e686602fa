import type { Same } from '../../lib/i18n.ts'
import type { upload as english } from '../en/upload.ts'

export const upload = {
  'drop.add_files': 'Dateien hinzufügen',
  'drop.add_folder': 'Ordner hinzufügen',
  'drop.or_folder': 'oder einen Ordner',
  'drop.text_name': 'Eingefügter Text.txt',
  'drop.title': 'Hier ablegen oder einfügen',
  'error.file_too_large': 'Diese Datei ist größer, als der Dienst erlaubt.',
  'error.share_too_large': 'Zusammen sind die Dateien größer, als der Dienst erlaubt.',
  'file.is.changed': 'geändert',
  'file.is.done': 'hochgeladen',
  'file.is.failed': 'nicht gesendet',
  'file.is.missing': 'noch nicht gewählt',
  'file.problem.blocked_extension': 'Dateien wie {kind} werden hier nicht angenommen.',
  'file.problem.changed':
    'Die Datei hat sich seit Beginn des Uploads geändert. Versuchen Sie es noch einmal, um die ' +
    'neue Fassung zu senden.',
  'file.problem.extension_not_allowed': 'Dateien wie {kind} werden hier nicht angenommen.',
  'file.problem.file_too_large': 'Diese Datei ist größer, als der Dienst erlaubt.',
  'file.problem.refused_name':
    'Dieser Dateiname ist nicht erlaubt. Benennen Sie die Datei zuerst um.',
  'file.problem.restarted':
    'Die Datei hat sich seit Beginn der Übertragung geändert und wird deshalb von vorn gesendet.',
  'file.problem.unreadable':
    'Diese Datei kann nicht gelesen werden. Die anderen werden weiter gesendet.',
  'file.clear': 'Liste leeren',
  'file.remove_n': ['{n} Datei entfernen', '{n} Dateien entfernen'],
  'file.remove_some': 'Dateien entfernen…',
  'file.removed_n': ['{n} Datei entfernt.', '{n} Dateien entfernt.'],
  'file.remove': '{name} entfernen',
  'file.retry': '{name} noch einmal versuchen',
  'file.is.skipped': 'übersprungen',
  'file.skipped_count': [
    '{n} Datei wird übersprungen. Die Liste zeigt den Grund.',
    '{n} Dateien werden übersprungen. Die Liste zeigt die Gründe.',
  ],
  'common.show_more': 'Mehr zeigen (noch {left})',
} satisfies Same<typeof english>
