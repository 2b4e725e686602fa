// Builds the web UI into static/app/: one entry per page, hashed names, compressed copies, and
// manifest.json, which tells the service the files of each page. Fails when a budget is exceeded.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const folder = 'static/app'
/** Style sheets of each page: public pages do not load those of the signed-in app. */
export const styles = {
  app: 'app',
  share: 'public',
  guest: 'public',
  login: 'plain',
  setup: 'plain',
}
export const entries = Object.keys(styles)

/**
 * Budgets in kilobytes after gzip for all files that a page needs before use: scripts, style,
 * language. `withLazy` includes files loaded on demand, `part` counts only one of these.
 */
const budgets = [
  { name: 'recipient', entry: 'share', kilobytes: 26 },
  { name: 'guest', entry: 'guest', kilobytes: 30 },
  { name: 'login', entry: 'login', kilobytes: 17.5 },
  { name: 'setup', entry: 'setup', kilobytes: 21 },
  { name: 'sender', entry: 'app', kilobytes: 42 },
  { name: 'upload engine', entry: 'app', part: ['upload/browser.ts'], kilobytes: 12 },
  { name: 'shares and requests', entry: 'app', part: viewsAndTexts('manage'), kilobytes: 15 },
  { name: 'account', entry: 'app', part: viewsAndTexts('account'), kilobytes: 9 },
  { name: 'administration', entry: 'app', part: viewsAndTexts('admin'), kilobytes: 22 },
  { name: 'whole signed-in app', entry: 'app', withLazy: true, kilobytes: 105 },
]

function viewsAndTexts(name) {
  return [`views/${name}.ts`, `i18n/en/${name}.ts`]
}

/**
 * Returns the names of all modules in the bundle.
 * @param {typeof import('esbuild')} esbuild
 */
export async function buildWeb(esbuild) {
  const fresh = `${folder}.${process.pid}`
  mkdirSync(fresh, { recursive: true })
  try {
    const scripts = await buildScripts(esbuild, fresh)
    const built = new Map()
    for (const name of new Set(Object.values(styles))) {
      built.set(name, await buildStyle(esbuild, fresh, name))
    }
    const pages = Object.fromEntries(
      entries.map((name) => [name, { ...scripts.get(name).page, style: built.get(styles[name]) }]),
    )
    checkBudgets(fresh, scripts, pages)
    const loads = [...scripts.values()].flatMap((script) => script.loads)
    for (const name of new Set([...loads, ...built.values()])) {
      compress(path.join(fresh, name))
    }
    writeFileSync(path.join(fresh, 'manifest.json'), JSON.stringify(pages))
    rmSync(folder, { recursive: true, force: true })
    renameSync(fresh, folder)
    return [...scripts.values()].flatMap((script) => script.modules)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/**
 * Each entry with its file, its required files, and all files that it may load. Each is built
 * separately, because few users open two of these pages, and shared files have a cost.
 */
async function buildScripts(esbuild, outdir) {
  const scripts = new Map()
  for (const entry of entries) scripts.set(entry, await buildScript(esbuild, outdir, entry))
  return scripts
}

/** Parts of the app that are loaded on demand. */
const lateParts = [
  'upload/browser.ts',
  'views/manage.ts',
  'views/account.ts',
  'views/admin.ts',
  'views/ready.ts',
  'views/send/unfinished.tsx',
  'views/share/preview.tsx',
  'views/shell/sign-in-dialog.tsx',
].map((name) => path.resolve('src/web', name))

/**
 * These parts import the whole entry, which is loaded before them. So all modules of the entry are
 * used by the same parts, and esbuild keeps them in one file: split by users they would be eight,
 * and many small files compress badly.
 */
const onTopOfTheApp = {
  name: 'on top of the app',
  setup(build) {
    const app = path.resolve('src/web/entry/app.tsx')
    build.onLoad({ filter: /\.tsx?$/ }, (part) => {
      if (!lateParts.includes(part.path)) return
      const source = readFileSync(part.path, 'utf8')
      const loader = path.extname(part.path).slice(1)
      return { contents: `import ${JSON.stringify(app)}\n${source}`, loader }
    })
  },
}

async function buildScript(esbuild, outdir, entry) {
  const { metafile } = await esbuild.build(scriptOptions(outdir, entry))
  return describeScript(metafile, entry)
}

export function scriptOptions(outdir, entry) {
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
    jsx: 'automatic',
    jsxImportSource: 'preact',
    plugins: entry === 'app' ? [onTopOfTheApp] : [],
    metafile: true,
    logLevel: 'warning',
  }
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
  const isForeign = (name) =>
    Object.keys(outputs[name].inputs).some((input) => input.startsWith('src/web/i18n/de/'))
  // If parts loaded on demand use modules of the entry, esbuild moves these to another file, which
  // the entry's file only imports.
  const nameOf = (module) => Object.keys(outputs).find((output) => module in outputs[output].inputs)
  const name = nameOf(source)
  const loads = [...reach(name, ['import-statement', 'dynamic-import'])]
  // One language is always loaded, although by a dynamic import.
  const texts = loads.filter((output) => `src/web/i18n/en/${entry}.ts` in outputs[output].inputs)
  const always = texts.reduce(
    (seen, output) => reach(output, ['import-statement'], seen),
    reach(name, ['import-statement']),
  )
  const [script, ...preload] = names(reach(name, ['import-statement']))
  const textsOf = (language) => names([nameOf(`src/web/i18n/${language}/${entry}.ts`)])[0]
  return {
    page: { script, preload, texts: { en: textsOf('en'), de: textsOf('de') } },
    always: names(always),
    all: names(loads.filter((output) => !isForeign(output))),
    loads: names(loads),
    modules: Object.keys(metafile.inputs),
    part: (modules) => names(modules.map((module) => nameOf(`src/web/${module}`))),
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

function checkBudgets(built, scripts, styled) {
  const sizeOf = (name) => gzipSync(readFileSync(path.join(built, name)), { level: 9 }).length
  const problems = []
  for (const { name, entry, part, withLazy, kilobytes } of budgets) {
    const { always, all, part: findPart } = scripts.get(entry)
    const page = [styled[entry].style, ...(withLazy ? all : always)]
    const files = part ? findPart(part) : page
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

function compress(name) {
  const body = readFileSync(name)
  writeFileSync(`${name}.gz`, gzipSync(body, { level: 9 }))
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
  writeFileSync(`${name}.br`, brotliCompressSync(body, options))
}
