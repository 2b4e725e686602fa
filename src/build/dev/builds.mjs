// Development builds in dist-dev/, a separate package beside dist/ and static/app/, so that no
// development code gets into releases.
import * as fs from 'node:fs'
import path from 'node:path'
import * as esbuild from 'esbuild'
import { publish, serviceOptions, startOptions, startPackage } from '../bundles.mjs'
import { packagesOf, writeLicences } from '../licences.mjs'
import { buildTexts } from '../../web/texts.mjs'
import { buildStyle, describeScript, entries, scriptOptions, styles } from '../../web/build.mjs'

const root = 'dist-dev'
const serviceFolder = path.join(root, 'dist')
const docsFolder = path.join(serviceFolder, 'docs')
const staticFolder = path.join(root, 'static')
const appFolder = path.join(staticFolder, 'app')
export const startFile = path.join(serviceFolder, 'main.js')

/** Makes `createApp` read the built pages again after each build. */
const freshAssets = {
  name: 'fresh assets',
  setup(build) {
    const fresh = path.resolve('src/build/dev/assets.ts')
    let isUsed = false
    build.onResolve({ filter: /\/assets\.ts$/ }, ({ path: name, resolveDir, importer }) => {
      const isTheirs = path.resolve(resolveDir, name) === path.resolve('src/pages/assets.ts')
      if (!isTheirs || importer === fresh) return null
      isUsed = true
      return { path: fresh }
    })
    build.onEnd(({ errors }) => {
      if (isUsed || errors.length > 0) return {}
      return { errors: [{ text: 'src/build/dev/assets.ts takes the place of nothing' }] }
    })
  },
}

export class Builds {
  #service
  #scripts
  /** Hash of each written file, by name. */
  #written = new Map()
  #manifest = ''

  /** @param {number} reloadPort */
  static async open(reloadPort) {
    prepareFolder()
    const builds = new Builds()
    builds.#service = await esbuild.context({
      ...serviceOptions(serviceFolder),
      write: false,
      plugins: [freshAssets],
    })
    builds.#scripts = new Map()
    for (const entry of entries) {
      const context = await esbuild.context({
        ...scriptOptions(appFolder, entry),
        write: false,
        minify: false,
        sourcemap: 'inline',
        inject: ['src/build/dev/reload-in-page.js'],
        define: { RELOAD_PORT: String(reloadPort) },
      })
      builds.#scripts.set(entry, context)
    }
    return builds
  }

  /**
   * Builds changed parts, and reports failures on stderr.
   * @param {(folder: string) => boolean} isChanged whether a file in this folder has changed
   * @returns which parts are new; docs must then be made by `makeDocs`
   */
  async build(isChanged) {
    const [service, pages] = await Promise.all([
      attempt(() => this.#buildService()),
      attempt(() => this.#buildPages(isChanged('static'))),
    ])
    const hasDocs = fs.existsSync(path.join(docsFolder, 'manifest.json'))
    const docs = service || !hasDocs || isChanged('docs') || isChanged('static/docs')
    return { service, pages, docs }
  }

  /** Whether service and pages were built at least once without errors. */
  get canRun() {
    return this.#manifest !== '' && fs.existsSync(path.join(serviceFolder, 'start.mjs'))
  }

  makeDocs() {
    return attempt(() => publish(esbuild, serviceFolder))
  }

  async close() {
    for (const context of [this.#service, ...this.#scripts.values()]) await context.dispose()
  }

  async #buildService() {
    const { outputFiles } = await this.#service.rebuild()
    return this.#write(outputFiles)
  }

  async #buildPages(hasChangedFiles) {
    const built = await Promise.all(
      entries.map(async (entry) => [entry, await this.#scripts.get(entry).rebuild()]),
    )
    const pages = {}
    const modules = []
    for (const [entry, { outputFiles, metafile }] of built) {
      const script = describeScript(metafile, entry)
      const style = await buildStyle(esbuild, appFolder, styles[entry])
      pages[entry] = { ...script.page, style }
      modules.push(...script.modules)
      this.#write(outputFiles)
    }
    const texts = await buildTexts(esbuild, false)
    for (const [name, script] of texts.files) fs.writeFileSync(path.join(appFolder, name), script)
    modules.push(...texts.modules)
    const manifest = JSON.stringify({ pages, texts: texts.version })
    // Names contain a hash, so other files do not change without the manifest.
    if (manifest === this.#manifest && !hasChangedFiles) return false
    if (this.#manifest === '') {
      writeLicences(path.join(serviceFolder, 'licences.json'), packagesOf(modules))
    }
    copyStaticFiles()
    replaceFile(path.join(appFolder, 'manifest.json'), manifest)
    this.#manifest = manifest
    return true
  }

  /** Keeps old files, because a running process or an open page may load them. */
  #write(files) {
    const changed = files.filter((file) => this.#written.get(file.path) !== file.hash)
    for (const { path: name, contents, hash } of changed) {
      fs.mkdirSync(path.dirname(name), { recursive: true })
      fs.writeFileSync(name, contents)
      this.#written.set(name, hash)
    }
    return changed.length > 0
  }
}

/** False on failure. esbuild prints its errors itself. */
async function attempt(step) {
  try {
    return await step()
  } catch (error) {
    if (!error.errors) process.stderr.write(`dev: ${error.stack}\n`)
    return false
  }
}

function prepareFolder() {
  fs.rmSync(root, { recursive: true, force: true })
  for (const folder of [serviceFolder, appFolder]) fs.mkdirSync(folder, { recursive: true })
  for (const name of ['sql', 'package.json']) fs.symlinkSync(`../${name}`, path.join(root, name))
  fs.writeFileSync(path.join(serviceFolder, 'package.json'), startPackage)
  esbuild.buildSync(startOptions(serviceFolder))
}

function copyStaticFiles() {
  for (const entry of fs.readdirSync('static', { withFileTypes: true })) {
    if (!entry.isFile()) continue
    fs.copyFileSync(path.join('static', entry.name), path.join(staticFolder, entry.name))
  }
}

/** Atomic, so that the service never reads half of a file. */
function replaceFile(name, text) {
  fs.writeFileSync(`${name}.new`, text)
  fs.renameSync(`${name}.new`, name)
}
