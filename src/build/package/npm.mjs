// The npm package: what runs, without the scripts and packages of the build.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { normalize } from './tree.mjs'

/** What an installed package.json needs; npm would warn of scripts. */
const kept = [
  'name',
  'version',
  'description',
  'license',
  'type',
  'private',
  'engines',
  'bin',
  'man',
  'dependencies',
  'optionalDependencies',
]

/**
 * @param {string} source folder of the built service, with its dist/
 * @param {string} staged a new folder, which keeps the contents of the package
 * @param {string} target folder of the package
 * @returns the file
 */
export function makeNpmPackage(source, staged, target) {
  const [{ files }] = pack(source, ['--dry-run'])
  for (const { path: name } of files) {
    mkdirSync(path.join(staged, path.dirname(name)), { recursive: true })
    copyFileSync(path.join(source, name), path.join(staged, name))
  }
  const manifest = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8'))
  const shown = Object.fromEntries(kept.map((key) => [key, manifest[key]]))
  writeFileSync(path.join(staged, 'package.json'), `${JSON.stringify(shown, null, 2)}\n`)
  normalize(staged)
  const [{ filename }] = pack(staged, ['--pack-destination', target])
  return path.join(target, filename)
}

function pack(folder, args) {
  const options = ['pack', '--json', '--ignore-scripts', ...args]
  const text = execFileSync('npm', options, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 24 })
  return JSON.parse(text)
}
