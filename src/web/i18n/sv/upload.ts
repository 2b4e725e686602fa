import type { Same } from '../../lib/i18n.ts'
import type { upload as english } from '../en/upload.ts'

export const upload = {
  'drop.add_files': 'Lägg till filer',
  'drop.add_folder': 'Lägg till mapp',
  'drop.or_folder': 'eller en mapp',
  'drop.text_name': 'Inklistrad text.txt',
  'drop.title': 'Släpp dem här eller klistra in',
  'error.file_too_large': 'Filen är större än tjänsten tillåter.',
  'error.share_too_large': 'Tillsammans är filerna större än tjänsten tillåter.',
  'file.is.changed': 'ändrad',
  'file.is.done': 'uppladdad',
  'file.is.failed': 'inte skickad',
  'file.is.missing': 'inte vald än',
  'file.problem.blocked_extension': 'Filer som {kind} tas inte emot här.',
  'file.problem.changed':
    'Filen har ändrats sedan uppladdningen började. Försök igen för att skicka den nya versionen.',
  'file.problem.extension_not_allowed': 'Filer som {kind} tas inte emot här.',
  'file.problem.file_too_large': 'Filen är större än tjänsten tillåter.',
  'file.problem.refused_name': 'Filnamnet är inte tillåtet. Byt namn på filen först.',
  'file.problem.restarted':
    'Filen har ändrats sedan uppladdningen började och skickas därför om från början.',
  'file.problem.unreadable': 'Filen kan inte läsas. De andra filerna fortsätter.',
  'file.clear': 'Töm listan',
  'file.remove_n': ['Ta bort {n} fil', 'Ta bort {n} filer'],
  'file.remove_some': 'Ta bort filer…',
  'file.removed_n': ['{n} fil har tagits bort.', '{n} filer har tagits bort.'],
  'file.remove': 'Ta bort {name}',
  'file.retry': 'Försök igen med {name}',
  'file.is.skipped': 'överhoppad',
  'file.skipped_count': [
    '{n} fil hoppas över. Listan visar varför.',
    '{n} filer hoppas över. Listan visar varför.',
  ],
  'common.show_more': 'Visa fler ({left} kvar)',
} satisfies Same<typeof english>
