// Archives made by hand, block by block.

export interface Fields {
  readonly name?: string | Buffer
  readonly prefix?: string
  /** A number is written in octal; a Buffer as it is. */
  readonly size?: number | Buffer
  readonly time?: number | Buffer
  readonly type?: string
  readonly magic?: string
  readonly linkTarget?: string
  readonly checksum?: 'unsigned' | 'signed' | 'wrong'
}

const posix = 'ustar\x0000'
export const gnu = 'ustar  \0'
export const zeros = Buffer.alloc(512)
export const ending = Buffer.alloc(1024)

export function header(fields: Fields): Buffer {
  const { name = 'file', prefix = '', size = 0, time = 0, type = '0', magic = posix } = fields
  const block = Buffer.alloc(512)
  block.fill(name, 0, Math.min(100, Buffer.byteLength(name)))
  block.write('0000644\0', 100)
  block.write('0001750\x000001750\0', 108)
  block.fill(numberField(size), 124, 136)
  block.fill(numberField(time), 136, 148)
  block.write(type, 156, 'latin1')
  block.write(fields.linkTarget ?? '', 157)
  block.write(magic, 257, 'latin1')
  block.write(prefix, 345)
  const sum = fields.checksum === 'signed' ? signedSum(block) : sumOf(block)
  return sign(block, fields.checksum === 'wrong' ? sum + 1 : sum)
}

function numberField(value: number | Buffer): Buffer {
  if (typeof value !== 'number') return Buffer.concat([value, Buffer.alloc(12)], 12)
  return Buffer.from(`${value.toString(8).padStart(11, '0')}\0`)
}

/** GNU's form of numbers that octal digits cannot hold. */
export function binary(value: bigint): Buffer {
  const field = Buffer.alloc(12)
  field.writeBigInt64BE(value, 4)
  field.fill(value < 0n ? 0xff : 0, 0, 4)
  field[0] = value < 0n ? 0xff : 0x80
  return field
}

function sumOf(block: Buffer): number {
  return block.fill(' ', 148, 156).reduce((sum, byte) => sum + byte, 0)
}

function signedSum(block: Buffer): number {
  return block.fill(' ', 148, 156).reduce((sum, byte) => sum + ((byte << 24) >> 24), 0)
}

function sign(block: Buffer, sum: number): Buffer {
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

export function signAgain(block: Buffer): void {
  sign(block, sumOf(block))
}

/** A header with its content; the size is that of the content unless the fields say another. */
export function entry(fields: Fields, content: string | Buffer = ''): Buffer {
  const data = Buffer.from(content)
  const padding = Buffer.alloc((512 - (data.length % 512)) % 512)
  return Buffer.concat([header({ size: data.length, ...fields }), data, padding])
}

/** A sparse file in the old form of GNU: up to four runs of data in the header, 21 in a block. */
export function oldSparse(
  size: number,
  runs: readonly (readonly [offset: number, bytes: number])[],
  data: string,
): Buffer {
  const head = header({ type: 'S', magic: gnu, size: data.length })
  const write = (block: Buffer, at: number, some: typeof runs) => {
    for (const [n, [offset, bytes]] of some.entries()) {
      block.fill(numberField(offset), at + n * 24, at + n * 24 + 12)
      block.fill(numberField(bytes), at + n * 24 + 12, at + n * 24 + 24)
    }
  }
  write(head, 386, runs.slice(0, 4))
  head.fill(numberField(size), 483, 495)
  const blocks: Buffer[] = []
  for (let start = 4; start < runs.length; start += 21) {
    const block = Buffer.alloc(512)
    write(block, 0, runs.slice(start, start + 21))
    if (start + 21 < runs.length) block[504] = 1
    blocks.push(block)
  }
  if (blocks.length > 0) head[482] = 1
  signAgain(head)
  const padding = Buffer.alloc((512 - (data.length % 512)) % 512)
  return Buffer.concat([head, ...blocks, Buffer.from(data), padding])
}

/** `"%d %s=%s\n"`, where the length counts itself. */
function record(keyword: string, value: string | Buffer): Buffer {
  const rest = Buffer.concat([Buffer.from(` ${keyword}=`), Buffer.from(value), Buffer.from('\n')])
  let length = rest.length
  while (String(length).length + rest.length !== length) {
    length = rest.length + String(length).length
  }
  return Buffer.concat([Buffer.from(String(length)), rest])
}

export function pax(records: Record<string, string | Buffer>, type = 'x'): Buffer {
  const body = Object.entries(records).map(([keyword, value]) => record(keyword, value))
  return entry({ name: 'PaxHeaders/file', type }, Buffer.concat(body))
}

export function longName(name: string | Buffer, type = 'L'): Buffer {
  const body = Buffer.concat([Buffer.from(name), Buffer.alloc(1)])
  return entry({ name: '././@LongLink', type, magic: gnu }, body)
}
