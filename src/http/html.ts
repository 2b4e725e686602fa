import { withoutDirectionMarks } from '../lib/names.ts'

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

/** The same for names of files and people, which must not change their surroundings. */
export function escapeName(name: string): string {
  return escapeHtml(withoutDirectionMarks(name))
}
