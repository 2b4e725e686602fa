import type { Same, Three } from '../../lib/i18n.ts'
import type { upload as english } from '../en/upload.ts'

export const upload = {
  'drop.add_files': 'Přidat soubory',
  'drop.add_folder': 'Přidat složku',
  'drop.or_folder': 'nebo složku',
  'drop.text_name': 'Vložený text.txt',
  'drop.title': 'Přetáhněte je sem, nebo vložte',
  'error.file_too_large': 'Tento soubor je větší, než služba dovoluje.',
  'error.share_too_large': 'Soubory jsou dohromady větší, než služba dovoluje.',
  'file.is.changed': 'změněno',
  'file.is.done': 'nahráno',
  'file.is.failed': 'neodesláno',
  'file.is.missing': 'zatím nevybráno',
  'file.problem.blocked_extension': 'Soubory jako {kind} se tu nepřijímají.',
  'file.problem.changed':
    'Soubor se od začátku nahrávání změnil. Zkuste to znovu a pošle se nová verze.',
  'file.problem.extension_not_allowed': 'Soubory jako {kind} se tu nepřijímají.',
  'file.problem.file_too_large': 'Tento soubor je větší, než služba dovoluje.',
  'file.problem.refused_name': 'Tento název souboru není povolený. Nejdřív soubor přejmenujte.',
  'file.problem.restarted':
    'Soubor se od začátku nahrávání změnil, proto se odesílá znovu od začátku.',
  'file.problem.unreadable': 'Tento soubor nelze přečíst. Ostatní se posílají dál.',
  'file.clear': 'Vymazat seznam',
  'file.remove_n': ['Odebrat {n} soubor', 'Odebrat {n} soubory', 'Odebrat {n} souborů'],
  'file.remove_some': 'Odebrat soubory…',
  'file.removed_n': ['Odebrán {n} soubor.', 'Odebrány {n} soubory.', 'Odebráno {n} souborů.'],
  'file.remove': 'Odebrat: {name}',
  'file.retry': 'Zkusit znovu: {name}',
  'file.is.skipped': 'přeskočeno',
  'file.skipped_count': [
    '{n} soubor se přeskočí. Důvod najdete v seznamu.',
    '{n} soubory se přeskočí. Důvody najdete v seznamu.',
    '{n} souborů se přeskočí. Důvody najdete v seznamu.',
  ],
  'common.show_more': 'Zobrazit další (zbývá {left})',
} satisfies Same<typeof english, Three>
