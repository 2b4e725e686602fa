import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { options, type Fallbacks, type Option } from './options.ts'

type Options = typeof options
export type Config = {
  readonly [Key in keyof Options]: Options[Key] extends Option<infer T> ? T : never
}

/** All mistakes in the options, so that they can be fixed in one go. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`the configuration is not valid:\n${problems.map((line) => `  ${line}`).join('\n')}`)
    this.problems = problems
  }
}

export interface Loaded {
  readonly config: Config
  /** Source of each option's value: `environment`, a file's path, or `default`. */
  readonly sources: Readonly<Record<keyof Config, string>>
}

/**
 * Reads every option: `NAME`, otherwise the file in `NAME_FILE`, otherwise `NAME` in
 * `$CREDENTIALS_DIRECTORY` (systemd's LoadCredential), otherwise its default. Empty means unset.
 * @throws ConfigError with all mistakes
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Loaded {
  const problems: string[] = []
  const given = new Set<keyof Config>()
  const config: Record<string, unknown> = {}
  const sources: Record<string, string> = {}
  const fallbacks: Fallbacks = {
    port: () => config['port'] as number,
    docsPort: () => config['docsPort'] as number | null,
    stateFolder: stateFolder(env),
    dataDir: () => config['dataDir'] as string,
  }
  for (const [key, option] of Object.entries(options) as [keyof Config, Option<unknown>][]) {
    try {
      const { text, source } = readOption(option, env)
      if (text !== null) given.add(key)
      config[key] = text === null ? option.fallback(fallbacks) : option.parse(text)
      sources[key] = source
    } catch (error) {
      problems.push(`${option.env}: ${(error as Error).message}`)
      config[key] = option.fallback(fallbacks)
    }
  }
  if (given.has('adminEmail') !== given.has('adminPassword')) {
    problems.push('ADMIN_EMAIL and ADMIN_PASSWORD must be set together')
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return { config: config as Config, sources: sources as Loaded['sources'] }
}

/** One line per option for `transfer config show`, with secrets masked. */
export function describeConfig({ config, sources }: Loaded): string[] {
  return (Object.keys(options) as (keyof Config)[]).map((key) => {
    const option: Option<unknown> = options[key]
    const value = config[key]
    const isMasked = option.secret && value !== null
    const shown = isMasked ? '********' : showValue(option, value)
    return `${option.env}=${shown}  (${sources[key]})`
  })
}

/** Options for administrators, by name: without secrets and paths. */
export function visibleOptions(config: Config): Record<string, string> {
  const { baseUrl, docsPort, docsUrl, trustProxy, databaseUrl } = config
  return {
    [options.baseUrl.env]: baseUrl,
    [options.docsUrl.env]: docsPort === null ? '' : docsUrl,
    [options.trustProxy.env]: trustProxy,
    [options.databaseUrl.env]: databaseUrl === null ? '' : placeOf(databaseUrl),
  }
}

/** Host and database as in database/client.ts, without account and socket folder. */
function placeOf(databaseUrl: string): string {
  const { hostname, port, pathname, searchParams } = new URL(databaseUrl)
  const host = searchParams.get('host') ?? hostname
  if (/^(\/|%2f)/i.test(host)) return pathname
  const said = searchParams.get('port') ?? port
  return `${host}${said && `:${said}`}${pathname}`
}

function showValue(option: Option<unknown>, value: unknown): string {
  if (option.show) return option.show(value)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function readOption(
  { env: name, formerEnv }: Option<unknown>,
  env: Readonly<Record<string, string | undefined>>,
): { text: string | null; source: string } {
  const found = readText(name, env)
  if (!formerEnv) return found
  const former = readText(formerEnv, env)
  if (former.text === null) return found
  if (found.text !== null) throw new Error(`set ${name} only: ${formerEnv} is its former name`)
  return former
}

function readText(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): { text: string | null; source: string } {
  const direct = env[name]
  const fileName = env[`${name}_FILE`]
  if (direct && fileName) throw new Error(`set ${name} or ${name}_FILE, not both`)
  if (direct) return { text: direct, source: 'environment' }
  if (fileName) return { text: readSecretFile(fileName), source: fileName }
  const credentials = env['CREDENTIALS_DIRECTORY']
  if (credentials) {
    const credential = path.join(credentials, name)
    if (existsSync(credential)) return { text: readSecretFile(credential), source: credential }
  }
  return { text: null, source: 'default' }
}

function readSecretFile(name: string): string {
  try {
    return readFileSync(name, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new Error(`cannot read ${name}: ${(error as NodeJS.ErrnoException).code}`, {
      cause: error,
    })
  }
}

function stateFolder(env: Readonly<Record<string, string | undefined>>): string {
  // systemd separates several state directories by colons; the first one is ours.
  const given = env['STATE_DIRECTORY']?.split(':')[0]
  if (given) return given
  if (process.getuid?.() === 0) return '/var/lib/transfer-service'
  const home = env['HOME'] || homedir()
  return path.join(env['XDG_DATA_HOME'] || path.join(home, '.local', 'share'), 'transfer-service')
}
