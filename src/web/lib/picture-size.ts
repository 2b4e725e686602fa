// Reads how many pixels a picture has without decoding it: a file of 1 MB can hold 400 million.

/** Marker segments of a JPEG before its frame; cameras write about ten. */
const segmentsMax = 200
/** Tables, and a reserved marker, among the markers of frames. */
const notFrames = [0xffc4, 0xffc8, 0xffcc]
/** Where AVIF and HEIC name the sizes of their images. */
const boxBytesMax = 16 * 1024

export interface Size {
  readonly width: number
  readonly height: number
}

/** @returns null for what is none of the known formats, or is broken */
export async function sizeOfPicture(file: Blob): Promise<Size | null> {
  try {
    const head = await viewOf(file, 0, 30)
    switch (head.getUint32(0)) {
      case 0x89504e47: // PNG
        return { width: head.getUint32(16), height: head.getUint32(20) }
      case 0x47494638: // GIF8
        return { width: head.getUint16(6, true), height: head.getUint16(8, true) }
      case 0x52494646: // RIFF
        return sizeOfWebp(head)
    }
    if (head.getUint16(0) === 0xffd8) return await sizeOfJpeg(file)
    return head.getUint32(4) === 0x66747970 ? await sizeOfBoxes(file) : null // ftyp
  } catch {
    // It ends too early, or cannot be read.
    return null
  }
}

async function viewOf(file: Blob, start: number, bytes: number): Promise<DataView> {
  return new DataView(await file.slice(start, start + bytes).arrayBuffer())
}

/** The segments before the frame may be longer than the first part of a file: they are skipped. */
async function sizeOfJpeg(file: Blob): Promise<Size | null> {
  let start = 2
  for (let segment = 0; segment < segmentsMax; segment++) {
    const view = await viewOf(file, start, 9)
    const marker = view.getUint16(0)
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf
    if (isFrame && !notFrames.includes(marker))
      return { width: view.getUint16(7), height: view.getUint16(5) }
    if (marker < 0xff01) return null
    // A marker may follow further bytes of 0xff.
    start += marker === 0xffff ? 1 : 2 + view.getUint16(2)
  }
  return null
}

function sizeOfWebp(head: DataView): Size | null {
  const bits = head.getUint32(21, true)
  switch (head.getUint32(12)) {
    case 0x56503820: // VP8 and a space
      return { width: head.getUint16(26, true) & 0x3fff, height: head.getUint16(28, true) & 0x3fff }
    case 0x5650384c: // VP8L
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
    case 0x56503858: // VP8X
      return {
        width: (head.getUint32(23, true) >>> 8) + 1,
        height: (head.getUint32(26, true) >>> 8) + 1,
      }
  }
  return null
}

/** The largest of the images in an AVIF or HEIC: its tiles, masks and previews have sizes too. */
async function sizeOfBoxes(file: Blob): Promise<Size | null> {
  const view = await viewOf(file, 0, boxBytesMax)
  let found: Size | null = null
  for (let place = 0; place + 16 <= view.byteLength; place++) {
    if (view.getUint32(place) !== 0x69737065) continue // ispe
    const [width, height] = [view.getUint32(place + 8), view.getUint32(place + 12)]
    if (!found || width * height > found.width * found.height) found = { width, height }
  }
  return found
}
