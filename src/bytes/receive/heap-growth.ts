import { getHeapStatistics, setFlagsFromString } from 'node:v8'

/**
 * Lets V8's heap grow by `growthBytes` between two full collections while this process receives
 * bodies; 0 leaves it to V8.
 *
 * Node makes a buffer of every 64 KiB that arrive. Young collections free them, 32 MiB at a time,
 * for next to nothing. But V8 counts them against the limit of the heap too, and a heap as small as
 * ours may grow by about 20 MiB only: it would mark the whole heap for every 30 MB that arrive, a
 * third of the CPU time of an upload. See docs/decisions/0014-full-collections.md.
 */
export function setHeapGrowth(growthBytes: number): void {
  const { used_heap_size: usedBytes } = getHeapStatistics()
  const percent = Math.ceil((100 * growthBytes) / usedBytes)
  // 0 leaves it to V8, which is as generous for a large heap.
  setFlagsFromString(`--heap-growing-percent=${percent > 100 ? percent : 0}`)
}
