/** A typed or pasted code without blanks: apps show codes in groups. */
export const codeIn = (typed: string) => typed.replaceAll(/\s/g, '')
