/** Text in the form in which it is searched: letters look the same however they are encoded. */
export const searchable = (text: string) => text.normalize('NFKC').toLowerCase()

/** Whether a text contains each of these words. */
export const hasWords = (text: string, words: string) =>
  searchable(words)
    .split(/\s+/)
    .every((word) => searchable(text).includes(word))
