/** Text in the form in which it is searched: letters look the same however they are encoded. */
export const searchable = (text: string) => text.normalize('NFKC').toLowerCase()
