import { CodedError } from '../lib/errors.ts'

const depthMax = 64

const quote = 0x22
const backslash = 0x5c
const bracket = 0x5b
const closingBracket = 0x5d
const brace = 0x7b
const closingBrace = 0x7d

/**
 * Counts how deep the arrays and objects of a JSON text lie in each other, byte by byte as they
 * come. Code that walks a value calls itself for each level, so what is parsed must be shallow.
 * Takes any bytes: whether they are JSON at all is the parser's to say.
 */
export class JsonDepth {
  #depth = 0
  #isInString = false
  #isEscaped = false

  /** @throws CodedError invalid_json when more than 64 of them are open at once */
  take(data: Buffer): void {
    let depth = this.#depth
    let isInString = this.#isInString
    let isEscaped = this.#isEscaped
    for (const byte of data) {
      if (isEscaped) {
        isEscaped = false
      } else if (isInString) {
        if (byte === quote) isInString = false
        else if (byte === backslash) isEscaped = true
      } else if (byte === quote) {
        isInString = true
      } else if (byte === bracket || byte === brace) {
        depth += 1
        if (depth > depthMax) throw tooDeep()
      } else if (byte === closingBracket || byte === closingBrace) {
        depth -= 1
      }
    }
    this.#depth = depth
    this.#isInString = isInString
    this.#isEscaped = isEscaped
  }
}

function tooDeep(): CodedError {
  return new CodedError('invalid_json', {
    message: `Arrays and objects can be nested at most ${depthMax} levels deep.`,
  })
}
