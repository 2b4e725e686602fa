// `npm run package`: builds, and makes the packages of a release in packages/: for npm, and for
// Debian on this kind of processor. The same commit gives the same bytes in any folder, with any
// umask, and with the same versions of Node, npm and dpkg.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { findLack, makeDebianPackage } from './debian.mjs'
import { makeNpmPackage } from './npm.mjs'

process.chdir(fileURLToPath(new URL('../../..', import.meta.url)))
// Read by every program below: the modes of what they make must not depend on the user's.
process.umask(0o022)
execFileSync(process.execPath, ['src/build/build.mjs'], { stdio: 'inherit' })

const target = path.resolve('packages')
rmSync(target, { recursive: true, force: true })
mkdirSync(target)
const folder = mkdtempSync(path.join(tmpdir(), 'transfer-package-'))
try {
  const staged = path.join(folder, 'package')
  report(makeNpmPackage('.', staged, target))
  const lack = findLack()
  if (lack === null) report(makeDebianPackage(staged, path.join(folder, 'debian'), target))
  else {
    process.stderr.write(`${lack}\n`)
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function report(file) {
  const { size } = statSync(file)
  process.stdout.write(`${path.relative('.', file)} ${(size / 1e6).toFixed(2)} MB\n`)
}
