const blockBytes = 512

/** A ustar archive of files of the same bytes (POSIX pax, "ustar Interchange Format"). */
export function tarOf(names: readonly string[], content: readonly Buffer[]): Buffer[] {
  const size = content.reduce((sum, data) => sum + data.length, 0)
  const padding = Buffer.alloc(-size & (blockBytes - 1))
  const files = names.flatMap((name) => [headerOf(name, size), ...content, padding])
  return joined([...files, Buffer.alloc(2 * blockBytes)])
}

function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(blockBytes)
  header.write(name, 0)
  header.write('0000644\x000000000\x000000000\x00', 100)
  header.write(`${size.toString(8).padStart(11, '0')} 00000000000 `, 124)
  header.write('        0', 148)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\x00 `, 148)
  return header
}

/** In pieces of 1 MiB, so that the client spends its time on few writes. */
function joined(buffers: readonly Buffer[]): Buffer[] {
  const whole = Buffer.concat(buffers)
  const pieceBytes = 1024 * 1024
  const count = Math.ceil(whole.length / pieceBytes)
  return Array.from({ length: count }, (_, place) =>
    whole.subarray(place * pieceBytes, (place + 1) * pieceBytes),
  )
}
