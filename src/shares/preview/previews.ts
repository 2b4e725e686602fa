import { createHash } from 'node:crypto'
import { inOrder, Permits } from '../../lib/permits.ts'
import { loadLetters, type Letters } from './letters.ts'
import { drawPicture, type PictureTexts } from './picture.ts'
import { encodePng } from './png.ts'

/** Each has about 15 KB. */
const keptMax = 64
/** One takes about 20 ms of a core. */
const atOnceMax = 1
const waitingMax = 20
/** More does not fit into a picture. */
const charactersMax = 200

export interface Picture {
  /** Changes with the picture. */
  readonly etag: string
  readonly png: Buffer
}

/** Pictures of link previews, drawn on request. The latest are kept. */
export class Previews {
  readonly #kept = new Map<string, Promise<Buffer>>()
  readonly #drawing = new Permits(inOrder(atOnceMax), { waitersMax: waitingMax })
  /** Loaded for the first picture. */
  #letters: Letters | null = null

  /** @throws CodedError unavailable while too many others are drawn */
  async picture(texts: PictureTexts): Promise<Picture> {
    const short = Object.entries(texts).map(([key, text]) => [key, text.slice(0, charactersMax)])
    const shown = Object.fromEntries(short) as PictureTexts
    const key = createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 22)
    const kept = this.#kept.get(key)
    if (kept) this.#kept.delete(key)
    const drawing = kept ?? this.#drawing.run(() => this.#draw(shown))
    this.#kept.set(key, drawing)
    if (this.#kept.size > keptMax) this.#kept.delete(this.#kept.keys().next().value!)
    try {
      return { etag: `"${key}"`, png: await drawing }
    } catch (error) {
      if (this.#kept.get(key) === drawing) this.#kept.delete(key)
      throw error
    }
  }

  async #draw(texts: PictureTexts): Promise<Buffer> {
    this.#letters ??= await loadLetters()
    return encodePng(drawPicture(texts, this.#letters))
  }
}
