// JPEGs in their smallest form, from their segments (ISO/IEC 10918-1, annex B).

export function segment(marker: number, parameters: Buffer | readonly number[]): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16BE(0xff00 + marker)
  head.writeUInt16BE(2 + parameters.length, 2)
  return Buffer.concat([head, Buffer.from(parameters)])
}

export const startOfImage = Buffer.from([0xff, 0xd8])
export const endOfImage = Buffer.from([0xff, 0xd9])
export const quantization = segment(0xdb, [0, ...Array<number>(64).fill(1)])
/** One code, of one bit, for direct and for alternating current. */
export const huffman = Buffer.concat(
  [0, 0x10].map((table) => segment(0xc4, [table, 1, ...Array<number>(15).fill(0), 0])),
)
/** A scan of one component, with two codes and the bits after them. */
export const scan = Buffer.concat([segment(0xda, [1, 1, 0, 0, 63, 0]), Buffer.from([0x3f])])

/** Its kind is 0 for baseline, and 2 for progressive. */
export function frame({ width = 1, height = 1, components = 1, kind = 0 } = {}): Buffer {
  const sides = [height >> 8, height & 0xff, width >> 8, width & 0xff]
  const each = Array.from({ length: components }, (_, place) => [place + 1, 0x11, 0])
  return segment(0xc0 + kind, [8, ...sides, components, ...each.flat()])
}

/** A gray dot that programs can open, with any text in its comment. */
export function jpegOf(comment: string): Buffer {
  const before = [startOfImage, segment(0xfe, Buffer.from(comment)), quantization]
  return Buffer.concat([...before, frame(), huffman, scan, endOfImage])
}
