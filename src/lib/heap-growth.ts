import { getHeapStatistics, setFlagsFromString } from 'node:v8'

const growthBytes = 96 * 1024 * 1024

/**
 * Lets V8's heap grow by 96 MiB between two full collections while this process receives bodies.
 *
 * Node makes a buffer of every 64 KiB that arrive. Young collections free them, 32 MiB at a time,
 * for next to nothing. But V8 counts them against the limit of the heap too, and a heap as small as
 * ours may grow by about 20 MiB only: it would mark the whole heap for every 30 MB that arrive, a
 * third of the CPU time of an upload. See docs/decisions/0014-full-collections.md.
 */
export function setHeapGrowth(isReceiving: boolean): void {
  const { used_heap_size: usedBytes } = getHeapStatistics()
  const percent = isReceiving ? Math.ceil((100 * growthBytes) / usedBytes) : 0
  // 0 leaves it to V8, which is as generous for a large heap.
  setFlagsFromString(`--heap-growing-percent=${percent > 100 ? percent : 0}`)
}
