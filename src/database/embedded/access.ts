import { chownSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import path from 'node:path'
import { unlessError } from '../../lib/errors.ts'
import type { Account } from './accounts.ts'
import type { Place } from './place.ts'
import { serverUser, superuser } from './settings.ts'

/**
 * The pg_ident map of both roles: the kernel names the system user at the other end of the socket.
 */
const map = 'service'

/**
 * System users that may connect: the one of this service, and root. When root runs a service that
 * belongs to another user, for example a command under sudo, that user too. Never the account that
 * root chooses for the server: other programs may run as `postgres` or `nobody`.
 */
export function peersOf(dataDir: string, account: Account | null): readonly string[] {
  const isOwner = account !== null && statSync(dataDir).uid === account.uid
  return [...new Set(['root', userInfo().username, ...(isOwner ? [account.name] : [])])]
}

/**
 * Writes who may connect, unless it is already written; a running server reads it after SIGHUP. See
 * https://www.postgresql.org/docs/18/auth-peer.html
 * @returns whether a file has changed
 */
export function writeAccess({ clusterDir, account, peers }: Place): boolean {
  const roles = [serverUser, superuser]
  const rules = [
    ...roles.map((role) => `local all ${role} peer map=${map}`),
    'local all all reject',
    'host all all all reject',
  ]
  const pairs = peers.flatMap((peer) => roles.map((role) => `${map} "${peer}" ${role}`))
  const write = (name: string, lines: readonly string[]) =>
    replace(
      path.join(clusterDir, name),
      `# Written by the service.\n${lines.join('\n')}\n`,
      account,
    )
  const changed = [write('pg_ident.conf', pairs), write('pg_hba.conf', rules)]
  return changed.includes(true)
}

function replace(file: string, text: string, account: Account | null): boolean {
  if (unlessError(['ENOENT'], () => readFileSync(file, 'utf8')) === text) return false
  const unfinished = `${file}.new`
  writeFileSync(unfinished, text, { mode: 0o600 })
  if (account) chownSync(unfinished, account.uid, account.gid)
  renameSync(unfinished, file)
  return true
}
