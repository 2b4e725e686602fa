import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodingOf, type TextEncoding } from '../../src/lib/text-encoding.ts'

const encodings = suite('text encodings')

const texts: [title: string, bytes: Buffer, isWhole: boolean, encoding: TextEncoding][] = [
  ['nothing', Buffer.alloc(0), true, 'utf-8'],
  ['ASCII', Buffer.from('hello'), true, 'utf-8'],
  ['UTF-8', Buffer.from('grün €'), true, 'utf-8'],
  ['UTF-8 with a mark', Buffer.from('\ufeffgrün'), true, 'utf-8'],
  ['the start of a character', Buffer.from('grün €').subarray(0, -1), false, 'utf-8'],
  ['a broken end', Buffer.from('caf\u00e9', 'latin1'), true, 'windows-1252'],
  ['Windows-1252', Buffer.from('gr\u00fcn und blau', 'latin1'), false, 'windows-1252'],
  ['UTF-16 of Windows', Buffer.from('\ufeffgrün', 'utf16le'), true, 'utf-16le'],
  ['UTF-16 of old Macs', Buffer.from('\ufeffgrün', 'utf16le').swap16(), true, 'utf-16be'],
]

for (const [title, bytes, isWhole, encoding] of texts) {
  encodings(`should recognise ${title}`, () => {
    assert.is(encodingOf(bytes, isWhole), encoding)
    if (isWhole) assert.not.match(new TextDecoder(encoding).decode(bytes), '\ufffd')
  })
}

encodings.run()
