// Decodes pictures and films one after the other: a folder of them at once would fill the memory.
import { browserClock, within } from './clock.ts'
import { frameOf, isFilm } from './film.ts'

/** Decodings that did not end in time: each may hold memory, and a thread of the browser. */
const lateMax = 3

let last: Promise<unknown> = Promise.resolve()
let late = 0

/** Rejects pictures and films that the browser cannot decode, or not in time. */
export function decode(picture: Blob, options: ImageBitmapOptions): Promise<ImageBitmap> {
  const decoding = last.then(() => decodeInTime(picture, options))
  last = decoding.catch(() => {})
  return decoding
}

async function decodeInTime(picture: Blob, options: ImageBitmapOptions): Promise<ImageBitmap> {
  if (late >= lateMax) throw new Error('decoding hangs')
  const decoding = isFilm(picture) ? frameOf(picture, options) : createImageBitmap(picture, options)
  const bitmap = await within(browserClock, decoding)
  if (bitmap) return bitmap
  late += 1
  decoding
    .then((unused) => unused.close())
    .catch(() => {})
    .finally(() => (late -= 1))
  throw new Error('decoding took too long')
}
