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
  'share.as_grid': 'Pokaż jako siatkę',
  'share.as_list': 'Pokaż jako listę',
  'share.is.busy': 'Usługa jest zajęta. Pobieranie zacznie się automatycznie za chwilę.',
  'share.download_chosen': 'Pobierz {count} ({size})',
  'share.found': ['Znaleziono {n} plik', 'Znaleziono {n} pliki', 'Znaleziono {n} plików'],
  'share.left': [
    'może pobrać jeszcze {n} osoba',
    'mogą pobrać jeszcze {n} osoby',
    'może pobrać jeszcze {n} osób',
  ],
  'share.left_none': 'dla innych limit pobrań został osiągnięty',
  'share.is.offline':
    'Brak połączenia. Pobieranie zacznie się automatycznie, gdy wrócisz do sieci.',
  'share.search': 'Szukaj plików',
  'share.is.started':
    'Przeglądarka pobiera pliki. Jeśli pobieranie się zatrzyma, wybierz w niej „Wznów”.',
  'share.is.started_all':
    'Przeglądarka pobiera pliki. Jeśli pobieranie się zatrzyma, wybierz w niej „Wznów” lub ' +
    'pobierz pliki pojedynczo.',
  'share.too_scattered':
    'Za dużo osobnych plików na jedno pobranie. Zaznacz mniej plików lub całe foldery.',
  'share.is.used_up': 'Twoje pobranie zostało już wykorzystane. Zwróć się do nadawcy.',
  'common.show_more': 'Pokaż więcej (jeszcze {left})',
} satisfies Same<typeof english, Three>
