import type { Same } from '../../lib/i18n.ts'
import type { preview as english } from '../en/preview.ts'

export const preview = {
  'preview.download_one': '{name} downloaden',
  'preview.empty': 'Dit bestand is leeg.',
  'preview.encrypted': 'Versleuteld',
  'preview.failed': 'Dit bestand kan hier niet worden getoond.',
  'preview.next': 'Volgend bestand',
  'preview.open_one': '{name} bekijken',
  'preview.pdf_note': 'Dit document komt van de afzender. Vul er nooit een wachtwoord in.',
  'preview.place': '{place} van {count}',
  'preview.previous': 'Vorig bestand',
  'preview.source': 'Brontekst',
  'preview.zoom_in': 'Inzoomen',
  'preview.zoom_out': 'Uitzoomen',
} satisfies Same<typeof english>
