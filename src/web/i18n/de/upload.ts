import type { Same } from '../../lib/i18n.ts'
import type { upload as english } from '../en/upload.ts'

export const upload = {
  'drop.files': 'Dateien wählen',
  'drop.folder': 'Ordner wählen',
  'drop.overlay': 'Loslassen zum Hinzufügen',
  'drop.paste': 'oder mit Strg+V einfügen',
  'drop.title': 'Dateien oder Ordner hierher ziehen',
  'error.file_too_large': 'Die Datei ist größer, als dieser Dienst erlaubt.',
  'error.share_too_large': 'Zusammen sind die Dateien größer, als dieser Dienst erlaubt.',
  'file.changed': 'geändert',
  'file.done': 'fertig',
  'file.failed': 'nicht gesendet',
  'file.missing': 'noch nicht gewählt',
  'file.problem.blocked_extension': 'Dateien wie {kind} werden hier nicht angenommen.',
  'file.problem.changed':
    'Die Datei hat sich seit Beginn geändert. Versuchen Sie es noch einmal, um sie so zu senden.',
  'file.problem.extension_not_allowed': 'Dateien wie {kind} werden hier nicht angenommen.',
  'file.problem.file_too_large': 'Die Datei ist größer, als dieser Dienst erlaubt.',
  'file.problem.missing': 'Wählen Sie diese Datei noch einmal, damit es weitergeht.',
  'file.problem.refused_name':
    'Eine Datei mit diesem Namen kann nicht gesendet werden. Benennen Sie sie zuerst um.',
  'file.problem.unreadable': 'Die Datei kann nicht gelesen werden. Die anderen gehen weiter.',
  'file.progress': 'Fortschritt von {name}',
  'file.remove': '{name} entfernen',
  'file.retry': '{name} noch einmal versuchen',
  'file.skipped': 'ausgelassen',
  'file.waiting': 'wartet',
  show_more: 'Mehr zeigen (noch {left})',
} satisfies Same<typeof english>
