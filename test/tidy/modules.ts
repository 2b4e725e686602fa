/** Every module with the modules that it may import: the direction of docs/architecture.md. */
// oxfmt-ignore
export const modules: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  // The words of pages and emails in every language.
  i18n: ['lib'],
  http: ['lib'],
  database: ['lib'],
  jobs: ['database', 'lib'],
  config: ['http', 'lib'],
  audit: ['jobs', 'http', 'database', 'lib'],
  'bytes/archive': ['lib'],
  bytes: ['bytes/archive', 'jobs', 'http', 'database', 'lib'],
  backup: ['bytes', 'bytes/archive', 'database', 'lib'],
  email: ['audit', 'i18n', 'http', 'database', 'lib'],
  settings: ['audit', 'http', 'database', 'lib'],
  accounts: ['audit', 'email', 'settings', 'http', 'database', 'lib'],
  shares: ['bytes', 'bytes/archive', 'accounts', 'settings', 'email', 'audit', 'jobs', 'i18n',
    'http', 'database', 'lib'],
  requests: ['shares', 'bytes', 'bytes/archive', 'accounts', 'settings', 'email', 'audit', 'jobs',
    'i18n', 'http', 'database', 'lib'],
  admin: ['requests', 'shares', 'accounts', 'bytes', 'backup', 'email', 'audit', 'jobs', 'http',
    'database', 'lib'],
  // Every HTML page that the server writes.
  pages: ['requests', 'shares', 'bytes', 'bytes/archive', 'accounts', 'settings', 'i18n', 'http',
    'lib'],
  // Runs in the browser: it knows the service only by its public API.
  web: [],
  site: ['http', 'lib'],
}
const all = Object.keys(modules)

/** Files above the modules. */
// oxfmt-ignore
const floors: Readonly<Record<string, readonly string[]>> = {
  'src/routes.ts': all,
  'src/site/publish.ts': ['src/routes.ts', 'site', 'web', 'http', 'lib'],
  'src/app.ts': [...all, 'src/routes.ts'],
  cli: [...all, 'src/app.ts'],
  // Build scripts, `npm run dev`, and files of an installed service, made from the tables of
  // commands and options.
  build: ['cli', 'config', 'pages', 'lib'],
  'src/main.cts': ['cli'],
}

const byLength = all.toSorted((one, other) => other.length - one.length)

/** `src/shares/sql.ts` → `shares`; a file above the modules stands for itself. */
function moduleOf(file: string): string {
  const parts = file.split('/')
  if (file in floors || parts.length === 2) return file
  return byLength.find((module) => file.startsWith(`src/${module}/`)) ?? parts[1]!
}

/** The problem of an import, including types; null when the direction is right. */
export function wrongDirection(importer: string, imported: string): string | null {
  const [from, to] = [moduleOf(importer), moduleOf(imported)]
  const below = modules[from] ?? floors[from]
  if (!below) return `${from} is not in test/tidy/modules.ts`
  if (from === to || below.includes(to)) return null
  return `${from} may not import ${to}: pass it in from above, or move it below both`
}
