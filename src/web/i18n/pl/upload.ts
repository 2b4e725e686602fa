import type { Same, Three } from '../../lib/i18n.ts'
import type { upload as english } from '../en/upload.ts'

export const upload = {
  'drop.add_files': 'Dodaj pliki',
  'drop.add_folder': 'Dodaj folder',
  'drop.or_folder': 'lub folder',
  'drop.text_name': 'Wklejony tekst.txt',
  'drop.title': 'Upuść je tutaj lub wklej',
  'error.file_too_large': 'Ten plik jest większy, niż pozwala usługa.',
  'error.share_too_large': 'Pliki są razem większe, niż pozwala usługa.',
  'file.is.changed': 'zmieniony',
  'file.is.done': 'przesłano',
  'file.is.failed': 'niewysłany',
  'file.is.missing': 'jeszcze niewybrany',
  'file.problem.blocked_extension': 'Pliki typu {kind} nie są tu przyjmowane.',
  'file.problem.changed':
    'Plik zmienił się od początku przesyłania. Spróbuj ponownie, aby wysłać nową wersję.',
  'file.problem.extension_not_allowed': 'Pliki typu {kind} nie są tu przyjmowane.',
  'file.problem.file_too_large': 'Ten plik jest większy, niż pozwala usługa.',
  'file.problem.refused_name': 'Ta nazwa pliku jest niedozwolona. Najpierw ją zmień.',
  'file.problem.restarted':
    'Plik zmienił się od rozpoczęcia przesyłania, dlatego jest wysyłany od początku.',
  'file.problem.unreadable': 'Nie można odczytać tego pliku. Pozostałe są przesyłane dalej.',
  'file.clear': 'Wyczyść listę',
  'file.remove_n': ['Usuń {n} plik', 'Usuń {n} pliki', 'Usuń {n} plików'],
  'file.remove_some': 'Usuń pliki…',
  'file.removed_n': ['Usunięto {n} plik.', 'Usunięto {n} pliki.', 'Usunięto {n} plików.'],
  'file.remove': 'Usuń: {name}',
  'file.retry': 'Spróbuj ponownie: {name}',
  'file.is.skipped': 'pominięty',
  'file.skipped_count': [
    '{n} plik jest pomijany. Przyczyna jest na liście.',
    '{n} pliki są pomijane. Przyczyny są na liście.',
    '{n} plików jest pomijanych. Przyczyny są na liście.',
  ],
  'common.show_more': 'Pokaż więcej (jeszcze {left})',
} satisfies Same<typeof english, Three>
