import { withoutDirectionMarks } from '../lib/direction-marks.ts'
import type { Language } from '../lib/language.ts'

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

/** The pages of the web UI: each has its own script (src/web/entry/). */
export type PageEntry = 'app' | 'share' | 'guest' | 'login' | 'setup'

export interface PageSpec {
  readonly entry: PageEntry
  /** Text. */
  readonly title: string
  /** HTML of ours: what is there before the script runs, or without it. */
  readonly body: string
  /** Given for a body that is whole without the script: the deployment's name goes above it. */
  readonly language?: Language
  /** What the script will most likely speak, where it is the one to choose. */
  readonly likelyLanguage?: Language
  /** Paths of the API that the script reads first. */
  readonly reads?: readonly string[]
  /** What the script needs to know at once, as JSON. */
  readonly data?: unknown
  /** Texts for link previews. */
  readonly preview?: { readonly title: string; readonly description: string }
}

/** A page, and the word that its own scripts carry: no other script runs on it. */
export interface RenderedPage {
  readonly html: string
  /** Random, for this answer alone (CSP Level 3, section 2.3.1). */
  readonly nonce: string
}

/** Puts pages together: web/pages/shell.ts does, and knows the scripts that were built. */
export interface Shell {
  render(spec: PageSpec): RenderedPage
}
