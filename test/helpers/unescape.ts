const signs: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
}

/** The text of escaped HTML. */
export const unescape = (html: string): string =>
  html.replaceAll(/&(#?\w+);/g, (_, name: string) => signs[name]!)
