import { escapeHtml } from '../../../http/html.ts'

/** What specimens take from the product: the drawings of its icons, on a grid of 24. */
export interface Icons {
  readonly ui: Readonly<Record<string, string>>
  /** Icons of files, by kind. */
  readonly files: Readonly<Record<string, string>>
}

/** A group of controls on the page. */
export interface Group {
  readonly anchor: string
  readonly title: string
  /** When to use what. */
  readonly text: string
  readonly html: string
  /** Light above dark instead of beside it. */
  readonly isWide?: boolean
}

export function icon(path: string | undefined, more = ''): string {
  if (path === undefined) throw new Error('design: there is no icon of this name')
  const look = classes('icon', more)
  return `<svg class="${look}" viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`
}

/** States of a control: what is shown below it, and the classes for it. */
const pointed = [
  ['Rest', ''],
  ['Hover', 'is-hover'],
  ['Pressed', 'is-hover is-active'],
  ['Focus', 'is-focus'],
] as const

/** A control in the states of pointer and keyboard, and in more. */
export function inStates(
  control: (classes: string) => string,
  more: readonly (readonly [state: string, html: string])[] = [],
): string {
  const shown = pointed.map(([state, classes]) => inState(state, control(classes)))
  return [...shown, ...more.map(([state, html]) => inState(state, html))].join('\n')
}

export function inState(state: string, html: string): string {
  return `<figure>${html}<figcaption>${escapeHtml(state)}</figcaption></figure>`
}

/** A line of figures with its name. */
export function line(name: string, html: string): string {
  return `<p class="what">${escapeHtml(name)}</p>\n<div class="figures-line">${html}</div>`
}

/** Several classes, of which some may be ''. */
export function classes(...all: readonly string[]): string {
  return all.filter(Boolean).join(' ')
}
