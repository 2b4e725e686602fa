// Bundles the service with esbuild: shared by build/build.mjs and build/dev/run.mjs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import path from 'node:path'

export const shared = {
  platform: 'node',
  target: 'node20.19',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
}

/** @param {string} folder of the built service */
export function serviceOptions(folder) {
  return {
    ...shared,
    entryPoints: { start: 'src/cli/main.ts' },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    bundle: true,
    splitting: true,
    packages: 'external',
    chunkNames: 'chunks/[name]-[hash]',
  }
}

/**
 * The start file is CommonJS, so its folder needs `startPackage` as its package.json. Old versions
 * of Node must be able to read it.
 */
export function startOptions(folder) {
  return {
    ...shared,
    target: 'node12.17',
    // As a require() it would be loaded in another way.
    supported: { 'dynamic-import': true },
    entryPoints: { main: 'src/main.cts' },
    outdir: folder,
    format: 'cjs',
  }
}

export const startPackage = '{ "type": "commonjs" }\n'

/**
 * Writes the documentation site and the API description, which our own code makes.
 * @param {typeof import('esbuild')} esbuild
 * @param {string} folder of the built service
 */
export async function publish(esbuild, folder) {
  await runOnce(esbuild, folder, 'src/site/publish.ts', [
    path.resolve('.'),
    path.join(folder, 'docs'),
  ])
}

/**
 * Writes manual pages, completion and options file of an installed service, made from its tables.
 * @param {typeof import('esbuild')} esbuild
 * @param {string} folder of the built service
 */
export async function writeManuals(esbuild, folder) {
  await runOnce(esbuild, folder, 'src/build/package/manuals.ts', [path.join(folder, 'manuals')])
}

/** In a separate process, so that a build never needs the memory of both at once. */
async function runOnce(esbuild, folder, source, args) {
  const script = path.join(folder, `${path.parse(source).name}.mjs`)
  await esbuild.build({
    ...shared,
    sourcemap: false,
    entryPoints: [source],
    outfile: script,
    format: 'esm',
    bundle: true,
    packages: 'external',
  })
  const [code] = await once(
    spawn(process.execPath, [script, ...args], { stdio: 'inherit' }),
    'exit',
  )
  rmSync(script)
  if (code !== 0) throw new Error(`${source} failed`)
}
