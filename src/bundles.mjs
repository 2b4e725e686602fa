// Bundles the service with esbuild: shared by build.mjs and dev/run.mjs.
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

/** The start file is CommonJS, so its folder needs `startPackage` as its package.json. */
export function startOptions(folder) {
  return { ...shared, entryPoints: { main: 'src/main.cts' }, outdir: folder, format: 'cjs' }
}

export const startPackage = '{ "type": "commonjs" }\n'

/**
 * Writes the documentation site and the API description, which our own code makes.
 * @param {typeof import('esbuild')} esbuild
 * @param {string} folder of the built service
 */
export async function publish(esbuild, folder) {
  const script = path.join(folder, 'publish.mjs')
  await esbuild.build({
    ...shared,
    sourcemap: false,
    entryPoints: ['src/site/publish.ts'],
    outfile: script,
    format: 'esm',
    bundle: true,
    packages: 'external',
  })
  // A separate process, so that a build never needs the memory of both at once.
  const args = [script, path.resolve('.'), path.join(folder, 'docs')]
  const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit')
  rmSync(script)
  if (code !== 0) throw new Error('the documentation site could not be made')
}
