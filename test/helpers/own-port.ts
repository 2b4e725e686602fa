let count = 0

/**
 * A port of the loopback interface for a program that cannot say which one it got: another one in
 * each process, and below those that the kernel gives away (net.ipv4.ip_local_port_range).
 */
export function ownPort(): number {
  count += 1
  return 10_000 + (process.pid % 2_000) * 10 + count
}
