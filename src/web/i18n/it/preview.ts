import type { Same } from '../../lib/i18n.ts'
import type { preview as english } from '../en/preview.ts'

export const preview = {
  'preview.download_one': 'Scarica {name}',
  'preview.empty': 'Questo file è vuoto.',
  'preview.encrypted': 'Cifrato',
  'preview.failed': 'Questo file non si può mostrare qui.',
  'preview.next': 'File successivo',
  'preview.open_one': 'Anteprima: {name}',
  'preview.pdf_note': 'Questo documento viene dal mittente. Non inserirvi mai una password.',
  'preview.place': '{place} di {count}',
  'preview.previous': 'File precedente',
  'preview.source': 'Sorgente',
  'preview.zoom_in': 'Ingrandisci',
  'preview.zoom_out': 'Riduci',
} satisfies Same<typeof english>
