import { withoutDirectionMarks } from '../lib/direction-marks.ts'

const replacements: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Makes any text safe between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => replacements[character] as string)
}

/** The same for what somebody calls a file or themselves: it is shown as nothing but what it is. */
export function escapeName(name: string): string {
  return escapeHtml(withoutDirectionMarks(name))
}
