/** Shorter texts are normalized as a whole. */
const wholeLengthMax = 512
/** Text up to its next marks, with at most 32 of them (UAX #15 section 13 allows 30). */
const piece = /\P{M}*\p{M}{0,32}/gu

/**
 * `String.prototype.normalize` for text from clients. ICU sorts the marks of one character in
 * quadratic time: 64,000 of them take a second. So in long texts, marks behind the first 32 keep
 * their order.
 */
export function normalize(text: string, form: 'NFC' | 'NFD' | 'NFKC'): string {
  if (text.length <= wholeLengthMax) return text.normalize(form)
  return text.replaceAll(piece, (found) => found.normalize(form))
}
