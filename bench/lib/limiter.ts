// Keeps a process and its children below a CPU quota by stopping and continuing them, as cpulimit
// does. `node limiter.js <pid> <percent of one core>`, with a channel to the bench; when either
// ends, it continues all of them and ends.
import { cpuSecondsOf, descendantsOf } from './processes.ts'

const tickMs = 10
/** Listing all processes costs more than reading a few. */
const ticksPerListing = 20
/** What an idle server may save up, as in a cgroup: the quota of this long. */
const savedMsMax = 100

const [pidText = '', percentText = ''] = process.argv.slice(2)
const pid = Number(pidText)
const share = Number(percentText) / 100
const spent = new Map<number, number>()
let pids = [pid]
let isStopped = false
let tick = 0
let leftMs = 0
let atMs = performance.now()

function step(): void {
  if (tick++ % ticksPerListing === 0) pids = [pid, ...descendantsOf(pid)]
  const nowMs = performance.now()
  leftMs = Math.min(leftMs + (nowMs - atMs) * share - usedMs(), savedMsMax * share)
  atMs = nowMs
  if (!signal(pid, 0)) end()
  else if (leftMs < 0 !== isStopped) toggle()
}

/** CPU time since the last call. */
function usedMs(): number {
  let usedSeconds = 0
  for (const one of pids) {
    const seconds = cpuSecondsOf(one)
    if (seconds === null) continue
    usedSeconds += seconds - (spent.get(one) ?? 0)
    spent.set(one, seconds)
  }
  return usedSeconds * 1000
}

function toggle(): void {
  isStopped = !isStopped
  for (const one of pids) signal(one, isStopped ? 'SIGSTOP' : 'SIGCONT')
}

function signal(one: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(one, name)
  } catch {
    return false
  }
}

function end(): void {
  for (const one of pids) signal(one, 'SIGCONT')
  process.exit()
}

process.once('SIGTERM', end)
process.once('disconnect', end)
setInterval(step, tickMs)
