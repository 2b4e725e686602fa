import type { Same } from '../../lib/i18n.ts'
import type { preview as english } from '../en/preview.ts'

export const preview = {
  'preview.download_one': 'Descargar {name}',
  'preview.empty': 'Este archivo está vacío.',
  'preview.encrypted': 'Cifrado',
  'preview.failed': 'Este archivo no se puede mostrar aquí.',
  'preview.next': 'Archivo siguiente',
  'preview.open_one': 'Vista previa: {name}',
  'preview.pdf_note': 'Este documento viene del remitente. No escribas nunca una contraseña en él.',
  'preview.place': '{place} de {count}',
  'preview.previous': 'Archivo anterior',
  'preview.source': 'Código fuente',
  'preview.zoom_in': 'Acercar',
  'preview.zoom_out': 'Alejar',
} satisfies Same<typeof english>
