import type { Same, Three } from '../../lib/i18n.ts'
import type { preview as english } from '../en/preview.ts'

export const preview = {
  'preview.download_one': 'Pobierz: {name}',
  'preview.empty': 'Ten plik jest pusty.',
  'preview.encrypted': 'Zaszyfrowany',
  'preview.failed': 'Tego pliku nie można tu wyświetlić.',
  'preview.next': 'Następny plik',
  'preview.open_one': 'Podgląd: {name}',
  'preview.pdf_note': 'Ten dokument pochodzi od nadawcy. Nigdy nie wpisuj w nim hasła.',
  'preview.place': '{place} z {count}',
  'preview.previous': 'Poprzedni plik',
  'preview.source': 'Tekst źródłowy',
  'preview.zoom_in': 'Powiększ',
  'preview.zoom_out': 'Pomniejsz',
} satisfies Same<typeof english, Three>
