import type { Same, Three } from '../../lib/i18n.ts'
import type { texts as english } from '../en/share.ts'
import { common } from './common.ts'
import { preview } from './preview.ts'
import { theme } from './theme.ts'
import { unlock } from './unlock.ts'

export const texts = {
  ...common,
  ...preview,
  ...theme,
  ...unlock,
  'share.as_grid': 'Zobrazit jako mřížku',
  'share.as_list': 'Zobrazit jako seznam',
  'share.is.busy': 'Služba je vytížená. Stahování za chvíli začne automaticky.',
  'share.download_chosen': 'Stáhnout {count} ({size})',
  'share.found': ['Nalezen {n} soubor', 'Nalezeny {n} soubory', 'Nalezeno {n} souborů'],
  'share.left': [
    'stahovat může ještě {n} osoba',
    'stahovat mohou ještě {n} osoby',
    'stahovat může ještě {n} osob',
  ],
  'share.left_none': 'pro ostatní je limit stažení vyčerpaný',
  'share.is.offline': 'Bez připojení. Stahování začne automaticky, až budete zase online.',
  'share.search': 'Hledat soubory',
  'share.is.started':
    'Prohlížeč stahuje soubory. Pokud se stahování zastaví, vyberte v něm „Pokračovat“.',
  'share.is.started_all':
    'Prohlížeč stahuje soubory. Pokud se stahování zastaví, vyberte v něm „Pokračovat“ nebo ' +
    'stáhněte soubory po jednom.',
  'share.too_scattered':
    'Příliš mnoho jednotlivých souborů na jedno stažení. Vyberte méně souborů nebo celé složky.',
  'share.is.used_up': 'Své stažení jste už využili. Obraťte se na odesílatele.',
  'common.show_more': 'Zobrazit další (zbývá {left})',
} satisfies Same<typeof english, Three>
