/** A typed or pasted code without blanks: apps show codes in groups. */
export function codeIn(typed: string): string {
  return typed.replaceAll(/\s/g, '')
}
