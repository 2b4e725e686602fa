import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { EmbeddedFailure } from './failure.ts'

/** A user that runs the server; PostgreSQL refuses root and uids without a name. */
export interface Account {
  name: string
  uid: number
  gid: number
}

/** In this order, for root without an existing cluster. */
const preferredNames = ['postgres', 'nobody']

const permission = { read: 4, execute: 1 } as const

/** Lines of passwd(5): `name:password:uid:gid:…`. */
export function readAccounts(passwdFile: string): Account[] {
  try {
    return readFileSync(passwdFile, 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .filter((fields) => fields.length >= 4)
      .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
  } catch (error) {
    throw new EmbeddedFailure(`${passwdFile} cannot be read`, error)
  }
}

/**
 * The user that runs the server under root: the owner of an existing cluster, otherwise a user
 * without rights. The files of a cluster keep their owner.
 */
export function chooseAccount(accounts: readonly Account[], clusterDir: string | null): Account {
  if (clusterDir === null) {
    const candidates = preferredNames.map((name) => accounts.find((one) => one.name === name))
    const found = candidates.find((account) => account && account.uid !== 0)
    if (found) return found
    throw new EmbeddedFailure('as root the database needs a user `postgres` or `nobody`')
  }
  const { uid } = statSync(clusterDir)
  const owner = accounts.find((account) => account.uid === uid)
  if (uid === 0) {
    const hint = `chown -R ${chooseAccount(accounts, null).name} ${clusterDir}`
    throw new EmbeddedFailure(
      `${clusterDir} belongs to root, but PostgreSQL refuses to run as root: ${hint}`,
    )
  }
  if (!owner) throw new EmbeddedFailure(`the owner of ${clusterDir}, uid ${uid}, has no name here`)
  return owner
}

/** The first folder on the path to `folder`, inclusive, that is closed to the account. */
export function findClosedFolder(account: Account, folder: string): string | null {
  const parent = path.dirname(folder)
  const above = parent === folder ? null : findClosedFolder(account, parent)
  return above ?? (may(account, folder, permission.execute) ? null : folder)
}

/** Whether the account can run this file: it, and the path to it, are open. */
export function canRun(account: Account, file: string): boolean {
  if (findClosedFolder(account, path.dirname(file)) !== null) return false
  return may(account, file, permission.read) && may(account, file, permission.execute)
}

/** Checks mode bits; access lists and extra groups are ignored (we set none). */
function may(account: Account, file: string, wanted: number): boolean {
  const { mode, uid, gid } = statSync(file)
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0
  return ((mode >> shift) & wanted) === wanted
}
