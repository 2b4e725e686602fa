// Chunked answers, which the bench reads itself.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ChunkedBody } from '../../bench/lib/chunked-body.ts'

const chunked = suite('bench: chunked bodies')

chunked('should be read from pieces of any length, to their end', () => {
  const sent = Buffer.from('5\r\nhello\r\nA;x=y\r\n, world\r\n!\r\n0\r\nTrailer: x\r\n\r\n')
  for (let length = 1; length <= sent.length; length++) {
    const content: Buffer[] = []
    const body = new ChunkedBody((data) => content.push(Buffer.from(data)))
    const ends: boolean[] = []
    for (let at = 0; at < sent.length; at += length) {
      ends.push(body.take(sent.subarray(at, at + length)))
    }
    assert.is(Buffer.concat(content).toString(), 'hello, world\r\n!', `pieces of ${length}`)
    assert.is(ends.indexOf(true), ends.length - 1)
  }
})

chunked('should refuse what is no size', () => {
  const body = new ChunkedBody(() => {})
  assert.throws(() => body.take(Buffer.from('hello\r\n')), /no size/)
})

chunked.run()
