// Thumbnails of pictures and films, drawn from their files: only the pixels of a canvas get into
// them, so they have no location, time or camera.
import { decode } from './decoding.ts'
import { isFilm } from './film.ts'
import { sizeOfPicture, type Size } from './picture-size.ts'

/** Limit of the service. */
const jpegBytesMax = 16 * 1024
/** Longer side of a thumbnail. */
const pixelsMax = 320
const qualities = [0.75, 0.5, 0.1]
/** Reading a larger picture takes longer than its thumbnail is worth. */
const pictureBytesMax = 60_000_000
/** Decoded, each takes four bytes, however few bytes the file has. */
const decodedPixelsMax = 64_000_000
/** A longer strip of pixels would become a line. */
const ratioMax = 16
/** A busy page gets to it at last. */
const idleMsMax = 2000

const pictures = /^image\/(jpeg|png|webp|gif|avif|heic|heif)$/

/** A JPEG of at most 16 KiB; null for other files, and for pictures that cannot be drawn. */
export async function thumbnailOf(file: unknown): Promise<Blob | null> {
  if (!(file instanceof Blob)) return null
  const side = await sideOf(file)
  if (!side) return null
  await idle()
  const bitmap = await decode(file, { ...side, resizeQuality: 'medium' })
  try {
    return await encode(bitmap)
  } finally {
    bitmap.close()
  }
}

/** The longer side after drawing; null for what cannot be drawn. The size of films is not known. */
async function sideOf(file: Blob): Promise<ImageBitmapOptions | null> {
  if (isFilm(file)) return { resizeWidth: pixelsMax }
  if (!pictures.test(file.type) || file.size > pictureBytesMax) return null
  const size = await sizeOfPicture(file)
  if (!size || !isDrawable(size)) return null
  const longer = Math.min(pixelsMax, Math.max(size.width, size.height))
  return size.width > size.height ? { resizeWidth: longer } : { resizeHeight: longer }
}

/** Safari has no idle callbacks. */
function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: idleMsMax })
    else setTimeout(resolve)
  })
}

function isDrawable({ width, height }: Size): boolean {
  const isShaped = width > 0 && height > 0 && Math.max(width / height, height / width) <= ratioMax
  return isShaped && width * height <= decodedPixelsMax
}

async function encode(bitmap: ImageBitmap): Promise<Blob | null> {
  // A picture that is turned by its orientation may be longer than was asked for.
  const scale = Math.min(1, pixelsMax / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, bitmap.width * scale)
  canvas.height = Math.max(1, bitmap.height * scale)
  const context = canvas.getContext('2d')
  if (!context) return null
  // JPEG has no transparency, and most such pictures are drawn for a light background.
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  for (const quality of qualities) {
    const jpeg = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, 'image/jpeg', quality)
    })
    // A browser may encode it as something else.
    if (jpeg?.type !== 'image/jpeg') return null
    if (jpeg.size <= jpegBytesMax) return jpeg
  }
  return null
}
