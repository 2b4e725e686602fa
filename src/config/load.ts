import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { homedir } from 'node:os'
import path from 'node:path'
import { isLoopback } from '../http/client-ip.ts'
import { unlessError } from '../lib/errors.ts'
import { isForeign, readOptionsFile, type OptionsFile } from './options-file.ts'
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

type Env = Readonly<Record<string, string | undefined>>

export interface Loaded {
  readonly config: Config
  /** The options file; null without one. */
  readonly file: string | null
  /** Whether every user of the machine can read secrets in it. */
  readonly isFilePublic: boolean
  /** Source of each option's value: `environment`, a file's path, or `default`. */
  readonly sources: Readonly<Record<keyof Config, string>>
  /** The options that are set, as an environment with the same effect. */
  readonly texts: Readonly<Record<string, string>>
}

/** Ports that the system has chosen for options that are 0. */
export interface ChosenPorts {
  readonly port?: number
  readonly docsPort?: number
}

/**
 * Reads every option: `NAME` of the environment, otherwise the file in `NAME_FILE`, otherwise a
 * credential (systemd's LoadCredential), otherwise the same two of the options file, otherwise its
 * default. Empty means unset.
 * @param chosen takes the place of ports, also in the defaults of other options
 * @throws ConfigError with all mistakes
 */
export function loadConfig(env: Env, chosen: ChosenPorts = {}): Loaded {
  const given = new Set<keyof Config>()
  const config: Record<string, unknown> = {}
  const sources: Record<string, string> = {}
  const texts: Record<string, string> = {}
  const folder = stateFolder(env)
  // Without one, the check below refuses the default of DATA_DIR.
  const fallbackOf = (option: Option<unknown>) =>
    option.fallback({ ...config, stateFolder: folder ?? '' } as Fallbacks)
  const file = readOptionsFile(env, folder)
  const problems = [...file.problems, ...unknownOptions(file)]
  for (const [key, option] of Object.entries(options) as [keyof Config, Option<unknown>][]) {
    try {
      const { text, source } = readText(option.env, env, file)
      if (text !== null) {
        given.add(key)
        texts[option.env] = text
      }
      const value = text === null ? fallbackOf(option) : option.parse(text)
      config[key] = chosen[key as keyof ChosenPorts] ?? value
      sources[key] = source
    } catch (error) {
      problems.push(`${option.env}: ${(error as Error).message}`)
      config[key] = fallbackOf(option)
    }
  }
  if (folder === null && !given.has('dataDir')) {
    problems.push('DATA_DIR: must be set, because this user has no home directory')
  }
  if (given.has('adminEmail') !== given.has('adminPassword')) {
    problems.push('ADMIN_EMAIL and ADMIN_PASSWORD must be set together')
  }
  if (given.has('blobsUrl') && !(given.has('awsAccessKeyId') && given.has('awsSecretAccessKey'))) {
    problems.push('BLOBS_URL needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  }
  if (given.has('databaseDirectUrl') && !given.has('databaseUrl')) {
    problems.push('DATABASE_DIRECT_URL needs DATABASE_URL')
  }
  // With sockets from systemd, the default of PORT is not used.
  const isPortShared = given.has('port') && config['port'] === config['docsPort']
  if (isPortShared && given.has('docsPort') && config['port']) {
    problems.push('PORT and DOCS_PORT must be different ports')
  }
  problems.push(...openToForgers(config as Config))
  if (problems.length > 0) throw new ConfigError(problems)
  const isFilePublic = file.isPublic && secretNames.some((name) => file.values[name])
  const loaded = { config: config as Config, sources: sources as Loaded['sources'], texts }
  return { ...loaded, file: file.path, isFilePublic }
}

/** Whether other services may run on the same database and files. */
export function isShared({ databaseUrl, blobsUrl }: Config): boolean {
  return databaseUrl !== null && blobsUrl !== null
}

/**
 * A client with a trusted address can claim to be any user: behind an open port, a whole network is
 * too much.
 */
function openToForgers({ proxyUserHeader, host, trustProxy }: Config): string[] {
  if (proxyUserHeader === '') return []
  const { env } = options.proxyUserHeader
  if (trustProxy === '') return [`${env} needs TRUST_PROXY: the address of the proxy`]
  const isClosed = host === 'localhost' || isLoopback(host)
  // A network of one address is that address.
  const single = /^([\d.]+)\/32$|^([\da-f:.]+)\/128$/
  const parts = trustProxy
    .split(',')
    .map((part) => part.trim().toLowerCase().replace(single, '$1$2'))
  const tooWide = parts.find((part) => !['', 'loopback'].includes(part) && !isIP(part))
  if (isClosed || tooWide === undefined) return []
  return [
    `${env} would believe every machine in ${tooWide}: list the proxy alone in TRUST_PROXY, or ` +
      'set HOST to 127.0.0.1',
  ]
}

const names: readonly string[] = Object.values(options).map(({ env }) => env)
const namesInFile = [...names, ...names.map((name) => `${name}_FILE`)]
const secretNames = Object.values(options)
  .filter((option: Option<unknown>) => option.secret)
  .map(({ env }) => env)

/** A name that is mistyped would otherwise change nothing, and say nothing. */
function unknownNames(place: string, given: readonly string[], known: readonly string[]): string[] {
  return given
    .filter((typed) => !known.includes(typed))
    .map((typed) => `${place}: there is no option ${typed}`)
}

/** In the options file, and in the folder of credentials beside it, where hidden files may be. */
function unknownOptions({ path: file, values }: OptionsFile): string[] {
  if (file === null) return []
  const folder = credentialsBeside(file)
  // Nothing where this user may not look: the service's own user has a copy of systemd's.
  const found = unlessError(['ENOENT', 'ENOTDIR', 'EACCES'], () => readdirSync(folder)) ?? []
  const files = found.filter((name) => !name.startsWith('.')).toSorted()
  return [
    ...unknownNames(file, Object.keys(values), namesInFile),
    ...unknownNames(folder, files, names),
  ]
}

const credentialsBeside = (file: string) => path.join(path.dirname(file), 'credentials')

export interface ShownOption {
  /** Name of its environment variable. */
  readonly name: string
  /** Masked when it is a secret. */
  readonly value: string
  /** `environment`, a file's path, or `default`. */
  readonly source: string
}

export function describeConfig({ config, sources }: Loaded): ShownOption[] {
  return (Object.keys(options) as (keyof Config)[]).map((key) => {
    const option: Option<unknown> = options[key]
    const value = config[key]
    const isMasked = option.secret && value !== null
    const shown = isMasked ? '********' : showValue(option, value)
    return { name: option.env, value: shown, source: sources[key] }
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

interface Found {
  readonly text: string | null
  /** `environment`, a file's path, or `default`. */
  readonly source: string
}

function readText(name: string, env: Env, file: OptionsFile): Found {
  return (
    readGiven(name, env, 'environment') ??
    readCredential(name, env, file) ??
    readGiven(name, file.values, file.path ?? '') ?? { text: null, source: 'default' }
  )
}

function readGiven(name: string, values: Env, source: string): Found | null {
  const direct = values[name]
  const fileName = values[`${name}_FILE`]
  if (direct && fileName) throw new Error(`set ${name} or ${name}_FILE, not both`)
  if (direct) return { text: direct, source }
  return fileName ? { text: readSecretFile(fileName), source: fileName } : null
}

/**
 * systemd passes credentials in a folder of the running unit, those of a whole folder as
 * `options_NAME`. Commands of root read the folder beside the options file that they come from.
 */
function readCredential(name: string, env: Env, file: OptionsFile): Found | null {
  const passed = env['CREDENTIALS_DIRECTORY']
  const places = passed ? [path.join(passed, name), path.join(passed, `options_${name}`)] : []
  const beside = file.path && path.join(credentialsBeside(file.path), name)
  const place = [...places, ...(beside ? [beside] : [])].find((candidate) => existsSync(candidate))
  if (place === undefined) return null
  if (place === beside && isReachable(place)) {
    throw new Error(`root reads ${place} only if its folders are of root alone`)
  }
  return { text: readSecretFile(place), source: place }
}

/** Whether other users could place a link there, which root would follow. */
function isReachable(credential: string): boolean {
  const folder = path.dirname(credential)
  return isForeign(folder) || isForeign(path.dirname(folder))
}

function readSecretFile(name: string): string {
  let text: string
  try {
    text = readFileSync(name, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new Error(`cannot read ${name}: ${(error as NodeJS.ErrnoException).code}`, {
      cause: error,
    })
  }
  if (text === '') throw new Error(`${name} is empty: write the value into it, or remove the file`)
  return text
}

/** HOME or the home of the user; null for a number without a user, which containers run as. */
export function homeFolder(): string | null {
  return unlessError(['ERR_SYSTEM_ERROR'], homedir) ?? null
}

/** The default data directory; null for a user that the system does not know, without HOME. */
function stateFolder(env: Env): string | null {
  // systemd separates several state directories by colons; the first one is ours.
  const given = env['STATE_DIRECTORY']?.split(':')[0]
  if (given) return given
  if (process.getuid?.() === 0) return '/var/lib/transfer-service'
  const data = env['XDG_DATA_HOME']
  if (data) return path.join(data, 'transfer-service')
  const home = env['HOME'] || homeFolder()
  return home === null ? null : path.join(home, '.local', 'share', 'transfer-service')
}
