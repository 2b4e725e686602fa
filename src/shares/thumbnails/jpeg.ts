import { CodedError } from '../../lib/errors.ts'

/** Twice what senders make: a browser decodes it into 1.6 MB. */
export const thumbnailSideMax = 640
/** Encoders write up to ten, and each makes the browser go through the whole picture again. */
export const thumbnailScansMax = 12
/** Gray, or a brightness and two colours. */
const componentCounts = [1, 3]

/** Markers of ISO/IEC 10918-1, annex B, table B.1. */
const startOfImage = 0xffd8
const endOfImage = 0xffd9
const startOfScan = 0xffda
/** Baseline, extended sequential and progressive, with Huffman coding: SOF0 to SOF2. */
const frames = [0xffc0, 0xffc1, 0xffc2]
const application2 = 0xffe2
/** DHT, DQT, DRI, comments, and data of applications. */
const isOther = (marker: number) =>
  [0xffc4, 0xffdb, 0xffdd, 0xfffe].includes(marker) || (marker >= 0xffe0 && marker <= 0xffef)

/**
 * Refuses pictures that cost a browser more than a thumbnail may: 643 bytes of a progressive JPEG
 * can decode into 900 MB. Reads only the markers, and decodes nothing.
 * @throws CodedError not_a_jpeg
 */
export function requireSmallJpeg(body: Buffer): void {
  if (!isSmallJpeg(body)) throw new CodedError('not_a_jpeg')
}

function isSmallJpeg(body: Buffer): boolean {
  if (markerAt(body, 0) !== startOfImage) return false
  let hasFrame = false
  let scans = 0
  for (let at = 2; ;) {
    const marker = markerAt(body, at)
    // Nothing may follow: browsers take a second picture there as the gain map of the first one.
    if (marker === endOfImage) return scans > 0 && at + 2 === body.length
    const segment = segmentAt(body, at)
    if (!segment) return false
    at += 2 + segment.length
    if (frames.includes(marker)) {
      if (hasFrame || !isSmallFrame(segment)) return false
      hasFrame = true
    } else if (marker === startOfScan) {
      scans += 1
      if (!hasFrame || scans > thumbnailScansMax) return false
      at = endOfScan(body, at)
    } else if (!isOther(marker) || (marker === application2 && hasMorePictures(segment))) {
      return false
    }
  }
}

/** 0 after the end. */
const markerAt = (body: Buffer, at: number) => (at + 2 <= body.length ? body.readUInt16BE(at) : 0)

/** The parameters of a marker, with their length; null if they are not all in the body. */
function segmentAt(body: Buffer, at: number): Buffer | null {
  const length = markerAt(body, at + 2)
  const end = at + 2 + length
  return length >= 2 && end <= body.length ? body.subarray(at + 2, end) : null
}

/** Length, precision, height, width, and three bytes for each component (B.2.2). */
function isSmallFrame(frame: Buffer): boolean {
  const components = frame[7] ?? 0
  if (!componentCounts.includes(components) || frame.length !== 8 + 3 * components) return false
  const [height, width] = [frame.readUInt16BE(3), frame.readUInt16BE(5)]
  // A height of 0 would be in the body later.
  return frame[2] === 8 && [height, width].every((side) => side >= 1 && side <= thumbnailSideMax)
}

/** An index of further pictures in the same file (CIPA DC-007), which browsers may decode. */
const hasMorePictures = (segment: Buffer) => segment.toString('latin1', 2, 6) === 'MPF\0'

/** The place of the first marker after the coded data, which restart markers do not end. */
function endOfScan(body: Buffer, start: number): number {
  let at = body.indexOf(0xff, start)
  while (at >= 0) {
    const next = body[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
    at = body.indexOf(0xff, at + 1)
  }
  return body.length
}
