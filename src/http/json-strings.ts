import type { JSONParser } from '@streamparser/json'
import { NonBufferedString } from '@streamparser/json/utils/bufferedString.js'

/** Gathers a string as the library does, but keeps U+FEFF: inside a string it is no byte order. */
class WholeString extends NonBufferedString {
  constructor() {
    super()
    this['decoder'] = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  }
}

/**
 * Makes the parser keep U+FEFF, which it drops where one begins a run of characters beyond ASCII.
 * The library has no option for it; a test fails if it renames the properties used here.
 */
export function keepEveryCharacter(parser: JSONParser): void {
  parser['tokenizer']['bufferedString'] = new WholeString()
}
