import { CodedError } from '../lib/errors.ts'

const depthMax = 64
const itemBytesMax = 96 * 1024
/** Keeps U+FEFF, which is an ordinary character in a JSON string. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const bracket = 0x5b
const closingBracket = 0x5d
const brace = 0x7b
const closingBrace = 0x7d

/**
 * Splits a JSON object into the items of one list and the text around them as it arrives, so that
 * no long list is in memory as text and no parser works on it at once. JSON.parse decides whether
 * each of these texts is JSON; this class only finds where they end. It also limits the nesting of
 * arrays and objects, because code that walks a value recurses for each level.
 */
export class JsonSplitter {
  readonly #list: string | null
  readonly #onItem: (item: unknown) => void
  /** The body, in which the list is empty. */
  readonly #outer: Text
  readonly #item = new Text(itemBytesMax)
  #depth = 0
  #isInString = false
  #isEscaped = false
  #isInList = false
  #items: number | null = null
  /** Place of the latest string of the top level, which may be a key. */
  #key = { from: 0, to: 0 }

  /**
   * @param list key of the list; null without one
   * @param onItem called with each item in order
   */
  constructor(list: string | null, outerBytesMax: number, onItem: (item: unknown) => void) {
    this.#list = list
    this.#onItem = onItem
    this.#outer = new Text(outerBytesMax)
  }

  /** Whether the list has begun. */
  get hasList(): boolean {
    return this.#items !== null
  }

  get isEmpty(): boolean {
    return this.#outer.length === 0
  }

  /** @throws CodedError invalid_json; errors of `onItem` */
  take(data: Buffer): void {
    let start = 0
    /** Adds the bytes before a place to the text that they belong to. */
    const cut = (end: number) => {
      ;(this.#isInList ? this.#item : this.#outer).add(data.subarray(start, end))
      start = end
    }
    for (let place = 0; place < data.length; place += 1) {
      const byte = data[place]!
      if (this.#isEscaped) {
        this.#isEscaped = false
      } else if (this.#isInString) {
        if (byte === backslash) this.#isEscaped = true
        if (byte !== quote) continue
        this.#isInString = false
        if (this.#depth === 1) this.#key.to = this.#outer.length + place + 1 - start
      } else if (byte === quote) {
        this.#isInString = true
        if (this.#depth === 1) this.#key.from = this.#outer.length + place - start
      } else if (byte === bracket || byte === brace) {
        this.#open(byte)
        if (byte !== bracket || this.#depth !== 2) continue
        cut(place + 1)
        this.#isInList = this.#startsList()
      } else if (byte === closingBracket || byte === closingBrace) {
        if (this.#isInList && this.#depth === 2) {
          cut(place)
          this.#endItem(true)
        }
        this.#depth -= 1
      } else if (byte === comma && this.#isInList && this.#depth === 2) {
        cut(place)
        this.#endItem(false)
        start = place + 1
      }
    }
    cut(data.length)
  }

  /**
   * The body, in which the list is empty.
   * @throws CodedError invalid_json, also when it is no object
   */
  finish(): Record<string, unknown> {
    // A byte order mark may be ignored (RFC 8259 section 8.1): some programs of Windows add one.
    const value = parse(this.#outer.read().replace(/^\ufeff/, ''))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notAnObject()
    return value as Record<string, unknown>
  }

  #open(byte: number): void {
    if (this.#depth === 0 && byte === bracket) throw notAnObject()
    this.#depth += 1
    if (this.#depth > depthMax) {
      const message = `Arrays and objects can be nested at most ${depthMax} levels deep.`
      throw new CodedError('invalid_json', { message })
    }
  }

  /** Whether the bracket that was added last is the value of the list's key. */
  #startsList(): boolean {
    const { from, to } = this.#key
    // Forgets the key: many brackets behind it would take quadratic time.
    this.#key = { from: 0, to: 0 }
    if (this.#list === null || to <= from) return false
    if (!/^\s*:\s*\[$/.test(this.#outer.read(to))) return false
    if (parse(this.#outer.read(from, to)) !== this.#list) return false
    if (this.#items !== null) {
      throw new CodedError('invalid_json', { message: `${this.#list} is given twice.` })
    }
    this.#items = 0
    return true
  }

  #endItem(isLast: boolean): void {
    const text = this.#item.read()
    this.#item.length = 0
    if (isLast) this.#isInList = false
    if (isLast && this.#items === 0 && text.trim() === '') return
    this.#items! += 1
    this.#onItem(parse(text))
  }
}

/** Bytes of a text that arrive in pieces. */
class Text {
  readonly #bytesMax: number
  #bytes = Buffer.allocUnsafe(1024)
  length = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  add(data: Buffer): void {
    const length = this.length + data.length
    if (length > this.#bytesMax) {
      throw new CodedError('invalid_json', { message: 'A value of the body is too long.' })
    }
    if (length > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(length, 2 * this.#bytes.length))
      this.#bytes.copy(grown, 0, 0, this.length)
      this.#bytes = grown
    }
    data.copy(this.#bytes, this.length)
    this.length = length
  }

  read(from = 0, to = this.length): string {
    try {
      return decoder.decode(this.#bytes.subarray(from, to))
    } catch (error) {
      throw new CodedError('invalid_json', { cause: error })
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CodedError('invalid_json', { cause: error })
  }
}

function notAnObject(): CodedError {
  return new CodedError('invalid_json', { message: 'The body must be a JSON object.' })
}
