// The rules of "Counting" (design, section 6): requests, their answers, and the count of the
// share afterwards. Played by counting.test.ts.

const dayMs = 24 * 3_600_000
/** More than the kernel buffers for a connection that is not read. */
export const bigBytes = 24 * 1024 * 1024
export const smallBytes = 1000

/**
 * One request of a story, and the count of the share afterwards. Ann and curl are at one address,
 * Bob and wget at another.
 */
export type Step = [
  who: 'ann' | 'curl' | 'bob' | 'wget',
  asks: 'big' | 'small' | 'look' | 'preview' | 'archive' | 'selection' | 'metadata' | 'page',
  status: number,
  count: number,
  more?: {
    method?: 'HEAD'
    headers?: Record<string, string>
    /** Disconnects after a megabyte: all that came before is certainly on its way. */
    breaks?: true
    /** Time that passes before the request. */
    afterMs?: number
    /** Bytes of the body, where they matter. */
    length?: number
  },
]

/** The header of a client that resumes. */
export function from(start: number): { range: string } {
  return { range: `bytes=${start}-` }
}

export interface Story {
  title: string
  maxDownloads: number
  steps: Step[]
}

export const stories: Story[] = [
  {
    title: 'let one client take each file and the archive, and no other client anything',
    maxDownloads: 1,
    steps: [
      ['ann', 'small', 200, 1, { length: smallBytes }],
      ['ann', 'big', 200, 1, { length: bigBytes }],
      ['ann', 'archive', 200, 1],
      ['ann', 'small', 410, 1],
      ['curl', 'small', 410, 1],
      ['bob', 'small', 410, 1],
      ['bob', 'archive', 410, 1],
      ['bob', 'small', 410, 1, { headers: from(1) }],
      ['bob', 'preview', 410, 1],
    ],
  },
  {
    title: 'answer every public read 410 at the limit, except with a lease',
    maxDownloads: 1,
    steps: [
      ['ann', 'archive', 200, 1],
      ['bob', 'metadata', 410, 1],
      ['bob', 'page', 410, 1],
      ['bob', 'archive', 410, 1, { method: 'HEAD' }],
      ['curl', 'metadata', 410, 1],
      ['ann', 'metadata', 200, 1],
      ['ann', 'page', 200, 1],
      ['ann', 'archive', 200, 1, { method: 'HEAD' }],
      ['ann', 'metadata', 410, 1, { afterMs: dayMs }],
    ],
  },
  {
    title: 'never count HEAD, 304, 412 and 416, nor issue a lease for them',
    maxDownloads: 1,
    steps: [
      ['bob', 'small', 200, 0, { method: 'HEAD' }],
      ['bob', 'archive', 200, 0, { method: 'HEAD' }],
      ['bob', 'small', 304, 0, { headers: { 'if-none-match': '*' } }],
      ['bob', 'archive', 304, 0, { headers: { 'if-none-match': '*' } }],
      ['bob', 'small', 412, 0, { headers: { 'if-match': '"x"' } }],
      ['bob', 'small', 416, 0, { headers: from(smallBytes) }],
      ['bob', 'metadata', 200, 0],
      ['bob', 'small', 200, 1],
    ],
  },
  {
    title: 'let a broken download be resumed without a cookie only from the same address',
    maxDownloads: 1,
    steps: [
      ['curl', 'big', 200, 1, { breaks: true }],
      ['wget', 'big', 410, 1, { headers: from(1_000_000) }],
      ['curl', 'archive', 410, 1, { headers: from(1_000_000) }],
      ['curl', 'small', 410, 1, { headers: from(500) }],
      ['curl', 'big', 410, 1, { headers: from(0) }],
      ['curl', 'big', 410, 1, { headers: { range: 'bytes=9-8' } }],
      ['curl', 'big', 410, 1, { headers: { range: 'bytes=1-2,4-5' } }],
      ['curl', 'big', 410, 1, { headers: { ...from(1_000_000), 'if-range': '"another version"' } }],
      ['curl', 'big', 206, 1, { headers: from(1_000_000), length: bigBytes - 1_000_000 }],
      ['curl', 'big', 410, 1],
    ],
  },
  {
    // Each has paid for its own; the latest of their leases alone does not pay for all of them.
    title: 'let all clients of one address resume, as many as were counted',
    maxDownloads: 3,
    steps: [
      ['curl', 'big', 200, 1, { breaks: true }],
      ['curl', 'big', 200, 2, { breaks: true, afterMs: 1000 }],
      ['curl', 'big', 200, 3, { breaks: true, afterMs: 1000 }],
      ['curl', 'big', 206, 3, { headers: from(1_000_000) }],
      ['curl', 'big', 206, 3, { headers: from(1_000_000) }],
      ['curl', 'big', 206, 3, { headers: from(1_000_000) }],
    ],
  },
  {
    title: 'let a lease live for 24 hours',
    maxDownloads: 1,
    steps: [
      ['ann', 'big', 200, 1, { breaks: true }],
      ['ann', 'big', 206, 1, { afterMs: dayMs - 1000, headers: from(bigBytes - 10) }],
      ['curl', 'big', 206, 1, { headers: from(bigBytes - 10) }],
      ['ann', 'big', 410, 1, { afterMs: 1000, headers: from(bigBytes - 10) }],
      ['curl', 'big', 410, 1, { headers: from(bigBytes - 10) }],
    ],
  },
  {
    title: 'answer an unpaid range in full, and count it, where a limit is set',
    maxDownloads: 3,
    steps: [
      ['bob', 'small', 200, 1, { headers: from(500), length: smallBytes }],
      ['ann', 'small', 200, 2, { headers: { range: 'bytes=0-9' }, length: smallBytes }],
      ['curl', 'selection', 200, 3, { headers: { range: 'bytes=-9' } }],
      ['wget', 'small', 206, 3, { headers: from(1), length: 999 }],
    ],
  },
  {
    title: 'answer an unpaid range as requested, and count it, where no limit is set',
    maxDownloads: 0,
    steps: [
      ['bob', 'small', 206, 1, { headers: from(500), length: 500 }],
      ['bob', 'small', 206, 1, { headers: from(600), length: 400 }],
      ['wget', 'small', 206, 1, { headers: from(900), length: 100 }],
      ['curl', 'small', 206, 2, { headers: from(900), length: 100 }],
    ],
  },
  {
    title: 'count a client again that has taken the archive two times',
    maxDownloads: 0,
    steps: [
      ['ann', 'archive', 200, 1],
      ['ann', 'archive', 200, 1],
      ['ann', 'archive', 200, 2],
      ['ann', 'small', 200, 2],
      ['ann', 'small', 200, 3, { afterMs: dayMs }],
    ],
  },
  {
    // Twice the share for downloads, and as much for previews.
    title: 'let a client that has previewed everything download everything, and each file',
    maxDownloads: 1,
    steps: [
      ['ann', 'look', 200, 1, { length: bigBytes }],
      ['ann', 'preview', 200, 1, { length: smallBytes }],
      ['ann', 'archive', 200, 1],
      ['ann', 'big', 200, 1, { length: bigBytes }],
      ['ann', 'big', 410, 1],
      ['ann', 'look', 200, 1, { length: bigBytes }],
      ['ann', 'look', 410, 1],
      ['ann', 'preview', 200, 1],
      ['ann', 'preview', 410, 1],
      ['bob', 'preview', 410, 1],
    ],
  },
  {
    // Twice (big + small) = 2 big + 2000 bytes, to the byte.
    title: 'let a lease pay for twice the bytes of the share and no more',
    maxDownloads: 1,
    steps: [
      ['ann', 'big', 200, 1],
      ['ann', 'big', 206, 1, { headers: from(1) }],
      ['curl', 'big', 206, 1, { headers: from(bigBytes - 1998) }],
      ['ann', 'big', 410, 1, { headers: from(bigBytes - 4) }],
      ['curl', 'big', 410, 1, { headers: from(bigBytes - 4) }],
      ['curl', 'big', 206, 1, { headers: from(bigBytes - 3) }],
      ['ann', 'big', 410, 1, { headers: from(bigBytes - 1) }],
    ],
  },
]
