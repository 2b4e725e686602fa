import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { requireSmallJpeg } from '../../../src/shares/thumbnails/jpeg.ts'
import { CodedError } from '../../../src/lib/errors.ts'
import * as parts from './jpegs.ts'

const jpeg = suite('thumbnails: small JPEGs')

const { startOfImage, quantization, huffman, scan, endOfImage, frame, segment, jpegOf } = parts
const head = [startOfImage, quantization, huffman]
const exif = segment(0xe1, Buffer.from('Exif\0\0'))
const restarts = Buffer.from([0xff, 0x00, 0xff, 0xd0, 0x01, 0xff, 0xd7])
const pictures = segment(0xe2, Buffer.from('MPF\0'))

function isTaken(body: Buffer): boolean {
  try {
    requireSmallJpeg(body)
    return true
  } catch (error) {
    assert.ok(error instanceof CodedError, String(error))
    assert.is(error.code, 'not_a_jpeg')
    return false
  }
}

const taken: Record<string, Buffer[]> = {
  'a gray dot': [jpegOf('')],
  'the largest size': [...head, frame({ width: 640, height: 640 }), scan, endOfImage],
  'three components': [...head, frame({ components: 3 }), scan, scan, scan, endOfImage],
  'twelve progressive scans': [...head, frame({ kind: 2 }), ...Array(12).fill(scan), endOfImage],
  'data of applications': [startOfImage, exif, quantization, huffman, frame(), scan, endOfImage],
  'escaped and restarted data': [...head, frame(), scan, restarts, endOfImage],
  'tables between scans': [...head, frame({ kind: 2 }), scan, huffman, scan, endOfImage],
}
for (const [what, body] of Object.entries(taken)) {
  jpeg(`should take ${what}`, () => {
    assert.ok(isTaken(Buffer.concat(body)))
  })
}

const wide = { width: 640, height: 640 }
const refused: Record<string, Buffer[]> = {
  'no bytes': [],
  'another format': [Buffer.from('RIFF\0\0\0\0WEBPVP8 ')],
  'three bytes of a JPEG': [Buffer.from([0xff, 0xd8, 0xff])],
  'a width above 640': [...head, frame({ ...wide, width: 641 }), scan, endOfImage],
  'a height above 640': [...head, frame({ ...wide, height: 641 }), scan, endOfImage],
  'no width': [...head, frame({ width: 0 }), scan, endOfImage],
  'a height that comes later': [...head, frame({ height: 0 }), scan, endOfImage],
  'a bomb': [...head, frame({ width: 20_000, height: 20_000, kind: 2 }), scan, endOfImage],
  'two components': [...head, frame({ components: 2 }), scan, endOfImage],
  'four components': [...head, frame({ components: 4 }), scan, endOfImage],
  'lossless frames': [...head, frame({ kind: 3 }), scan, endOfImage],
  'arithmetic coding': [...head, frame({ kind: 9 }), scan, endOfImage],
  'a second frame': [...head, frame(), scan, frame({ width: 20_000 }), scan, endOfImage],
  'thirteen scans': [...head, frame({ kind: 2 }), ...Array(13).fill(scan), endOfImage],
  'no frame': [...head, endOfImage],
  'a scan before its frame': [...head, scan, frame(), scan, endOfImage],
  'no scan': [...head, frame(), endOfImage],
  'no end': [...head, frame(), scan],
  'a segment that is longer than the body': [startOfImage, Buffer.from([0xff, 0xfe, 0xff, 0xff])],
  'a segment without its length': [...head, Buffer.from([0xff, 0xfe, 0, 1]), frame(), scan],
  'a frame that is cut off': [startOfImage, segment(0xc0, [8, 0, 1, 0, 1]), scan, endOfImage],
  'bytes between segments': [...head, Buffer.from('x'), frame(), scan, endOfImage],
  'a second picture': [jpegOf(''), jpegOf('')],
  'an index of pictures': [...head, pictures, frame(), scan, endOfImage],
}
for (const [what, body] of Object.entries(refused)) {
  jpeg(`should refuse ${what}`, () => {
    assert.not.ok(isTaken(Buffer.concat(body)))
  })
}

jpeg('should take or refuse any bytes', () => {
  const part = fc.constantFrom(...head, frame(), scan, endOfImage, exif, pictures, restarts)
  const any = fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes))
  fc.assert(
    fc.property(fc.array(fc.oneof(part, any)), (body) => {
      isTaken(Buffer.concat([startOfImage, ...body]))
    }),
    { numRuns: 2000 },
  )
})
