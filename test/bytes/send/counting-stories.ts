// The rules of "Counting" (design, section 6): requests, their answers, and the count of the
// share afterwards. Played by counting.test.ts.

const dayMs = 24 * 3_600_000
/** More than the kernel buffers for a connection that is not read. */
export const bigBytes = 24 * 1024 * 1024
export const smallBytes = 1000

/** One request of a story. Ann and curl are at one address, Bob and wget at another. */
export interface Step {
  who: 'ann' | 'curl' | 'bob' | 'wget'
  asks: 'big' | 'small' | 'look' | 'preview' | 'archive' | 'selection' | 'metadata' | 'page'
  method?: 'HEAD'
  headers?: Record<string, string>
  /** Disconnects after a megabyte: all that came before is certainly on its way. */
  breaks?: true
  /** Time that passes before the request. */
  afterMs?: number
  status: number
  /** Bytes of the body, where they matter. */
  length?: number
  /** The count of the share afterwards. */
  count: number
}

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
      { who: 'ann', asks: 'small', status: 200, length: smallBytes, count: 1 },
      { who: 'ann', asks: 'big', status: 200, length: bigBytes, count: 1 },
      { who: 'ann', asks: 'archive', status: 200, count: 1 },
      { who: 'ann', asks: 'small', status: 410, count: 1 },
      { who: 'curl', asks: 'small', status: 410, count: 1 },
      { who: 'bob', asks: 'small', status: 410, count: 1 },
      { who: 'bob', asks: 'archive', status: 410, count: 1 },
      { who: 'bob', asks: 'small', headers: from(1), status: 410, count: 1 },
      { who: 'bob', asks: 'preview', status: 410, count: 1 },
    ],
  },
  {
    title: 'answer every public read 410 at the limit, except with a lease',
    maxDownloads: 1,
    steps: [
      { who: 'ann', asks: 'archive', status: 200, count: 1 },
      { who: 'bob', asks: 'metadata', status: 410, count: 1 },
      { who: 'bob', asks: 'page', status: 410, count: 1 },
      { who: 'bob', asks: 'archive', method: 'HEAD', status: 410, count: 1 },
      { who: 'curl', asks: 'metadata', status: 410, count: 1 },
      { who: 'ann', asks: 'metadata', status: 200, count: 1 },
      { who: 'ann', asks: 'page', status: 200, count: 1 },
      { who: 'ann', asks: 'archive', method: 'HEAD', status: 200, count: 1 },
      { who: 'ann', asks: 'metadata', afterMs: dayMs, status: 410, count: 1 },
    ],
  },
  {
    title: 'never count HEAD, 304, 412 and 416, nor issue a lease for them',
    maxDownloads: 1,
    steps: [
      { who: 'bob', asks: 'small', method: 'HEAD', status: 200, count: 0 },
      { who: 'bob', asks: 'archive', method: 'HEAD', status: 200, count: 0 },
      { who: 'bob', asks: 'small', headers: { 'if-none-match': '*' }, status: 304, count: 0 },
      { who: 'bob', asks: 'archive', headers: { 'if-none-match': '*' }, status: 304, count: 0 },
      { who: 'bob', asks: 'small', headers: { 'if-match': '"x"' }, status: 412, count: 0 },
      { who: 'bob', asks: 'small', headers: from(smallBytes), status: 416, count: 0 },
      { who: 'bob', asks: 'metadata', status: 200, count: 0 },
      { who: 'bob', asks: 'small', status: 200, count: 1 },
    ],
  },
  {
    title: 'let a broken download be resumed with its cookie',
    maxDownloads: 1,
    steps: [
      { who: 'ann', asks: 'big', breaks: true, status: 200, count: 1 },
      {
        who: 'ann',
        asks: 'big',
        headers: from(bigBytes - 5000),
        status: 206,
        length: 5000,
        count: 1,
      },
      { who: 'ann', asks: 'big', headers: { range: 'bytes=0-99' }, status: 206, count: 1 },
      { who: 'ann', asks: 'big', status: 200, count: 1 },
      { who: 'ann', asks: 'big', status: 410, count: 1 },
    ],
  },
  {
    title: 'let a broken download be resumed without a cookie only from the same address',
    maxDownloads: 1,
    steps: [
      { who: 'curl', asks: 'big', breaks: true, status: 200, count: 1 },
      { who: 'wget', asks: 'big', headers: from(1_000_000), status: 410, count: 1 },
      { who: 'curl', asks: 'archive', headers: from(1_000_000), status: 410, count: 1 },
      { who: 'curl', asks: 'small', headers: from(500), status: 410, count: 1 },
      { who: 'curl', asks: 'big', headers: from(0), status: 410, count: 1 },
      { who: 'curl', asks: 'big', headers: { range: 'bytes=9-8' }, status: 410, count: 1 },
      { who: 'curl', asks: 'big', headers: { range: 'bytes=1-2,4-5' }, status: 410, count: 1 },
      {
        who: 'curl',
        asks: 'big',
        headers: { ...from(1_000_000), 'if-range': '"another version"' },
        status: 410,
        count: 1,
      },
      {
        who: 'curl',
        asks: 'big',
        headers: from(1_000_000),
        status: 206,
        length: bigBytes - 1_000_000,
        count: 1,
      },
      { who: 'curl', asks: 'big', status: 410, count: 1 },
    ],
  },
  {
    // Each has paid for its own; the latest of their leases alone does not pay for all of them.
    title: 'let all clients of one address resume, as many as were counted',
    maxDownloads: 3,
    steps: [
      { who: 'curl', asks: 'big', breaks: true, status: 200, count: 1 },
      { who: 'curl', asks: 'big', breaks: true, afterMs: 1000, status: 200, count: 2 },
      { who: 'curl', asks: 'big', breaks: true, afterMs: 1000, status: 200, count: 3 },
      { who: 'curl', asks: 'big', headers: from(1_000_000), status: 206, count: 3 },
      { who: 'curl', asks: 'big', headers: from(1_000_000), status: 206, count: 3 },
      { who: 'curl', asks: 'big', headers: from(1_000_000), status: 206, count: 3 },
    ],
  },
  {
    title: 'let a broken first transfer restart with its lease, until its bytes are used up',
    maxDownloads: 1,
    steps: [
      { who: 'ann', asks: 'big', breaks: true, status: 200, count: 1 },
      { who: 'bob', asks: 'big', status: 410, count: 1 },
      { who: 'ann', asks: 'big', breaks: true, status: 200, count: 1 },
      { who: 'ann', asks: 'big', status: 200, length: bigBytes, count: 1 },
      { who: 'ann', asks: 'big', status: 410, count: 1 },
    ],
  },
  {
    title: 'count a broken download again when it restarts without its lease',
    maxDownloads: 2,
    steps: [
      { who: 'curl', asks: 'big', breaks: true, status: 200, count: 1 },
      { who: 'curl', asks: 'big', breaks: true, status: 200, count: 2 },
      { who: 'curl', asks: 'big', status: 410, count: 2 },
    ],
  },
  {
    title: 'answer HEAD and the page like the download that would follow',
    maxDownloads: 1,
    steps: [
      { who: 'ann', asks: 'big', status: 200, count: 1 },
      { who: 'ann', asks: 'big', headers: from(1000), status: 206, count: 1 },
      { who: 'ann', asks: 'archive', method: 'HEAD', status: 410, count: 1 },
      { who: 'ann', asks: 'small', method: 'HEAD', status: 200, count: 1 },
      {
        who: 'curl',
        asks: 'big',
        method: 'HEAD',
        headers: from(bigBytes - 5),
        status: 200,
        count: 1,
      },
      { who: 'ann', asks: 'page', status: 200, count: 1 },
      { who: 'ann', asks: 'small', status: 200, count: 1 },
      { who: 'ann', asks: 'small', status: 200, count: 1 },
      { who: 'ann', asks: 'small', method: 'HEAD', status: 200, count: 1 },
      { who: 'ann', asks: 'small', status: 200, count: 1 },
      { who: 'ann', asks: 'small', method: 'HEAD', status: 410, count: 1 },
      { who: 'ann', asks: 'page', status: 410, count: 1 },
      { who: 'ann', asks: 'metadata', status: 410, count: 1 },
    ],
  },
  {
    title: 'let a lease live for 24 hours',
    maxDownloads: 1,
    steps: [
      { who: 'ann', asks: 'big', breaks: true, status: 200, count: 1 },
      {
        who: 'ann',
        asks: 'big',
        afterMs: dayMs - 1000,
        headers: from(bigBytes - 10),
        status: 206,
        count: 1,
      },
      { who: 'curl', asks: 'big', headers: from(bigBytes - 10), status: 206, count: 1 },
      {
        who: 'ann',
        asks: 'big',
        afterMs: 1000,
        headers: from(bigBytes - 10),
        status: 410,
        count: 1,
      },
      { who: 'curl', asks: 'big', headers: from(bigBytes - 10), status: 410, count: 1 },
    ],
  },
  {
    title: 'answer an unpaid range in full, and count it, where a limit is set',
    maxDownloads: 3,
    steps: [
      { who: 'bob', asks: 'small', headers: from(500), status: 200, length: smallBytes, count: 1 },
      {
        who: 'ann',
        asks: 'small',
        headers: { range: 'bytes=0-9' },
        status: 200,
        length: smallBytes,
        count: 2,
      },
      {
        who: 'curl',
        asks: 'selection',
        headers: { range: 'bytes=-9' },
        status: 200,
        count: 3,
      },
      { who: 'wget', asks: 'small', headers: from(1), status: 206, length: 999, count: 3 },
    ],
  },
  {
    title: 'answer an unpaid range as requested, and count it, where no limit is set',
    maxDownloads: 0,
    steps: [
      { who: 'bob', asks: 'small', headers: from(500), status: 206, length: 500, count: 1 },
      { who: 'bob', asks: 'small', headers: from(600), status: 206, length: 400, count: 1 },
      { who: 'wget', asks: 'small', headers: from(900), status: 206, length: 100, count: 1 },
      { who: 'curl', asks: 'small', headers: from(900), status: 206, length: 100, count: 2 },
    ],
  },
  {
    title: 'count a client again that has taken the archive two times',
    maxDownloads: 0,
    steps: [
      { who: 'ann', asks: 'archive', status: 200, count: 1 },
      { who: 'ann', asks: 'archive', status: 200, count: 1 },
      { who: 'ann', asks: 'archive', status: 200, count: 2 },
      { who: 'ann', asks: 'small', status: 200, count: 2 },
      { who: 'ann', asks: 'small', afterMs: dayMs, status: 200, count: 3 },
    ],
  },
  {
    title: 'count each download of a client without cookies',
    maxDownloads: 0,
    steps: [
      { who: 'curl', asks: 'small', status: 200, count: 1 },
      { who: 'curl', asks: 'small', status: 200, count: 2 },
      { who: 'curl', asks: 'archive', status: 200, count: 3 },
    ],
  },
  {
    title: 'count once a client that previews, and then takes a choice, a file and the archive',
    maxDownloads: 1,
    steps: [
      { who: 'ann', asks: 'preview', status: 200, length: smallBytes, count: 1 },
      { who: 'ann', asks: 'selection', status: 200, count: 1 },
      { who: 'ann', asks: 'archive', status: 200, count: 1 },
      { who: 'bob', asks: 'metadata', status: 410, count: 1 },
    ],
  },
  {
    // Twice the share for downloads, and as much for previews.
    title: 'let a client that has previewed everything download everything, and each file',
    maxDownloads: 1,
    steps: [
      { who: 'ann', asks: 'look', status: 200, length: bigBytes, count: 1 },
      { who: 'ann', asks: 'preview', status: 200, length: smallBytes, count: 1 },
      { who: 'ann', asks: 'archive', status: 200, count: 1 },
      { who: 'ann', asks: 'big', status: 200, length: bigBytes, count: 1 },
      { who: 'ann', asks: 'big', status: 410, count: 1 },
      { who: 'ann', asks: 'look', status: 200, length: bigBytes, count: 1 },
      { who: 'ann', asks: 'look', status: 410, count: 1 },
      { who: 'ann', asks: 'preview', status: 200, count: 1 },
      { who: 'ann', asks: 'preview', status: 410, count: 1 },
      { who: 'bob', asks: 'preview', status: 410, count: 1 },
    ],
  },
  {
    title: 'return bytes of broken previews to the previews of a lease',
    maxDownloads: 1,
    steps: [
      { who: 'ann', asks: 'small', status: 200, count: 1 },
      { who: 'ann', asks: 'look', breaks: true, status: 200, count: 1 },
      { who: 'ann', asks: 'look', breaks: true, status: 200, count: 1 },
      { who: 'ann', asks: 'look', breaks: true, status: 200, count: 1 },
      { who: 'ann', asks: 'big', status: 200, count: 1 },
      { who: 'ann', asks: 'big', status: 200, count: 1 },
      { who: 'ann', asks: 'big', status: 410, count: 1 },
    ],
  },
  {
    // Twice (big + small) = 2 big + 2000 bytes, to the byte.
    title: 'let a lease pay for twice the bytes of the share and no more',
    maxDownloads: 1,
    steps: [
      { who: 'ann', asks: 'big', status: 200, count: 1 },
      { who: 'ann', asks: 'big', headers: from(1), status: 206, count: 1 },
      { who: 'curl', asks: 'big', headers: from(bigBytes - 1998), status: 206, count: 1 },
      { who: 'ann', asks: 'big', headers: from(bigBytes - 4), status: 410, count: 1 },
      { who: 'curl', asks: 'big', headers: from(bigBytes - 4), status: 410, count: 1 },
      { who: 'curl', asks: 'big', headers: from(bigBytes - 3), status: 206, count: 1 },
      { who: 'ann', asks: 'big', headers: from(bigBytes - 1), status: 410, count: 1 },
    ],
  },
  {
    title: 'count a range beyond the paid bytes, where no limit is set',
    maxDownloads: 0,
    steps: [
      { who: 'curl', asks: 'big', status: 200, count: 1 },
      { who: 'curl', asks: 'big', headers: from(1), status: 206, count: 1 },
      { who: 'curl', asks: 'big', headers: from(1), status: 206, length: bigBytes - 1, count: 2 },
    ],
  },
]
