import type { JSONParser } from '@streamparser/json'
import { NonBufferedString } from '@streamparser/json/utils/bufferedString.js'

/** Gathers a string like the library, but keeps U+FEFF, which is no byte order mark in a string. */
class WholeString extends NonBufferedString {
  constructor() {
    super()
    this['decoder'] = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  }
}

/**
 * Makes the parser keep U+FEFF, which it drops at the start of a run of non-ASCII characters. The
 * library has no option for this; a test fails if it renames the properties used here.
 */
export function keepEveryCharacter(parser: JSONParser): void {
  parser['tokenizer']['bufferedString'] = new WholeString()
}
