// "Running downloads go on above 4 KiB/s, at most 24 h" (design, section 6), as the watchdog sees
// it: bytes leave in lumps, because the kernel asks for more only when much of its buffers is free.
// (Seen on loopback: curl --limit-rate 60k was aborted after 211 s of a 24 MiB file, with
// megabytes on the way to it and none leaving the service for over a minute.)
import { EventEmitter } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { RequestContext } from '../../../src/http/request-context.ts'
import { Watchdog } from '../../../src/http/watchdog.ts'
import { FakeClock } from '../../helpers/clock.ts'

const pace = suite('downloads: pace')
const kib = 1024
const mib = 1024 * kib
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const lookEveryMs = 5000

/** A running download: what the watchdog reads of it, and whether it was aborted. */
class FakeDownload {
  readonly socket = { bytesWritten: 0, writableLength: 512 * kib }
  readonly response = Object.assign(new EventEmitter(), { socket: this.socket, destroy() {} })
  readonly phase = 'sending'
  readonly paused = false
  bodyBytes = 0
  isCut = false

  abort(): void {
    this.isCut = true
  }

  breakOff(): void {
    this.isCut = true
  }

  onEnd(): void {}
}

/** How long it lives when `lumpBytes` leave every `everyMs`; at most `limitMs`. */
function lifeMs(lumpBytes: number, everyMs: number, limitMs: number): number {
  const clock = new FakeClock()
  const watchdog = new Watchdog(clock)
  const download = new FakeDownload()
  watchdog.add(download as unknown as RequestContext)
  let passedMs = 0
  while (passedMs < limitMs && !download.isCut) {
    clock.advance(lookEveryMs)
    passedMs += lookEveryMs
    if (passedMs % everyMs === 0) download.socket.bytesWritten += lumpBytes
    watchdog.check()
  }
  return passedMs
}

const lively: [title: string, lumpBytes: number, everyMs: number][] = [
  ['60 KiB/s in lumps of 4 MiB', 4 * mib, 70_000],
  ['10 KiB/s in lumps of 1 MiB', mib, 100_000],
  ['8 KiB/s, evenly', 40 * kib, 5000],
  ['8 KiB/s, every half minute', 240 * kib, 30_000],
]

for (const [title, lumpBytes, everyMs] of lively) {
  pace(`should let a download continue at ${title}`, () => {
    assert.is(lifeMs(lumpBytes, everyMs, hourMs), hourMs)
  })
}

pace('should abort a download that stalls, and one that creeps', () => {
  assert.ok(lifeMs(0, minuteMs, 2 * hourMs) <= hourMs)
  assert.ok(lifeMs(5 * kib, 5000, 2 * hourMs) <= hourMs, '1 KiB/s')
})

pace('should forgive a pause of half a minute', () => {
  assert.ok(lifeMs(0, minuteMs, hourMs) > minuteMs / 2)
})

pace('should abort every download after 24 hours', () => {
  const life = lifeMs(10 * mib, 5000, 30 * hourMs)
  assert.ok(life >= 24 * hourMs && life <= 24 * hourMs + minuteMs, `${life / hourMs} hours`)
})
