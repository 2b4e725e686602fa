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

/** The pages of the web UI: each has its own script (src/web/entry/). */
export type PageEntry = 'app' | 'share' | 'guest' | 'login' | 'setup'

export interface PageSpec {
  readonly entry: PageEntry
  /** Text. */
  readonly title: string
  /** HTML of ours: what is there before the script runs, or without it. */
  readonly body: string
  /** What the script needs to know at once, as JSON. */
  readonly data?: unknown
  /** Text for link previews. */
  readonly description?: string
}

/** Puts pages together: pages/shell.ts does, and knows the scripts that were built. */
export interface Shell {
  render(spec: PageSpec): string
}
