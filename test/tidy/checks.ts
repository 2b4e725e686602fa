// The rules of the house that one file shows by itself. Each check returns sentences that say
// where, what, and what to do instead; none means all is well.
import { functionsOf, importsOf, lineOf, type Source } from './source.ts'

export const functionLinesMax = 70
export const columnsMax = 100

interface Ban {
  readonly pattern: RegExp
  /** Completes "… is banned: ". */
  readonly instead: string
  /** Files that may, with the reason in `instead` or beside it. */
  readonly except?: RegExp
}

/** Only the tests may print, wait by the wall clock or read the environment as they like. */
const bansInSource: readonly Ban[] = [
  {
    pattern: /(?<!\bv)\.pipe\(/g,
    instead: 'use pipeline() from node:stream/promises, which closes both sides on failure',
  },
  {
    pattern: /\bAbortSignal\.any\b/g,
    instead: 'it leaks on Node 20: race the one controller of the request (http/exchange.ts)',
  },
  {
    pattern: /\bconsole\.\w+/g,
    instead: 'use the Log that is passed in, or process.stdout.write in a command',
  },
  {
    pattern: /\b(?:Date|performance)\.now\(/g,
    instead: 'use the Clock that is passed in, so that tests can set it (lib/clock.ts)',
    // Waits for the real PostgreSQL run on real time; the others name files and boots.
    except: /^src\/(?:lib\/clock|web\/lib\/clock|database\/.*|blobs\/receive\/os-durability)\.ts$/,
  },
  {
    pattern: /\bMath\.random\(/g,
    instead: 'use lib/random-id.ts, whose values nobody can guess',
    // Jitter of waits.
    except: /^src\/web\/lib\/clock\.ts$/,
  },
  {
    pattern: /\bprocess\.env\b/g,
    instead: 'declare the option in config/options.ts and pass the configuration in',
    except:
      /^src\/(?:build\.mjs|web\/build\.mjs|main\.cts|cli\/[\w-]+\.ts|database\/embedded\/place\.ts)$/,
  },
  {
    pattern: /\bprocess\.exit\(/g,
    instead: 'throw, or set process.exitCode: exit() cuts off what is still being closed',
  },
  {
    pattern: /\.on\(\s*'uncaughtException'/g,
    instead: 'find the promise or emitter whose error nobody handles',
  },
  {
    pattern: /\brequest\.(?:on|once)\(\s*'close'/g,
    instead: "it fires when the body is done: listen for 'close' of the response",
  },
]

const bansInTests: readonly Ban[] = [
  { pattern: /\.only\(/g, instead: 'it hides every other test of the suite: use plain tests' },
  {
    pattern: /^\w+\.skip\(/gm,
    instead: 'print `skipped: <what and why>` when the machine lacks something, else mend the test',
  },
  {
    pattern: /\bwaitForFunction\(\s*(?!\()./g,
    instead: 'pass an arrow function: pages refuse to evaluate a string the second time',
  },
]

/** What may close a connection by header: Node's own answer, and shutting down. */
const connectionCloseAllowed = /^src\/http\/(?:listener|refused-socket|send|discard)\.ts$/

export function bannedCalls(file: Source): string[] {
  const isTest = /^(?:test|bench)\//.test(file.name)
  const problems: string[] = []
  for (const { pattern, instead, except } of isTest ? bansInTests : bansInSource) {
    if (except?.test(file.name)) continue
    // The quoted names in the patterns are blanked in `code`.
    const text = pattern.source.includes("'") ? file.uncommented : file.code
    for (const match of text.matchAll(pattern)) {
      const what = match[0].trim()
      problems.push(`${file.name}:${lineOf(text, match.index)}: ${what} is banned: ${instead}`)
    }
  }
  const closes = /\bConnection['"]?\s*[:,]\s*['"]?close/gi
  if (isTest || connectionCloseAllowed.test(file.name)) return problems
  for (const match of file.uncommented.matchAll(closes)) {
    const where = `${file.name}:${lineOf(file.uncommented, match.index)}`
    problems.push(`${where}: \`Connection: close\` is banned: let http/discard.ts read the rest`)
  }
  return problems
}

export function longFunctions(file: Source): string[] {
  return functionsOf(file)
    .filter(({ lines }) => lines > functionLinesMax)
    .map(({ line, lines }) => {
      const where = `${file.name}:${line}`
      return `${where}: a function of ${lines} lines: name its steps, ${functionLinesMax} at most`
    })
}

export function longFile(file: Source, linesMax: number): string[] {
  const lines = file.text.split('\n').length - 1
  if (lines <= linesMax) return []
  return [`${file.name}: ${lines} lines: split it by meaning, ${linesMax} at most`]
}

/** In tests a string may cross the edge: sentences and made-up input read best whole. */
export function wideLines(file: Source): string[] {
  const isTest = /^(?:test|bench)\//.test(file.name)
  const code = file.code.split('\n')
  const uncommented = file.uncommented.split('\n')
  return file.text.split('\n').flatMap((line, place) => {
    const columns = Array.from(line).length
    if (columns <= columnsMax) return []
    const edge = code[place]!.slice(columnsMax - 1, columnsMax + 1)
    const isString = edge !== uncommented[place]!.slice(columnsMax - 1, columnsMax + 1)
    if (isTest && isString) return []
    const where = `${file.name}:${place + 1}`
    return [`${where}: ${columns} columns: break the line, ${columnsMax} at most`]
  })
}

// Put together, so that this file does not find itself.
const leftoverPattern = new RegExp(`\\b(?:${['FIX' + 'ME', 'TO' + 'DO', 'XX' + 'X'].join('|')})\\b`)

export function leftovers(file: Pick<Source, 'name' | 'text'>): string[] {
  return file.text
    .split('\n')
    .map((line, place) => ({ found: leftoverPattern.exec(line)?.[0], place }))
    .filter(({ found }) => found !== undefined)
    .map(({ found, place }) => {
      return `${file.name}:${place + 1}: ${found} is left over: do it now, or write an issue`
    })
}

/** One `# Title` a document, on its first line or right behind its front matter. */
export function documentTitle(file: Pick<Source, 'name' | 'text'>): string[] {
  const text = file.text.replace(/^---\n.*?^---\n+/ms, '')
  const titles = text.replaceAll(/^```.*?^```/gms, '').match(/^# .+$/gm) ?? []
  if (titles.length === 1 && text.startsWith('# ')) return []
  const found = `${titles.length} lines start with "# "`
  return [`${file.name}: ${found}: a document has one title, on its first line; use ## below`]
}

/** uvu runs a suite only when told to, and says nothing otherwise. */
export function silentSuites(file: Source): string[] {
  const problems: string[] = []
  // It makes suites for others.
  if (file.name === 'test/helpers/browser.ts') return []
  if (!/^test\/.*\.test\.ts$/.test(file.name)) {
    const takesUvu = importsOf(file).some(({ from, names }) => {
      return (
        from === 'uvu' && (names === null || names.some((name) => /^(?:suite|test)$/.test(name)))
      )
    })
    if (takesUvu) {
      problems.push(`${file.name}: holds a suite that never runs: name it <what>.test.ts`)
    }
    return problems
  }
  const suites = [...file.code.matchAll(/\bconst (\w+) = (?:s|browserS)uite(?:<[^(]*>)?\(/g)]
  if (suites.length === 0)
    problems.push(`${file.name}: no \`const name = suite('…')\` in a test file`)
  for (const [, name] of suites) {
    if (new RegExp(`^ *${name}\\.run\\(\\)`, 'm').test(file.code)) continue
    problems.push(`${file.name}: the suite ${name} never runs: end it with ${name}.run()`)
  }
  return problems
}

/** Test names are sentences: the list of them is read as what the part promises. */
export function unspokenTests(file: Source): string[] {
  const suites = [...file.code.matchAll(/\bconst (\w+) = (?:s|browserS)uite(?:<[^(]*>)?\(/g)].map(
    ([, name]) => name,
  )
  const problems: string[] = []
  for (const name of suites) {
    for (const match of file.uncommented.matchAll(new RegExp(`^ *${name}\\(\\s*(['"\`])`, 'gm'))) {
      const sentence = file.text.slice(match.index + match[0].length)
      if (/^(?:should |\$\{)/.test(sentence)) continue
      const where = `${file.name}:${lineOf(file.text, match.index + match[0].length)}`
      problems.push(`${where}: a test's name is a sentence that starts with "should"`)
    }
  }
  return problems
}

/** Forward only, in one order: see database/migrate.ts. */
export function migrationNames(names: readonly string[]): string[] {
  return names
    .toSorted()
    .map((name, place) => ({ name, number: String(place + 1).padStart(4, '0') }))
    .filter(
      ({ name, number }) => !new RegExp(`^${number}-[a-z0-9]+(?:-[a-z0-9]+)+\\.sql$`).test(name),
    )
    .map(({ name, number }) => {
      return `sql/${name}: name it ${number}-<what-it-changes>.sql, numbers without a gap`
    })
}
