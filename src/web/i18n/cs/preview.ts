import type { Same, Three } from '../../lib/i18n.ts'
import type { preview as english } from '../en/preview.ts'

export const preview = {
  'preview.download_one': 'Stáhnout: {name}',
  'preview.empty': 'Tento soubor je prázdný.',
  'preview.encrypted': 'Šifrováno',
  'preview.failed': 'Tento soubor tu nelze zobrazit.',
  'preview.next': 'Další soubor',
  'preview.open_one': 'Náhled: {name}',
  'preview.pdf_note': 'Tento dokument pochází od odesílatele. Nikdy do něj nezadávejte heslo.',
  'preview.place': '{place} z {count}',
  'preview.previous': 'Předchozí soubor',
  'preview.source': 'Zdrojový text',
  'preview.zoom_in': 'Přiblížit',
  'preview.zoom_out': 'Oddálit',
} satisfies Same<typeof english, Three>
