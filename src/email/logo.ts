/** A picture that an email carries with it. */
export interface EmbeddedLogo {
  readonly contentType: string
  /** Base64. */
  readonly data: string
  /** As shown, in pixels. */
  readonly width: number
  readonly height: number
}

/** Where the message holds the logo: see smtp.ts. */
export const logoContentId = 'logo'
/** The size of the product's mark, which stands beside the name where there is no logo. */
export const markSize: Size = { width: 28, height: 28 }
/** In a rendered email, with its alternative text and its size. */
const shownLogo = /<img [^>]*src="cid:logo" alt="([^"]*)" (width="\d+" height="\d+")[^>]*>/

/** Email programs show no SVG, and old ones no WebP. */
const logoPattern = /^data:(image\/(?:png|jpeg));base64,(.*)$/s
/** Each email has its own copy. */
const bytesMax = 64 * 1024
const widthMax = 200
const heightMax = 40

/** The logo of the settings, if emails can carry it; otherwise null. */
export function embeddableLogo(dataUrl: string): EmbeddedLogo | null {
  const [, contentType, data] = logoPattern.exec(dataUrl) ?? []
  if (contentType === undefined || data === undefined) return null
  const bytes = Buffer.from(data, 'base64')
  if (bytes.length > bytesMax) return null
  const size = contentType === 'image/png' ? pngSize(bytes) : jpegSize(bytes)
  if (!size || size.width === 0 || size.height === 0) return null
  const scale = Math.min(1, widthMax / size.width, heightMax / size.height)
  return {
    contentType,
    data,
    width: Math.max(1, Math.round(size.width * scale)),
    height: Math.max(1, Math.round(size.height * scale)),
  }
}

export function embeddedMark(png: Buffer): EmbeddedLogo {
  return { contentType: 'image/png', data: png.toString('base64'), ...markSize }
}

export function sizeOf({ width, height }: Size): string {
  return `width="${width}" height="${height}"`
}

/** A rendered email with the logo of now, which may be another or none. */
export function withLogo(html: string, logo: EmbeddedLogo | null): string {
  return html.replace(shownLogo, (image, name: string, size: string) =>
    logo ? image.replace(size, sizeOf(logo)) : `<b>${name}</b>`,
  )
}

interface Size {
  readonly width: number
  readonly height: number
}

/** PNG, section 11.2.1: IHDR comes first. */
function pngSize(bytes: Buffer): Size | null {
  const isPng = bytes.length >= 24 && bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n'
  return isPng ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : null
}

/** ITU T.81, annex B: the size is in the frame header (SOF0 to SOF15). */
function jpegSize(bytes: Buffer): Size | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1]!
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}
