import { CodedError } from '../lib/errors.ts'

const depthMax = 64

const quote = 0x22
const backslash = 0x5c
const bracket = 0x5b
const closingBracket = 0x5d
const brace = 0x7b
const closingBrace = 0x7d

/**
 * Counts the nesting of arrays and objects in a JSON text, byte by byte as it arrives. Code that
 * walks a value recurses for each level, so parsed values must be shallow. Takes any bytes; the
 * parser decides whether they are JSON.
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
