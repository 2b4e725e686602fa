// What systemd offers a service through its environment: readiness and a watchdog (sd_notify(3)),
// sockets (sd_listen_fds(3)), and a journal that reads priorities (systemd.exec(5)).
import { fstatSync, write } from 'node:fs'

type Env = Record<string, string | undefined>

/** The first descriptor that systemd passes (SD_LISTEN_FDS_START). */
const firstDescriptor = 3
/** More sockets than a service could name. */
const socketsMax = 64

/**
 * The sockets of `transfer.socket`: those with `FileDescriptorName=docs` are for the documentation
 * site. A child of this process must not take them for its own.
 */
export function takeInheritedSockets(env: Env, pid = process.pid) {
  const isOurs = Number(env['LISTEN_PID']) === pid
  const count = isOurs ? Math.min(Number(env['LISTEN_FDS']) || 0, socketsMax) : 0
  const names = (env['LISTEN_FDNAMES'] ?? '').split(':')
  for (const name of ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES']) delete env[name]
  const all = Array.from({ length: count }, (_, index) => firstDescriptor + index)
  const isForDocs = (fd: number) => names[fd - firstDescriptor] === 'docs'
  return { main: all.filter((fd) => !isForDocs(fd)), docs: all.filter(isForDocs) }
}

/** Whether standard output is the journal, by JOURNAL_STREAM: device and inode of the socket. */
export function isJournal(env: Env, fd = 1): boolean {
  const [device, inode] = (env['JOURNAL_STREAM'] ?? '').split(':')
  if (!inode) return false
  try {
    const { dev, ino } = fstatSync(fd)
    return String(dev) === device && String(ino) === inode
  } catch {
    return false
  }
}

/** Tells systemd about this process; without systemd, does nothing. */
export interface Manager {
  /** How often it expects `WATCHDOG=1`; null when it watches nothing. */
  readonly watchdogMs: number | null
  /** Assignments such as `READY=1`. */
  tell(...assignments: string[]): void
}

/**
 * The manager behind NOTIFY_FD: a datagram socket that `transfer.service` has connected, because
 * Node has none for Unix. What this process writes to it counts as its own (NotifyAccess=main).
 * @param onFailure called once, when systemd waits for messages that cannot be sent
 */
export function findManager(
  env: Env,
  onFailure: (error: Error) => void,
  pid = process.pid,
): Manager {
  const fd = Number(env['NOTIFY_FD'] || Number.NaN)
  const isAwaited = Boolean(env['NOTIFY_SOCKET'])
  const watched = Number(env['WATCHDOG_USEC']) / 1000
  const isWatched = watched > 0 && (!env['WATCHDOG_PID'] || Number(env['WATCHDOG_PID']) === pid)
  for (const name of ['NOTIFY_SOCKET', 'NOTIFY_FD', 'WATCHDOG_USEC', 'WATCHDOG_PID']) {
    delete env[name]
  }
  let hasFailed = false
  const fail = (error: Error) => {
    if (!hasFailed) onFailure(error)
    hasFailed = true
  }
  if (!Number.isInteger(fd)) {
    if (isAwaited)
      fail(new Error('NOTIFY_FD is not set: start the service as transfer.service does'))
    return { watchdogMs: null, tell: () => {} }
  }
  return {
    watchdogMs: isWatched ? watched : null,
    tell(...assignments) {
      // One datagram each: systemd takes them before the next one.
      write(fd, `${assignments.join('\n')}\n`, (error) => {
        if (error) fail(error)
      })
    },
  }
}
