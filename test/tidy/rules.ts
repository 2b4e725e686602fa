// The house rules that oxlint and knip cannot check. Each rule returns problems by line.
import path from 'node:path'
import { wrongDirection } from './modules.ts'

// Words are joined where this file would find itself.
const patterns: readonly { files: RegExp; pattern: RegExp; message: string }[] = [
  {
    files: /^src\/(?!database\/)(?!.*[/-]sql\.ts$).*\.tsx?$/,
    pattern: /^(?! *(?:\/\/|\*)).*\b(?:sql|transaction)(?:<[^`]*>)?`(?!select 1`)/gm,
    message: 'move SQL to sql.ts, one function a statement',
  },
  {
    files: /^src\//,
    pattern: /\.on\(\s*'uncaughtException'/g,
    message: 'find the promise or emitter with the unhandled error',
  },
  {
    files: /^src\//,
    pattern: /\brequest\.(?:on|once)\(\s*'close'/g,
    message: "it fires when the body is done: listen for 'close' of the response",
  },
  {
    files: /^src\/(?!http\/(?:check-request|listener|refused-socket|send|discard)\.ts$)/,
    pattern: /^(?! *(?:\/\/|\*)).*\bConnection['"]?\s*[:,]\s*['"]?close\b/gim,
    message: 'keep the connection: discardBody in http/body.ts reads the rest',
  },
  {
    files: /^src\/web\/(?!pages\/)/,
    pattern:
      /\b(?:fetch|location\.\w+|register|redirect|(?:push|replace)State)\((?:[^()]*, )?['"`]\/(?!\/)/g,
    message: 'the service may be below a path: use addressOf() or goTo() of lib/base-path.ts',
  },
  {
    files: /^src\/web\/(?!pages\/)/,
    pattern: /\bpathname [!=]== ['"`]\//g,
    message: 'the service may be below a path: compare pathAt(pathname)',
  },
  {
    files: /^src\/web\/(?!pages\/)/,
    pattern: /\bindexedDB\.\w+\(['"`]/g,
    message: 'services on one host share the storage of browsers: name it with storeOf()',
  },
  {
    files: /^src\//,
    pattern: /\b(?:redirect|nextPageLink)\(\s*['"`]\//g,
    message: 'the service may be below a path: begin with context.basePath',
  },
  {
    files: /^test\/.*\.ts$/,
    pattern: /^ *\w+\.(?:only|skip)\(/gm,
    message: 'run every test; print `skipped: <what and why>` when the machine lacks something',
  },
  {
    // Where an assertion on time or memory, or another seed each time, would fail at random.
    files: /^test\/(?!tidy\.).*\.test\.ts$/,
    pattern: new RegExp(
      String.raw`\bperformance\.now\b|\bprocess\.(?:memoryUsage|cpuUsage|hrtime)\b|/proc/self/(?:fd|stat)|` +
        String.raw`\bMath\.random\b|\brandomBytes\b|\bsetTimeout\b.*timers/promises`,
      'g',
    ),
    message: 'keep npm test repeatable: docs/testing.md',
  },
  {
    files: /^test\/.*\.ts$/,
    pattern: /\bwaitForFunction\(\s*['"`]/g,
    message: 'pass an arrow function: pages refuse to evaluate a string the second time',
  },
  {
    files: /^test\/(?:.*\.browser\.ts$|(?:journeys|web)\/)/,
    pattern: new RegExp(
      String.raw`(?<!=>\s*)\bassert(?:\.\w+)+\(\s*\(*await (?:[^\n]|\n *(?=\.))*?\.` +
        '(?:allInnerTexts|allTextContents|boundingBox|content|count|evaluate|evaluateAll|' +
        'getAttribute|innerHTML|innerText|inputValue|is[A-Z][a-z]+|textContent|title)' +
        String.raw`(?:<[^\n]*?>)?\(`,
      'g',
    ),
    message: 'the page may not show it yet: await until(async () => assert…)',
  },
  {
    files: /^(?:docs|\.ci|sql)\/|^README\.md$/,
    pattern: new RegExp(`\\b(?:${['FIX' + 'ME', 'TO' + 'DO', 'XX' + 'X'].join('|')})\\b`, 'g'),
    message: 'do it now, or write an issue',
  },
  {
    files: /^(?:src|bench)\/.*\.(?:c?tsx?|mjs)$/,
    pattern: /^.{101,}$/gmu,
    message: 'break the line, 100 columns at most',
  },
  {
    // A string may cross the edge: sentences and made-up input read best whole.
    files: /^test\/.*\.(?:tsx?|mjs)$/,
    pattern: /^(?:(?= *\/\/).{101,}|[^'"`\n]{101,})$/gmu,
    message: 'break the line, 100 columns at most',
  },
]

const importPattern = /(?:^import |\bfrom |\bimport\(\s*)'(\.[^']+)'/gm
const suitePattern = /\bconst (\w+) = (?:s|browserS)uite(?:<[^(]*>)?\(/g

/** Lists what is wrong with a file, as `src/app.ts:7: what to do`. */
export function problemsOf(file: string, text: string): string[] {
  const found = patterns
    .filter(({ files }) => files.test(file))
    .flatMap(({ pattern, message }) =>
      [...text.matchAll(pattern)].map(({ index }) => ({ index, message })),
    )
  if (/^src\/.*\.c?tsx?$/.test(file)) found.push(...imports(file, text))
  if (/^src\/.*\.(?:c?tsx?|mjs)$/.test(file)) found.push(...reasonForLength(text))
  if (/^test\/.*\.tsx?$/.test(file)) found.push(...suites(file, text))
  if (/^docs\/.*\.md$|^README\.md$/.test(file)) found.push(...titles(text))
  return found.map(({ index, message }) => {
    return `${file}:${text.slice(0, index).split('\n').length}: ${message}`
  })
}

function imports(file: string, text: string) {
  return [...text.matchAll(importPattern)].flatMap(({ 1: name, index }) => {
    const message = wrongDirection(file, path.posix.join(path.posix.dirname(file), name!))
    return message === null ? [] : [{ index, message }]
  })
}

/** A file is cut by meaning; one of more than 400 lines says in its head why it is one file. */
function reasonForLength(text: string) {
  const isLong = text.split('\n').length > 401
  if (!isLong || text.startsWith('// ')) return []
  return [{ index: 0, message: 'say in the first lines why this is one file, or split it' }]
}

function suites(file: string, text: string) {
  if (!/\.(?:test|browser|machine|limits|faults|cluster)\.ts$/.test(file)) {
    // The helper that creates suites for others.
    if (file === 'test/helpers/suite.ts') return []
    const takesSuite = /^import \{[^}]*\b(?:suite|test)\b[^}]*\} from 'uvu'/m.test(text)
    return takesSuite ? [{ index: 0, message: 'name a file with a suite <what>.test.ts' }] : []
  }
  const names = [...text.matchAll(suitePattern)]
  const missing = { index: 0, message: "a test file needs `const name = suite('…')`" }
  if (names.length === 0) return [missing]
  return names.flatMap(({ 1: name }) => {
    const unspoken = new RegExp(`^ *${name}\\(\\s*['"\`](?!should |\\$\\{)`, 'gm')
    const message = 'begin the name of a test with "should"'
    return [...text.matchAll(unspoken)].map(({ index }) => ({ index, message }))
  })
}

function titles(text: string) {
  const body = text.replace(/^---\n.*?^---\n+/ms, '')
  const count = body.replaceAll(/^```.*?^```/gms, '').match(/^# .+$/gm)?.length ?? 0
  if (count === 1 && body.startsWith('# ')) return []
  return [{ index: 0, message: 'a document has one title, on its first line; use ## below' }]
}

/** Migrations run forward only, in one order (database/migrate.ts). */
export function migrationProblems(names: readonly string[]): string[] {
  return names.toSorted().flatMap((name, place) => {
    const number = String(place + 1).padStart(4, '0')
    const isRight = new RegExp(`^${number}-[a-z0-9]+(?:-[a-z0-9]+)*\\.sql$`).test(name)
    return isRight ? [] : [`sql/${name}: name it ${number}-<what-it-changes>.sql`]
  })
}
