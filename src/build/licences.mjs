// Third-party packages in the service and its pages with their licences, found in node_modules
// among installed and bundled packages, so that no list is maintained by hand.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const textName = /^(?:licen[cs]e|copying|unlicense|notice)(?:[.-].*)?$/i

/**
 * Writes the licences as JSON, ordered by name.
 * @param {string} file
 * @param {Iterable<string>} bundled folders of packages in the pages
 */
export function writeLicences(file, bundled) {
  const folders = new Set([...bundled, ...findInstalled('.')])
  const packages = [...folders].map(describe).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  writeFileSync(file, JSON.stringify(packages))
}

/** The folders of the packages that the service in a folder loads, directly or through others. */
export function findInstalled(root) {
  const folders = new Set()
  for (const name of dependenciesOf(readManifest(root))) collect(findPackage(root, name), folders)
  return folders
}

/** The folders of the packages that contain these modules. */
export function packagesOf(modules) {
  const found = modules.map((name) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(name)?.[0])
  return new Set(found.filter(Boolean).map((folder) => path.resolve(folder)))
}

function collect(folder, folders) {
  if (folder === null || folders.has(folder)) return
  folders.add(folder)
  for (const name of dependenciesOf(readManifest(folder))) {
    collect(findPackage(folder, name), folders)
  }
}

function dependenciesOf({ dependencies = {}, optionalDependencies = {} }) {
  return Object.keys({ ...dependencies, ...optionalDependencies })
}

/** Null for a package that is not installed: builds for other machines. */
function findPackage(from, name) {
  let folder = path.resolve(from)
  for (;;) {
    const found = path.join(folder, 'node_modules', name)
    if (existsSync(found)) return found
    const parent = path.dirname(folder)
    if (parent === folder) return null
    folder = parent
  }
}

function describe(folder) {
  const { name, version, license, licenses } = readManifest(folder)
  const licence = license ?? licenses?.map(({ type }) => type).join(' OR ')
  if (!licence) throw new Error(`${name} names no licence: may it be used?`)
  const files = readdirSync(folder).filter((file) => textName.test(file))
  const text = files.map((file) => readFileSync(path.join(folder, file), 'utf8').trim())
  return { name, version, licence, text: text.join('\n\n') }
}

function readManifest(folder) {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
}
