// Bodies of content types without a schema, as text of one byte a character.
import { ending, entry } from '../../bytes/archive/tar/blocks.ts'
import { jpegOf } from '../../shares/thumbnails/jpegs.ts'

interface BinaryBody {
  readonly sound: string
  /** Generated bodies are some of these in any order. */
  readonly pieces: readonly string[]
}

const jpegStart = '\xff\xd8\xff\xe0'

export const binaryBodies: Readonly<Record<string, BinaryBody>> = {
  'application/x-tar': {
    sound: asText([entry({ name: 'a.txt' }, 'a'), entry({ name: 'b', type: '2' }), ending]),
    pieces: [
      ...[entry({ name: 'c/d.txt' }, 'content'), entry({ name: '../e' }, 'x'), ending].map(String),
      ...[entry({ name: 'f', type: '5' }), entry({ name: 'g', checksum: 'wrong' })].map(String),
      '\0'.repeat(512),
      'x'.repeat(512),
      'x',
      '',
    ],
  },
  'image/jpeg': {
    sound: asText([jpegOf('a picture')]),
    pieces: [jpegStart, '\xff', '\xd8', '\0'.repeat(512), 'x'.repeat(8192), '<svg>', ''],
  },
}

function asText(blocks: readonly Buffer[]): string {
  return Buffer.concat(blocks).toString('latin1')
}
