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
const staticFolder = path.join(root, 'static')
const appFolder = path.join(staticFolder, 'app')
export const startFile = path.join(serviceFolder, 'main.js')

export class Builds {
  #service
  #scripts = new Map()

  static async open() {
    prepareFolder()
    const builds = new Builds()
    builds.#service = await esbuild.context(serviceOptions(serviceFolder))
    for (const entry of entries) {
      const readable = { minify: false, sourcemap: 'inline' }
      const context = await esbuild.context({ ...scriptOptions(appFolder, entry), ...readable })
      builds.#scripts.set(entry, context)
    }
    return builds
  }

  /**
   * Builds everything; its unchanged parts come from memory. Reports a failure on stderr.
   * @param {boolean} withDocs whether documents may have changed
   * @returns whether it can run
   */
  async build(withDocs) {
    try {
      await Promise.all([this.#service.rebuild(), this.#buildPages()])
      if (withDocs) await publish(esbuild, serviceFolder)
      return true
    } catch (error) {
      // esbuild prints its errors itself.
      if (!error.errors) process.stderr.write(`dev: ${error.stack}\n`)
      return false
    }
  }

  async close() {
    for (const context of [this.#service, ...this.#scripts.values()]) await context.dispose()
  }

  async #buildPages() {
    const pages = {}
    const modules = []
    for (const [entry, context] of this.#scripts) {
      const script = describeScript((await context.rebuild()).metafile, entry)
      const style = await buildStyle(esbuild, appFolder, styles[entry])
      pages[entry] = { ...script.page, style }
      modules.push(...script.modules)
    }
    const texts = await buildTexts(esbuild, false)
    for (const [name, script] of texts.files) fs.writeFileSync(path.join(appFolder, name), script)
    modules.push(...texts.modules)
    writeLicences(path.join(serviceFolder, 'licences.json'), packagesOf(modules))
    copyStaticFiles()
    const manifest = { pages, texts: texts.version }
    fs.writeFileSync(path.join(appFolder, 'manifest.json'), JSON.stringify(manifest))
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
