// Builds the web UI into static/app/: one entry per page, hashed names, compressed copies, and
// manifest.json, which tells the service the files of each page. Fails when a budget is exceeded.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzipSync } from 'node:zlib'
import { withNumbers } from './text-keys.mjs'
import { buildTexts } from './texts.mjs'

const folder = 'static/app'
/** Style sheets of each page: public pages do not load those of the signed-in app. */
export const styles = {
  app: 'app',
  share: 'public',
  guest: 'guest',
  login: 'plain',
  setup: 'setup',
}
export const entries = Object.keys(styles)

/**
 * Budgets in kilobytes after gzip for all files that a page needs before use: scripts, style,
 * language. `withLazy` includes files loaded on demand, `part` counts only one of these.
 */
const budgets = [
  { name: 'recipient', entry: 'share', kilobytes: 23 },
  { name: 'guest', entry: 'guest', kilobytes: 28 },
  { name: 'login', entry: 'login', kilobytes: 17 },
  { name: 'setup', entry: 'setup', kilobytes: 18 },
  { name: 'sender', entry: 'app', kilobytes: 41 },
  { name: 'upload engine', entry: 'app', part: 'upload/browser.ts', kilobytes: 15 },
  { name: 'shares, requests, account', entry: 'app', part: 'views/manage.ts', kilobytes: 31 },
  { name: 'administration', entry: 'app', part: 'views/admin.ts', kilobytes: 24 },
  { name: 'share target', entry: 'share-target', kilobytes: 2 },
  { name: 'whole signed-in app', entry: 'app', withLazy: true, kilobytes: 115 },
]

/** Names of texts that a page or part loads (`loadTexts`). */
const lateTexts = { app: ['manage', 'admin'], login: ['reset'] }

/**
 * Returns the names of all modules in the bundle.
 * @param {typeof import('esbuild')} esbuild
 */
export async function buildWeb(esbuild) {
  const fresh = `${folder}.${process.pid}`
  mkdirSync(fresh, { recursive: true })
  try {
    const texts = await buildTexts(esbuild, true)
    const scripts = await buildScripts(esbuild, fresh, texts.numbers)
    for (const [name, script] of texts.files) writeFileSync(path.join(fresh, name), script)
    const built = new Map()
    for (const name of new Set(Object.values(styles))) {
      built.set(name, await buildStyle(esbuild, fresh, name))
    }
    const pages = Object.fromEntries(
      entries.map((name) => [name, { ...scripts.get(name).page, style: built.get(styles[name]) }]),
    )
    const loads = new Set([...scripts.values()].flatMap((script) => script.loads))
    for (const name of loads) await shorten(path.join(fresh, name))
    scripts.set(worker, await buildWorker(esbuild, fresh))
    const all = [...loads, ...texts.files.keys(), ...built.values(), `${worker}.js`]
    await Promise.all(
      all.map((name) => {
        // Only the English texts count in the budgets.
        const isSmallest = !texts.files.has(name) || name.includes('.en-')
        return writeCompressed(path.join(fresh, name), isSmallest)
      }),
    )
    checkBudgets(fresh, scripts, pages, texts.version)
    writeFileSync(
      path.join(fresh, 'manifest.json'),
      JSON.stringify({ pages, texts: texts.version }),
    )
    rmSync(folder, { recursive: true, force: true })
    renameSync(fresh, folder)
    return [...texts.modules, ...[...scripts.values()].flatMap((script) => script.modules)]
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/**
 * Each entry with its file, its required files, and all files that it may load. Each is built
 * separately, because few users open two of these pages, and shared files have a cost.
 */
async function buildScripts(esbuild, outdir, numbers) {
  const scripts = new Map()
  for (const entry of entries) {
    const { metafile } = await esbuild.build(scriptOptions(outdir, entry, numbers))
    scripts.set(entry, describeScript(metafile, entry))
  }
  return scripts
}

/** The service worker of the installed app. Its name does not change with its content. */
const worker = 'share-target'

async function buildWorker(esbuild, outdir) {
  const { metafile } = await esbuild.build({
    entryPoints: [`src/web/worker/${worker}.ts`],
    outdir,
    bundle: true,
    format: 'iife',
    target: 'es2022',
    minify: true,
    metafile: true,
    logLevel: 'warning',
  })
  await shorten(path.join(outdir, `${worker}.js`))
  return { always: [`${worker}.js`], modules: Object.keys(metafile.inputs) }
}

const [app, guest, login, share] = ['app', 'guest', 'login', 'share'].map((name) =>
  path.resolve(sourceOf(name)),
)
const manage = path.resolve('src/web/views/manage.ts')
/** Parts of pages that are loaded on demand, and what is loaded before each. */
const lateParts = {
  app: {
    'upload/browser.ts': [app],
    'views/manage.ts': [app],
    'views/admin.ts': [app, manage],
    'views/share/preview.tsx': [app, manage],
  },
  guest: { 'upload/browser.ts': [guest], 'views/guest/sending.tsx': [guest] },
  login: {
    'views/login/proxy.tsx': [login],
    'views/login/reset.tsx': [login],
    'views/login/sign-up.tsx': [login],
  },
  share: { 'views/share/preview.tsx': [share] },
}

/**
 * These parts import all that is loaded before them. So the modules of each are used by the same
 * parts, and esbuild keeps them in one file: split by users they would be eight, and many small
 * files compress badly.
 */
function sources(entry, numbers) {
  const parts = lateParts[entry] ?? {}
  const importsOf = (name) => parts[path.relative('src/web', name)] ?? []
  return {
    name: 'sources',
    setup(build) {
      build.onLoad({ filter: /\.tsx?$/ }, ({ path: name }) => {
        const imports = importsOf(name).map((first) => `import ${JSON.stringify(first)}\n`)
        const contents = imports.join('') + withNumbers(readFileSync(name, 'utf8'), numbers)
        return { contents, loader: path.extname(name).slice(1) }
      })
      // The style of a part that is loaded on demand, as a text.
      build.onLoad({ filter: /\.css$/ }, async ({ path: name }) => {
        const style = readFileSync(name, 'utf8')
        const options = { loader: 'css', minify: true, target: 'es2022' }
        const { code } = await build.esbuild.transform(style, options)
        return { contents: code, loader: 'text' }
      })
    },
  }
}

/** @param {Map<string, number>} numbers in place of keys of texts */
export function scriptOptions(outdir, entry, numbers = new Map()) {
  return {
    entryPoints: [sourceOf(entry)],
    outdir,
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    // Modules are always UTF-8, and quotes in texts are shorter so.
    charset: 'utf8',
    // h() takes children as arguments, which needs 1 % less than jsx() of the compiler's options.
    jsx: 'transform',
    jsxFactory: 'h',
    jsxFragment: 'Fragment',
    inject: ['src/web/elements.ts'],
    tsconfigRaw: '{}',
    plugins: [sources(entry, numbers)],
    metafile: true,
    logLevel: 'warning',
  }
}

/** What is unsafe with these: builtins replaced by the page, getters with effects, rounding. */
const compress = {
  passes: 10,
  keep_fargs: false,
  lhs_constants: false,
  pure_getters: true,
  unsafe: true,
  unsafe_arrows: true,
  unsafe_comps: true,
  unsafe_math: true,
  unsafe_methods: true,
}

/** esbuild has minified it already; terser takes another 3 % off. */
async function shorten(script) {
  const source = readFileSync(script, 'utf8')
  const { minify } = await import('terser')
  const { code } = await minify(source, { module: true, compress, ecma: 2020 })
  writeFileSync(script, code)
}

function sourceOf(entry) {
  return `src/web/entry/${entry}.tsx`
}

/** The purpose of an entry's built files. `page` is its part of manifest.json. */
export function describeScript(metafile, entry) {
  const source = sourceOf(entry)
  const { outputs } = metafile
  const reach = (name, kinds, seen = new Set()) => {
    if (seen.has(name)) return seen
    seen.add(name)
    for (const { path: next, kind } of outputs[name].imports) {
      if (kinds.includes(kind)) reach(next, kinds, seen)
    }
    return seen
  }
  const names = (set) => [...set].map((name) => path.basename(name))
  // If parts loaded on demand use modules of the entry, esbuild moves these to another file, which
  // the entry's file only imports.
  const nameOf = (module) => Object.keys(outputs).find((output) => module in outputs[output].inputs)
  const name = nameOf(source)
  const loads = [...reach(name, ['import-statement', 'dynamic-import'])]
  const always = names(reach(name, ['import-statement']))
  const [script, ...preload] = always
  return {
    page: { script, preload },
    always,
    loads: names(loads),
    modules: Object.keys(metafile.inputs),
    part: (module) => names([nameOf(`src/web/${module}`)]),
  }
}

/** Returns the name of the file. */
export async function buildStyle(esbuild, outdir, sheet) {
  const { outputFiles } = await esbuild.build({
    entryPoints: [`src/web/css/${sheet}.css`],
    bundle: true,
    minify: true,
    target: 'es2022',
    write: false,
    logLevel: 'warning',
  })
  const [{ contents }] = outputFiles
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 8).toUpperCase()
  const name = `${sheet}-${hash}.css`
  writeFileSync(path.join(outdir, name), contents)
  return name
}

const tooLarge =
  'The web UI is too large. Load less at first, or raise the budget in src/web/build.mjs:'

function checkBudgets(built, scripts, styled, textsVersion) {
  const sizeOf = (name) => statSync(path.join(built, `${name}.gz`)).size
  const problems = []
  for (const { name, entry, part, withLazy, kilobytes } of budgets) {
    const { always, loads, part: findPart } = scripts.get(entry)
    const files = part ? findPart(part) : withLazy ? [...loads] : [...always]
    if (!part && styled[entry]) files.push(styled[entry].style)
    const texts = part ? [path.parse(part).name] : withLazy ? [entry, ...lateTexts[entry]] : [entry]
    for (const name of texts.map((text) => `${text}.en-${textsVersion}.js`)) {
      if (existsSync(path.join(built, name))) files.push(name)
    }
    const bytes = files.reduce((sum, file) => sum + sizeOf(file), 0)
    if (process.env.SHOW_BUDGETS) {
      process.stdout.write(`${name}: ${(bytes / 1000).toFixed(1)} of ${kilobytes} KB\n`)
    }
    if (bytes > kilobytes * 1000) {
      problems.push(`${name}: ${(bytes / 1000).toFixed(1)} KB after gzip, ${kilobytes} at most`)
    }
  }
  if (problems.length > 0) throw new Error(`${tooLarge}\n${problems.join('\n')}`)
}

/**
 * Browsers accept Brotli on https only, so gzip is what pages on a local network are given.
 * @param isSmallest takes 3 % off, and some seconds for all files
 */
async function writeCompressed(name, isSmallest) {
  const body = readFileSync(name)
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
  // Brotli takes other threads.
  const smaller = promisify(brotliCompress)(body, options)
  writeFileSync(`${name}.gz`, isSmallest ? await zip(body) : gzipSync(body, { level: 9 }))
  writeFileSync(`${name}.br`, await smaller)
}

async function zip(body) {
  const { gzipAsync } = await import('@gfx/zopfli')
  return gzipAsync(body, { numiterations: 5 })
}
