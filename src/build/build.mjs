// Builds src/ into dist/ (the bundled service). With --tests everything goes to dist-test/ instead:
// src/, test/ and bench/ file by file, so that coverage and stack traces name the sources, and the
// bundled service in dist-test/dist/. TEST_BUILD names another folder, for two builds side by side.
// Both build the web UI into static/app/ (web/build.mjs), unless it is there and up to date. With
// --tests only tests are built again while nothing else has changed.
// With --if-possible (npm's `prepare`) a missing esbuild is no error when dist/ already exists, and
// `npm pack` builds once, although it runs `prepare` after `prepack`.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  publish,
  serviceOptions,
  shared,
  startOptions,
  startPackage,
  writeManuals,
} from './bundles.mjs'
import { noted, readNote, serviceInputs, webInputs } from './inputs.mjs'
import { packagesOf, writeLicences } from './licences.mjs'
import { buildWeb } from '../web/build.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
process.chdir(root)

const isIfPossible = process.argv.includes('--if-possible')
const isBuilt = isIfPossible && process.env.npm_command === 'pack'

// Else it would end in an error about a missing function.
const [major, minor] = process.versions.node.split('.').map(Number)
const isOldNode = major < 20 || (major === 20 && minor < 19)
if (isOldNode) {
  process.stderr.write(
    `The build needs Node.js 20.19 or later; this is ${process.versions.node}.\n`,
  )
  process.exitCode = 1
}

const esbuild =
  isBuilt || isOldNode
    ? null
    : await import('esbuild').catch((error) => {
        if (isIfPossible && existsSync('dist/main.js')) return null
        throw new Error(
          'esbuild is missing: run `npm ci` first (it installs the build tools too)',
          {
            cause: error,
          },
        )
      })

const testFolder = process.env.TEST_BUILD || 'dist-test'

/** Every .ts file below a folder, without those of packages (bench/peers/). */
function sources(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, String(name)))
    .filter((name) => /\.c?ts$/.test(name) && !name.includes('node_modules'))
}

/** Keeps imports, but points relative ones at the emitted names, and uvu at our wrapper. */
const keepImports = {
  name: 'keep-imports',
  setup(build) {
    const wrapper = path.resolve('test/helpers/suite.ts')
    build.onResolve({ filter: /.*/ }, ({ path: name, kind, importer, resolveDir }) => {
      if (kind === 'entry-point') return null
      if (name === 'uvu' && importer !== wrapper) name = `./${path.relative(resolveDir, wrapper)}`
      return { path: name.startsWith('.') ? name.replace(/\.ts$/, '.js') : name, external: true }
    })
  },
}

async function buildService(folder) {
  rmSync(folder, { recursive: true, force: true })
  await esbuild.build(serviceOptions(folder))
  await esbuild.build(startOptions(folder))
  writeFileSync(path.join(folder, 'package.json'), startPackage)
}

async function buildTests() {
  // The service is left out, because it may be up to date.
  for (const name of ['src', 'test', 'bench']) {
    rmSync(path.join(testFolder, name), { recursive: true, force: true })
  }
  await esbuild.build({
    ...shared,
    entryPoints: [...sources('src'), ...sources('test'), ...sources('bench')].filter(
      (name) => !name.endsWith('.cts'),
    ),
    outbase: '.',
    outdir: testFolder,
    format: 'esm',
    bundle: true,
    plugins: [keepImports],
  })
}

/** Returns the names of all modules in the bundle. */
async function buildWebOnce() {
  const file = path.join('static', 'app', 'modules.json')
  return readNote(file, webInputs) ?? noted(file, webInputs, () => buildWeb(esbuild))
}

if (esbuild) {
  const isForTests = process.argv.includes('--tests')
  const folder = isForTests ? path.join(testFolder, 'dist') : 'dist'
  const file = path.join(folder, 'inputs.json')
  // These inputs hold those of the web UI.
  const isUpToDate = isForTests && readNote(file, serviceInputs)
  const modules = isUpToDate ? [] : await buildWebOnce()
  const buildAll = async () => {
    await buildService(folder)
    await publish(esbuild, folder)
    await writeManuals(esbuild, folder)
    writeLicences(path.join(folder, 'licences.json'), packagesOf(modules))
    return true
  }
  if (isForTests) await buildTests()
  if (!isForTests) await buildAll()
  else if (!isUpToDate) await noted(file, serviceInputs, buildAll)
}
