// The rules that hold between files: who may import whom, and what nobody needs.
import { importsOf, resolveImport, type Import, type Source } from './source.ts'

/** Every module with the modules below it: the direction of docs/architecture.md. */
export const modules: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  http: ['lib'],
  database: ['lib'],
  jobs: ['database', 'lib'],
  config: ['http', 'lib'],
  audit: ['jobs', 'http', 'database', 'lib'],
  'blobs/zip': ['lib'],
  blobs: ['blobs/zip', 'jobs', 'http', 'database', 'lib'],
  email: ['audit', 'http', 'database', 'lib'],
  settings: ['audit', 'http', 'database', 'lib'],
  accounts: ['audit', 'email', 'settings', 'http', 'database', 'lib'],
  'web/pages': ['accounts', 'settings', 'http', 'lib'],
  // prettier-ignore
  shares: [
    'blobs', 'blobs/zip', 'accounts', 'settings', 'email', 'audit', 'web/pages',
    'jobs', 'http', 'database', 'lib',
  ],
  // prettier-ignore
  'reverse-shares': [
    'shares', 'blobs', 'blobs/zip', 'accounts', 'settings', 'email', 'audit',
    'web/pages', 'jobs', 'http', 'database', 'lib',
  ],
  admin: ['shares', 'blobs', 'email', 'jobs', 'http', 'database', 'lib'],
  // Runs in the browser: it knows the service by its public API alone.
  web: [],
  site: ['http', 'lib'],
}

/** Modules that answer requests, or hold the rules of those that do. */
// prettier-ignore
const feature = [
  'audit', 'email', 'settings', 'accounts', 'blobs', 'shares', 'reverse-shares', 'admin',
  'web/pages', 'site',
]
const all = Object.keys(modules)

/** Files that stand above the modules. */
const floors: Readonly<Record<string, readonly string[]>> = {
  'src/operations.ts': [...feature, 'http'],
  'src/site/publish.ts': ['src/operations.ts', 'site', 'http', 'lib'],
  'src/job-list.ts': all,
  'src/app-bytes.ts': ['settings', 'email', 'blobs', 'reverse-shares', 'shares'],
  'src/app-mail.ts': [
    'config',
    'audit',
    'accounts',
    'email',
    'reverse-shares',
    'settings',
    'shares',
  ],
  'src/app-listener.ts': ['config', 'http', 'database', 'lib', 'src/operations.ts'],
  'src/app.ts': [
    ...all,
    'src/operations.ts',
    'src/job-list.ts',
    'src/app-bytes.ts',
    'src/app-listener.ts',
    'src/app-mail.ts',
  ],
  cli: [...all, 'src/app.ts'],
  'src/main.cts': ['cli'],
}
const byLength = [...all].sort((a, b) => b.length - a.length)

/** Where a request or an answer of Node may be touched, outside of http/. */
const borders = /\/(?:[\w-]*operations|[\w-]*pages|credentials|chunk-request|storage-lock)\.ts$/
/** Sending is its own border: it streams to the client, and several modules call it. */
const sendingBorder = 'src/blobs/send/downloads.ts'

interface Link extends Import {
  readonly importer: string
  /** The file imported, or null for a package. */
  readonly target: string | null
}

export function linksOf(files: readonly Source[]): Link[] {
  return files.flatMap((file) =>
    importsOf(file).map((found) => ({
      ...found,
      importer: file.name,
      target: resolveImport(file.name, found.from),
    })),
  )
}

/** `src/shares/sql.ts` → `shares`; a file above the modules stands for itself. */
export function moduleOf(name: string): string {
  if (name in floors) return name
  const parts = name.split('/')
  if (parts.length === 2) return name
  const known = byLength.find((module) => name.startsWith(`src/${module}/`))
  return known ?? parts[1]!
}

export function wrongDirections(links: readonly Link[]): string[] {
  const problems: string[] = []
  for (const { importer, target, line } of links) {
    if (target === null) continue
    const [from, to] = [moduleOf(importer), moduleOf(target)]
    const below = modules[from] ?? floors[from]
    if (!below) {
      problems.push(`${importer}: ${from} has no place: give it one in test/tidy/house.ts`)
    } else if (from !== to && !below.includes(to)) {
      const allowed = below.length === 0 ? 'nothing' : below.join(', ')
      problems.push(
        `${importer}:${line}: ${from} may not import ${to}, only ${allowed}: ` +
          'pass what is needed in from above, or move it to a module below both',
      )
    }
  }
  return [...new Set(problems)]
}

export function strayPackages(links: readonly Link[]): string[] {
  const problems: string[] = []
  for (const { importer, from, target, line } of links) {
    if (target === null && from === 'postgres' && moduleOf(importer) !== 'database') {
      problems.push(
        `${importer}:${line}: only db/ imports postgres: take \`Sql\` from database/connect.ts`,
      )
    }
    const inFeature = feature.includes(moduleOf(importer))
    const touchesNode = /^node:(?:http|https|http2|net|tls)$/.test(from)
    const touchesExchange = target === 'src/http/exchange.ts' && importer !== sendingBorder
    if (inFeature && (touchesNode || touchesExchange) && !borders.test(importer)) {
      problems.push(
        `${importer}:${line}: rules never see a request: take plain values, ` +
          'and let operations.ts, pages.ts, credentials.ts or chunk-request.ts read them',
      )
    }
  }
  return problems
}

/** SQL belongs to database/, sql.ts and <noun>-sql.ts; `select 1` is no more than a probe. */
export function straySql(files: readonly Source[]): string[] {
  return files
    .filter(({ name }) => !name.startsWith('src/database/') && !/[/-]sql\.ts$/.test(name))
    .filter(({ uncommented }) =>
      /\b(?:sql|transaction)(?:<[^`]*>)?`(?!select 1`)/.test(uncommented),
    )
    .map(({ name }) => `${name}: move its SQL to sql.ts beside it, one function a statement`)
}

/** Files that import each other in a ring; type imports vanish and do not count. */
export function rings(links: readonly Link[]): string[] {
  const next = new Map<string, string[]>()
  for (const { importer, target, isTypeOnly } of links) {
    if (target === null || isTypeOnly) continue
    next.set(importer, [...(next.get(importer) ?? []), target])
  }
  const found: string[] = []
  const done = new Set<string>()
  const walk = (file: string, way: readonly string[]) => {
    const seenAt = way.indexOf(file)
    if (seenAt !== -1) {
      const ring = [...way.slice(seenAt), file].join(' → ')
      found.push(`${ring}: import each other: move what both need to a third file`)
      return
    }
    if (done.has(file)) return
    for (const target of next.get(file) ?? []) walk(target, [...way, file])
    done.add(file)
  }
  for (const file of next.keys()) walk(file, [])
  return found
}

export function deadFiles(
  files: readonly Source[],
  links: readonly Link[],
  roots: readonly string[],
): string[] {
  const reached = new Set<string>()
  const walk = (name: string) => {
    if (reached.has(name)) return
    reached.add(name)
    for (const { importer, target } of links) if (importer === name && target) walk(target)
  }
  for (const root of roots) walk(root)
  return files
    .filter(({ name }) => !reached.has(name))
    .map(({ name }) => `${name}: nothing imports it: delete it, or import it where it is needed`)
}

/** Types are left out: those of an exported function's parameters are part of what it shows. */
const exportPattern = /^export (?:async |abstract )?(?:const|let|function\*?|class) ([\w$]+)/gm

/** Values exported and used by no other file, tests and benches included. */
export function deadExports(files: readonly Source[], users: readonly Source[]): string[] {
  const used = new Set<string>()
  for (const user of users) {
    for (const { from, names, namespace } of importsOf(user)) {
      const target = resolveImport(user.name, from)
      if (target === null) continue
      for (const name of names ?? []) used.add(`${target} ${name}`)
      if (names === null) {
        // `import * as shares` uses what is written after `shares.`; `import()` what follows it.
        const pattern = namespace ? new RegExp(`\\b${namespace}\\.(\\w+)`, 'g') : /[.{,]\s*(\w+)/g
        for (const [, name] of user.code.matchAll(pattern)) used.add(`${target} ${name}`)
      }
    }
  }
  // The texts of a language are loaded by its name: the compiler sees that none is left out.
  const checked = files.filter(({ name }) => !name.startsWith('src/web/i18n/'))
  return checked.flatMap((file) =>
    [...file.code.matchAll(exportPattern)]
      .filter(([, name]) => !used.has(`${file.name} ${name}`))
      .map(([, name]) => `${file.name}: nobody imports ${name}: drop its \`export\`, or delete it`),
  )
}
