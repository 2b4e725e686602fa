// Builds the web UI into static/app/: one entry a page, hashed names, compressed beside each file,
// and manifest.json that tells the service which files a page needs. Fails above the budgets.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const folder = 'static/app'
/** Pages, each with its style: strangers do not load what only the signed-in app shows. */
const styles = { app: 'app', share: 'public', guest: 'public', login: 'public', setup: 'public' }
const entries = Object.keys(styles)

/**
 * Bytes after gzip of all that a page loads before it can be used: scripts, style, language. What
 * is loaded on demand counts where it says so.
 */
const budgets = [
  { name: 'recipient', entries: ['share'], kilobytes: 22 },
  { name: 'guest', entries: ['guest'], kilobytes: 28 },
  { name: 'login', entries: ['login'], kilobytes: 20 },
  { name: 'setup', entries: ['setup'], kilobytes: 20 },
  { name: 'sender', entries: ['app'], kilobytes: 38 },
  { name: 'whole signed-in app', entries: ['app'], withLazy: true, kilobytes: 62 },
]

/** @param {typeof import('esbuild')} esbuild */
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
      entries.map((name) => [
        name,
        { script: scripts.get(name).file, style: built.get(styles[name]) },
      ]),
    )
    checkBudgets(fresh, scripts, pages)
    const loads = [...scripts.values()].flatMap((script) => script.loads)
    for (const name of new Set([...loads, ...built.values()])) {
      compress(path.join(fresh, name))
    }
    writeFileSync(path.join(fresh, 'manifest.json'), JSON.stringify(pages))
    rmSync(folder, { recursive: true, force: true })
    renameSync(fresh, folder)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** Each entry with its file, what it always loads, and everything it may load. */
async function buildScripts(esbuild, outdir) {
  const { metafile } = await esbuild.build({
    entryPoints: entries.map((name) => `src/web/entry/${name}.tsx`),
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
    metafile: true,
    logLevel: 'warning',
  })
  const outputs = metafile.outputs
  const reach = (name, kinds, seen = new Set()) => {
    if (seen.has(name)) return seen
    seen.add(name)
    for (const { path: next, kind } of outputs[name].imports) {
      if (kinds.includes(kind)) reach(next, kinds, seen)
    }
    return seen
  }
  const names = (set) => [...set].map((name) => path.basename(name))
  const holds = (name, source) =>
    Object.keys(outputs[name].inputs).some((input) => input === source)
  const isForeign = (name) =>
    Object.keys(outputs[name].inputs).some((input) => input.startsWith('src/web/i18n/de/'))
  return new Map(
    entries.map((entry) => {
      const [name] = Object.entries(outputs).find(
        ([, { entryPoint }]) => entryPoint === `src/web/entry/${entry}.tsx`,
      )
      const reachable = [...reach(name, ['import-statement', 'dynamic-import'])]
      // One language is loaded, on demand by its means, but always.
      const texts = reachable.filter((output) => holds(output, `src/web/i18n/en/${entry}.ts`))
      const always = texts.reduce(
        (seen, output) => reach(output, ['import-statement'], seen),
        reach(name, ['import-statement']),
      )
      const all = reachable.filter((output) => !isForeign(output))
      return [
        entry,
        {
          file: path.basename(name),
          always: names(always),
          all: names(all),
          loads: names(reachable),
        },
      ]
    }),
  )
}

async function buildStyle(esbuild, outdir, sheet) {
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

function checkBudgets(built, scripts, styled) {
  const sizeOf = (name) => gzipSync(readFileSync(path.join(built, name)), { level: 9 }).length
  const problems = []
  for (const { name, entries: pages, withLazy, kilobytes } of budgets) {
    const files = new Set()
    for (const page of pages) {
      files.add(styled[page].style)
      const { always, all } = scripts.get(page)
      for (const file of withLazy ? all : always) files.add(file)
    }
    const bytes = [...files].reduce((sum, file) => sum + sizeOf(file), 0)
    if (process.env.SHOW_BUDGETS) {
      process.stdout.write(`${name}: ${(bytes / 1000).toFixed(1)} of ${kilobytes} KB\n`)
    }
    if (bytes > kilobytes * 1000) {
      problems.push(`${name}: ${(bytes / 1000).toFixed(1)} KB after gzip, ${kilobytes} at most`)
    }
  }
  if (problems.length > 0) throw new Error(`the web UI is too large:\n${problems.join('\n')}`)
}

function compress(name) {
  const body = readFileSync(name)
  writeFileSync(`${name}.gz`, gzipSync(body, { level: 9 }))
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
  writeFileSync(`${name}.br`, brotliCompressSync(body, options))
}
