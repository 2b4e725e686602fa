import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Test } from '../helpers/suite.ts'
import { ownNames, options } from '../../src/config/options.ts'
import { type Config, ConfigError, describeConfig, loadConfig } from '../../src/config/load.ts'
import { parseOptions, readOptionsFile } from '../../src/config/options-file.ts'
import { operations } from '../../src/routes.ts'
import { parseRateLimit } from '../../src/config/limiters.ts'
import type { RateLimitPolicy } from '../../src/http/rate-limit.ts'
import { formatBlobsUrl, parseBlobsUrl } from '../../src/config/blobs-url.ts'
import { makeFolder } from '../helpers/folder.ts'

interface Scene {
  folder: string
  /** Returns the path of the file. */
  write: (name: string, text: string) => string
}

function suiteWithFolder(name: string): Test<Scene> {
  const made = suite<Scene>(name)
  made.before.each((scene) => {
    scene.folder = makeFolder()
    scene.write = (name, text) => {
      const file = path.join(scene.folder, name)
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, text, { mode: 0o600 })
      return file
    }
  })
  return made
}

type Env = Record<string, string>

/** The lines of a refusal; an accepted configuration fails the test. */
function problemsOf(env: Env): readonly string[] {
  try {
    loadConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  throw new Error(`should have been refused: ${JSON.stringify(env)}`)
}

const values = suite('config: values')

values('should name chosen ports in the defaults of other options', () => {
  const { config } = loadConfig({ PORT: '0' }, { port: 34_567, docsPort: 45_678 })
  const { port, baseUrl, docsPort, docsUrl } = config
  assert.equal([port, baseUrl], [34_567, 'http://localhost:34567'])
  assert.equal([docsPort, docsUrl], [45_678, 'http://localhost:45678'])
})

const proxied = { PROXY_USER_HEADER: 'Remote-Email' }
type Row = [env: Env, key: keyof Config, value: unknown]
const accepted: Row[] = [
  [{}, 'host', ''],
  [{ HOST: '::1' }, 'host', '::1'],
  [{}, 'port', 8080],
  [{ PORT: '0' }, 'port', 0],
  [{ PORT: '65535' }, 'port', 65_535],
  [{}, 'baseUrl', 'http://localhost:8080'],
  [{ BASE_URL: 'https://files.example.org/' }, 'baseUrl', 'https://files.example.org'],
  [{ BASE_URL: 'HTTPS://Files.Example.org:8443' }, 'baseUrl', 'https://files.example.org:8443'],
  [{}, 'docsPort', 8081],
  [{ PORT: '99' }, 'docsPort', 100],
  [{ PORT: '0' }, 'docsPort', 0],
  [{ PORT: '65535' }, 'docsPort', 65_534],
  [{ DOCS_PORT: 'off' }, 'docsPort', null],
  [{}, 'docsUrl', 'http://localhost:8081'],
  [{ DOCS_PORT: '70' }, 'docsUrl', 'http://localhost:70'],
  [{ DOCS_URL: 'https://docs.example.org/' }, 'docsUrl', 'https://docs.example.org'],
  [{ DOCS_URL: 'https://example.org/docs/' }, 'docsUrl', 'https://example.org/docs'],
  [{ BASE_URL: 'https://example.org/files/' }, 'baseUrl', 'https://example.org/files'],
  [{ BASE_URL: 'HTTPS://Example.org:443/A-b.c_~/d' }, 'baseUrl', 'https://example.org/A-b.c_~/d'],
  [{ DATA_DIR: '/srv/transfer/' }, 'dataDir', '/srv/transfer'],
  [{ DATA_DIR: '/srv/transfer' }, 'storageDir', '/srv/transfer/storage'],
  [{ DATA_DIR: '/srv/a', STORAGE_DIR: '/mnt/b' }, 'storageDir', '/mnt/b'],
  [{}, 'databaseUrl', null],
  [{ DATABASE_URL: 'postgresql:///d?host=/run' }, 'databaseUrl', 'postgresql:///d?host=/run'],
  ...['postgres://u:p@q@h/d', 'postgres://h/d?user=u@h', 'postgres://u:p%2F%40@h/d'].map(
    (DATABASE_URL) => [{ DATABASE_URL }, 'databaseUrl', DATABASE_URL] satisfies Row,
  ),
  [{ JWT_SECRET: 'x'.repeat(32) }, 'jwtSecret', 'x'.repeat(32)],
  [{ TRUST_PROXY: 'loopback, 10.0.0.0/8' }, 'trustProxy', 'loopback, 10.0.0.0/8'],
  ...[
    { HOST: '127.0.0.1', TRUST_PROXY: 'private' },
    { HOST: 'localhost', TRUST_PROXY: '::/0' },
    { HOST: '0.0.0.0', TRUST_PROXY: 'loopback, 10.0.0.1,fd00::1' },
    { TRUST_PROXY: '10.0.0.1/32, fd00::1/128' },
  ].map((env) => [{ ...proxied, ...env }, 'proxyUserHeader', 'Remote-Email'] satisfies Row),
  [{}, 'logLevel', 'info'],
  [{ LOG_LEVEL: 'silent' }, 'logLevel', 'silent'],
  [{}, 'metricsAddr', null],
  [{ METRICS_ADDR: '127.0.0.1:9464' }, 'metricsAddr', { host: '127.0.0.1', port: 9464 }],
  [{ METRICS_ADDR: 'localhost:9464' }, 'metricsAddr', { host: 'localhost', port: 9464 }],
  [{ METRICS_ADDR: '[::1]:9464' }, 'metricsAddr', { host: '::1', port: 9464 }],
  [{}, 'rateLimitLogin', { limit: 5, windowMs: 900_000 }],
  [{ RATE_LIMIT_LOGIN: 'off' }, 'rateLimitLogin', null],
  [{ RATE_LIMIT_LOGIN: '7/30s' }, 'rateLimitLogin', { limit: 7, windowMs: 30_000 }],
]
for (const [env, key, value] of accepted) {
  values(`should read ${JSON.stringify(env)} as ${key} = ${JSON.stringify(value)}`, () => {
    assert.equal(loadConfig(env).config[key], value)
  })
}

const refused: [env: Env, problem: string | RegExp][] = [
  [{ PORT: 'http' }, 'PORT: must be a port number, 0 to 65535'],
  [{ PORT: '65536' }, /^PORT: /],
  [{ PORT: '-1' }, /^PORT: /],
  [{ BASE_URL: 'files.example.org' }, /^BASE_URL: must be a URL such as https:/],
  [{ BASE_URL: 'ftp://files.example.org' }, /^BASE_URL: /],
  [{ BASE_URL: 'https://u:p@example.org' }, 'BASE_URL: must have no query, fragment or user'],
  [{ BASE_URL: 'https://example.org/files#a' }, /^BASE_URL: must have no query/],
  // oxfmt-ignore
  ...[
    '/a/../b', '/./a', '/a/..', '/a%2Fb', '/%2e%2e/a', '/a//b', '//a', '/a//', '/a b', '/ä',
    '/a;b', '/a"b', "/a'", '/<a>', '/$1', `/${'a'.repeat(200)}`,
  ].map((path): [Env, RegExp] => [
    { BASE_URL: `https://example.org${path}` },
    /^BASE_URL: the path must consist of letters/,
  ]),
  [{ BASE_URL: 'https://example.org\\a' }, /^BASE_URL: /],
  [{ BASE_URL: 'https:example.org/a' }, /^BASE_URL: must be a URL/],
  [
    { BASE_URL: 'https://example.org/shares/files' },
    'BASE_URL: the path must not begin with /shares, because a page has that name',
  ],
  ...['9464', ':9464', '127.0.0.1', '127.0.0.1:http', '::1:9464', '[::1]', '[x]:9464'].map(
    (METRICS_ADDR): [Env, RegExp] => [{ METRICS_ADDR }, /^METRICS_ADDR: must be /],
  ),
  [{ DOCS_PORT: 'none' }, 'DOCS_PORT: must be a port number, 0 to 65535, or off'],
  [{ DOCS_URL: 'https://example.org/docs?a' }, /^DOCS_URL: must have no query/],
  [{ DATA_DIR: 'data' }, 'DATA_DIR: must be an absolute path'],
  [{ DATABASE_URL: 'mysql://h/d' }, /^DATABASE_URL: must look like postgres:/],
  [{ JWT_SECRET: 'x'.repeat(31) }, 'JWT_SECRET: must have at least 32 characters'],
  [{ PORT: '81', DOCS_PORT: '81' }, /^PORT and DOCS_PORT must be different ports$/],
  [{ ADMIN_EMAIL: 'a@example.org' }, /^ADMIN_EMAIL and ADMIN_PASSWORD must be set together/],
  [{ ADMIN_EMAIL: 'a@b.example', ADMIN_PASSWORD: 'short' }, /^ADMIN_PASSWORD: must have 8 to 256/],
  [{ ADMIN_EMAIL: 'nobody', ADMIN_PASSWORD: 'long enough' }, /^ADMIN_EMAIL: must be an email/],
  [{ TRUST_PROXY: '10.0.0.0/33' }, /^TRUST_PROXY: /],
  [{ TRUST_PROXY: 'everybody' }, /^TRUST_PROXY: /],
  ...['X-Forwarded-For', 'Remote_Email', 'Cookie', 'User-Agent', 'Sec-Fetch-Site'].map(
    (name): [Env, RegExp] => [{ PROXY_USER_HEADER: name }, /^PROXY_USER_HEADER: /],
  ),
  [{ ...proxied, HOST: '127.0.0.1' }, /needs TRUST_PROXY/],
  [{ ...proxied, TRUST_PROXY: 'private' }, /every machine in private/],
  [{ ...proxied, TRUST_PROXY: '10.0.0.1, 10.0.0.0/31' }, /every machine in 10.0.0.0\/31/],
  [{ ...proxied, TRUST_PROXY: 'fd00::/32' }, /every machine in fd00::\/32/],
  [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL: must be one of debug, info, warn, error, silent/],
  [{ RATE_LIMIT_LOGIN: '5' }, /^RATE_LIMIT_LOGIN: /],
]
for (const [env, problem] of refused) {
  values(`should refuse ${JSON.stringify(env)} and say what is expected`, () => {
    const problems = problemsOf(env)
    assert.is(problems.length, 1, problems.join('\n'))
    if (typeof problem === 'string') assert.is(problems[0], problem)
    else assert.match(problems[0]!, problem)
  })
}

values('should refuse the first name of every path of the product in BASE_URL', () => {
  const names = new Set(operations.map(({ path }) => path.split('/')[1]!))
  names.delete('')
  assert.equal([...ownNames].toSorted(), [...names].toSorted())
})

for (const password of ['p@ss/word', 'p@ss?word', 'p@ss#word', '12/word', '12#word', 'p@s/?a=b']) {
  values(`should refuse the unescaped password ${password} without any part of it`, () => {
    const problems = problemsOf({ DATABASE_URL: `postgres://app:${password}@h/x` })
    const way = 'in the password, write @ as %40, / as %2F, ? as %3F and # as %23'
    assert.equal(problems, [`DATABASE_URL: ${way}`])
  })
}

values('should report all mistakes at once, without the values of secrets', () => {
  const env = { PORT: 'x', LOG_LEVEL: 'y', DATABASE_URL: 'hunter2', JWT_SECRET: 'hunter3' }
  const problems = problemsOf({ ...env, ADMIN_PASSWORD: 'hunter4' })
  const named = problems.map((problem) => problem.split(/[: ]/)[0])
  const order = ['PORT', 'DATABASE_URL', 'JWT_SECRET', 'ADMIN_PASSWORD', 'LOG_LEVEL', 'ADMIN_EMAIL']
  assert.equal(named, order)
  assert.not.match(problems.join('\n'), 'hunter')
})

const sources = suiteWithFolder('config: files')

sources('should read an option from the file of NAME_FILE, without its line end', ({ write }) => {
  // Spaces and inner line ends are part of a secret.
  const secret = ` ${'s'.repeat(32)}\n `
  const file = write('secret', `${secret}\r\n`)
  const { config, sources: from } = loadConfig({ JWT_SECRET_FILE: file })
  assert.is(config.jwtSecret, secret)
  assert.is(from.jwtSecret, file)
  assert.is(loadConfig({ PORT_FILE: write('port', '81\n') }).config.port, 81)
})

sources('should refuse an option given twice, and a missing file', ({ folder, write }) => {
  const twice = { PORT: '80', PORT_FILE: write('port', '81') }
  assert.equal(problemsOf(twice), ['PORT: set PORT or PORT_FILE, not both'])
  const missing = path.join(folder, 'missing')
  assert.equal(problemsOf({ PORT_FILE: missing }), [`PORT: cannot read ${missing}: ENOENT`])
})

sources('should read NAME from systemd’s credentials unless set otherwise', ({ folder, write }) => {
  write('JWT_SECRET', 'c'.repeat(32))
  const credentials = { CREDENTIALS_DIRECTORY: folder }
  const loaded = loadConfig(credentials)
  assert.is(loaded.config.jwtSecret, 'c'.repeat(32))
  assert.is(loaded.sources.jwtSecret, path.join(folder, 'JWT_SECRET'))
  assert.is(loaded.config.port, 8080)
  const set = loadConfig({ ...credentials, JWT_SECRET: 'e'.repeat(32) })
  assert.is(set.sources.jwtSecret, 'environment')
})

sources('should name an empty file of a secret, and an unreadable one', ({ folder, write }) => {
  const place = write('DATABASE_URL', '\n')
  const expected = `DATABASE_URL: ${place} is empty: write the value into it, or remove the file`
  assert.equal(problemsOf({ CREDENTIALS_DIRECTORY: folder }), [expected])
  assert.equal(problemsOf({ DATABASE_URL_FILE: place }), [expected])
  mkdirSync(path.join(folder, 'other/JWT_SECRET'), { recursive: true })
  const unreadable = `JWT_SECRET: cannot read ${folder}/other/JWT_SECRET: EISDIR`
  assert.equal(problemsOf({ CREDENTIALS_DIRECTORY: path.join(folder, 'other') }), [unreadable])
})

sources('should treat an empty variable or file as unset', () => {
  const { config, sources: from } = loadConfig({ PORT: '', PORT_FILE: '', DATABASE_URL: '' })
  assert.is(config.port, 8080)
  assert.is(config.databaseUrl, null)
  assert.is(from.port, 'default')
})

const dataDir = suite('config: default of DATA_DIR')

const homes: [env: Env, uid: number, folder: string][] = [
  [{ STATE_DIRECTORY: '/var/lib/a' }, 0, '/var/lib/a'],
  [{ STATE_DIRECTORY: '/var/lib/a:/var/lib/b' }, 1000, '/var/lib/a'],
  [{ HOME: '/root' }, 0, '/var/lib/transfer-service'],
  [{ HOME: '/home/a' }, 1000, '/home/a/.local/share/transfer-service'],
  [{ HOME: '/home/a', XDG_DATA_HOME: '/mnt/d' }, 1000, '/mnt/d/transfer-service'],
  [{ HOME: '/home/a', STATE_DIRECTORY: '/s', DATA_DIR: '/d' }, 1000, '/d'],
]
for (const [env, uid, folder] of homes) {
  dataDir(`should be ${folder} for uid ${uid} with ${JSON.stringify(env)}`, () => {
    const { getuid } = process
    process.getuid = () => uid
    try {
      assert.is(loadConfig(env).config.dataDir, folder)
    } finally {
      if (getuid) process.getuid = getuid
    }
  })
}

const shown = suite('config: output')

shown('should show every option with its source, secrets masked', () => {
  const secrets = { JWT_SECRET: 'hunter2'.repeat(5), DATABASE_URL: 'postgres://u:hunter2@h/d' }
  const admin = { ADMIN_EMAIL: 'a@example.org', ADMIN_PASSWORD: 'hunter2 hunter2' }
  const env = { PORT: '81', DATA_DIR: '/d', RATE_LIMIT_LOGIN: 'off', ...secrets, ...admin }
  const lines = describeConfig(loadConfig(env)).map(({ name, value, source }) => {
    return `${name}=${value}  (${source})`
  })
  assert.is(lines.length, Object.keys(options).length)
  assert.not.match(lines.join('\n'), 'hunter2')
  for (const line of [
    'HOST=  (default)',
    'PORT=81  (environment)',
    'BASE_URL=http://localhost:81  (default)',
    'DATABASE_URL=********  (environment)',
    'JWT_SECRET=********  (environment)',
    'ADMIN_PASSWORD=********  (environment)',
    'RATE_LIMIT_LOGIN=off  (environment)',
  ]) {
    assert.ok(lines.includes(line), `${line} is missing:\n${lines.join('\n')}`)
  }
})

shown('should show limits in the form of their input', () => {
  const first = loadConfig({ RATE_LIMIT_UPLOAD: '90/90s', RATE_LIMIT_RESET: 'off' })
  const limits = describeConfig(first).filter(({ name }) => name.startsWith('RATE_LIMIT'))
  const again = Object.fromEntries(limits.map(({ name, value }) => [name, value]))
  assert.equal(loadConfig(again).config, first.config)
})

const text = suite('rate-limit :: text')

// oxfmt-ignore
const policies: [written: string, expected: RateLimitPolicy | null][] = [
  ['5/15m', { limit: 5, windowMs: 900_000 }], ['3/1h', { limit: 3, windowMs: 3_600_000 }],
  [' 1/30s ', { limit: 1, windowMs: 30_000 }], ['off', null], [' OFF ', null],
  ['9999999/7d', { limit: 9_999_999, windowMs: 604_800_000 }],
]

text('should read policies', () => {
  for (const [written, expected] of policies) assert.equal(parseRateLimit(written), expected)
})

// oxfmt-ignore
const wrongPolicies = [
  '', '5', '5/', '/1h', '5/m', '5/15', '0/1h', '5/0m', '-5/1h', '5.5/1h', '1e3/1h', '5/1w',
  '5/1M', '5/1h/1h', '99999999/1h', 'none',
]

text('should name an invalid value, with an example', () => {
  for (const written of wrongPolicies) {
    const isNamed = ({ message }: Error) =>
      message.startsWith(`"${written}"`) && message.includes('5/15m')
    assert.throws(() => parseRateLimit(written), isNamed)
  }
})

const blobs = suite('config: BLOBS_URL')

blobs('should name endpoint, region, bucket and prefix', () => {
  const amazon = (region: string) => `https://s3.${region}.amazonaws.com&region=${region}`
  const own = 'http://127.0.0.1:7480'
  for (const [text, shown] of [
    ['s3://files', `s3://files/?endpoint=${amazon('us-east-1')}`],
    ['s3://files/a/b.c?region=eu-south-1', `s3://files/a/b.c/?endpoint=${amazon('eu-south-1')}`],
    [`s3://files/a/?endpoint=${own}/&region=x-1`, `s3://files/a/?endpoint=${own}&region=x-1`],
  ] as const) {
    assert.is(formatBlobsUrl(parseBlobsUrl(text)), shown)
    assert.equal(parseBlobsUrl(shown), parseBlobsUrl(text))
  }
})

blobs('should refuse what stores would read in another way, and never show it', () => {
  const rows: [string, RegExp][] = [
    ['https://host/bucket', /must look like s3:/],
    ['s3://key:secret@files', /must look like s3:/],
    ['s3://Files_of_me', /no valid bucket/],
    ['s3://files/a b', /the prefix must/],
    ['s3://files/../x//y', /the prefix must/],
    ['s3://files?endpoint=files.example.org', /the endpoint must/],
    ['s3://files?endpoint=https://host/path', /the endpoint must/],
    ['s3://files?region=a/b', /no valid region/],
    ['s3://files?secret=hidden', /no other parameters/],
  ]
  for (const [text, pattern] of rows) assert.throws(() => parseBlobsUrl(text), pattern)
})

blobs('should need both keys', () => {
  const env = { DATA_DIR: '/srv/transfer', BLOBS_URL: 's3://files' }
  const keys = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' }
  assert.is(loadConfig({ ...env, ...keys }).config.blobsUrl?.bucket, 'files')
  assert.throws(() => loadConfig({ ...env, AWS_ACCESS_KEY_ID: 'key' }), /BLOBS_URL needs AWS_/)
})

const parsing = suite('options file: lines')

// oxfmt-ignore
const lines: [text: string, values: Record<string, string>][] = [
  ['PORT=80\nHOST=::1\n', { PORT: '80', HOST: '::1' }],
  ['\uFEFFPORT=80\r\n\r\n# PORT=81\n ; HOST=a\n', { PORT: '80' }], ['  PORT = 80', {}],
  ['  PORT=80  ', { PORT: '80' }],
  ['DATABASE_URL=postgres://u:p=#1@h/d', { DATABASE_URL: 'postgres://u:p=#1@h/d' }],
  ['JWT_SECRET="a \\"b\\" \\\\ $HOME c"', { JWT_SECRET: 'a "b" \\ $HOME c' }],
  ['JWT_SECRET=\'a "b" \\ c\'', { JWT_SECRET: 'a "b" \\ c' }], ['BASE_URL=', { BASE_URL: '' }],
]

for (const [text, values] of lines) {
  parsing(`should read ${JSON.stringify(text)}`, () => {
    assert.equal(parseOptions(text).values, values)
  })
}

const broken: [text: string, problem: string][] = [
  ['PORT 80', 'line 1: must be NAME=value'],
  ['\nexport PORT=80', 'line 2: must be NAME=value'],
  ['PORT="80', 'line 1: the quotes are not closed'],
  ["PORT='80'1", 'line 1: the quotes are not closed'],
  ['PORT=80\nPORT=81', 'line 2: PORT is set twice'],
]

for (const [text, problem] of broken) {
  parsing(`should refuse ${JSON.stringify(text)}`, () => {
    assert.equal(parseOptions(text).problems, [problem])
  })
}

const places = suiteWithFolder('options file: places')

places('should take the named file, else that of DATA_DIR, else that of the system', (scene) => {
  const { folder, write } = scene
  const dataDir = path.join(folder, 'data')
  const inSystem = path.join(folder, 'etc', 'options')
  const find = (env: Record<string, string>) => readOptionsFile(env, dataDir, inSystem)
  assert.equal(find({}), { path: null, values: {}, problems: [], isPublic: false })
  const beside = write('data/options', 'PORT=1')
  assert.is(find({}).path, beside)
  assert.is(find({ DATA_DIR: `${dataDir}/` }).values['PORT'], '1')
  write('etc/options', 'PORT=2')
  assert.is(find({}).path, inSystem)
  assert.is(find({ DATA_DIR: dataDir }).path, path.join(dataDir, 'options'))
  const named = write('named', 'PORT=3')
  assert.is(find({ DATA_DIR: dataDir, OPTIONS_FILE: named }).values['PORT'], '3')
})

places('should take the file of the system for its own data directory only', (scene) => {
  const { folder, write } = scene
  const standard = path.join(folder, 'standard')
  const inSystem = write('etc/options', 'DATABASE_URL=postgres://h/d')
  const find = (dataDir: string) => readOptionsFile({ DATA_DIR: dataDir }, standard, inSystem).path
  assert.is(find(standard), inSystem)
  assert.is(find(path.join(folder, 'restored')), null)
  write('etc/options', `DATA_DIR=${folder}/elsewhere`)
  assert.is(find(standard), null)
  assert.is(find(path.join(folder, 'elsewhere')), inSystem)
})

places('should give way to the environment and to credentials', ({ folder, write }) => {
  const secret = 's'.repeat(32)
  const file = write('options', `PORT=1\nHOST=::1\nJWT_SECRET=${'x'.repeat(32)}\n`)
  const credential = write('credentials/JWT_SECRET', `${secret}\n`)
  const passed = write('passed/options_DATABASE_URL', 'postgres://h/d')
  const env = { OPTIONS_FILE: file, PORT: '2', CREDENTIALS_DIRECTORY: path.join(folder, 'passed') }
  const { config, sources } = loadConfig(env)
  for (const [key, value, source] of [
    ['port', 2, 'environment'],
    ['host', '::1', file],
    ['jwtSecret', secret, credential],
    ['databaseUrl', 'postgres://h/d', passed],
    ['trustProxy', '', 'default'],
  ] as const) {
    assert.equal([config[key], sources[key]], [value, source])
  }
})

if (process.getuid?.() === 0) {
  places('should lead root through no link of another user', ({ folder, write }) => {
    const ofRoot = write('private', 'PORT=1')
    const data = path.join(folder, 'data')
    mkdirSync(data)
    symlinkSync(ofRoot, path.join(data, 'options'))
    assert.is(loadConfig({ DATA_DIR: data }).config.port, 1)
    for (const [uid, mode] of [
      [65_534, 0o700],
      [0, 0o777],
    ] as const) {
      chownSync(data, uid, 0)
      chmodSync(data, mode)
      const [problem] = problemsOf({ DATA_DIR: data })
      assert.is(problem, `${data}/options: it is a link of another user`)
    }
  })

  places('should have no credentials that another user could replace', ({ folder, write }) => {
    const file = write('options', 'PORT=1')
    const place = write('credentials/JWT_SECRET', 's'.repeat(32))
    const credentials = path.dirname(place)
    chownSync(credentials, 65_534, 65_534)
    const refusal = `JWT_SECRET: root reads ${place} only if its folders are of root alone`
    assert.equal(problemsOf({ OPTIONS_FILE: file }), [refusal])
    chownSync(credentials, 0, 0)
    assert.is(loadConfig({ OPTIONS_FILE: file }).sources.jwtSecret, place)
    chownSync(folder, 65_534, 65_534)
    assert.equal(problemsOf({ OPTIONS_FILE: file }), [refusal])
  })
}

places('should name every mistake with its file', ({ write }) => {
  const file = write('options', 'BASE_ULR=https://a.example\nPORT=x\nNODE_OPTIONS=a\nHOST\n')
  assert.equal(problemsOf({ OPTIONS_FILE: file }), [
    `${file}: line 4: must be NAME=value`,
    `${file}: there is no option BASE_ULR`,
    `${file}: there is no option NODE_OPTIONS`,
    'PORT: must be a port number, 0 to 65535',
  ])
})

places('should refuse a credential whose name is mistyped', ({ write }) => {
  const file = write('options', 'PORT=80')
  write('credentials/.keep', '')
  const folder = path.dirname(write('credentials/JWT_SECRT', 's'.repeat(32)))
  // It has the value, and not the name of a file with it.
  write('credentials/JWT_SECRET_FILE', '/root/jwt-secret')
  const wrong = ['JWT_SECRET_FILE', 'JWT_SECRT']
  const problems = wrong.map((name) => `${folder}: there is no option ${name}`)
  assert.equal(problemsOf({ OPTIONS_FILE: file }), problems)
})

places('should refuse files that are missing, no file, or writable by everybody', (scene) => {
  const { folder, write } = scene
  const missing = path.join(folder, 'missing')
  const problem = `${missing}: ENOENT: no such file or directory`
  assert.equal(problemsOf({ OPTIONS_FILE: missing }), [problem])
  assert.equal(problemsOf({ OPTIONS_FILE: folder }), [`${folder}: it is not a file`])
  const file = write('options', 'PORT=80')
  chmodSync(file, 0o606)
  assert.match(problemsOf({ OPTIONS_FILE: file })[0]!, 'every user can write it: chmod o-w')
  write('options', `#${'x'.repeat(65 * 1024)}`)
  chmodSync(file, 0o600)
  assert.match(problemsOf({ OPTIONS_FILE: file })[0]!, 'it is larger than 64 KiB')
})

places('should notice secrets that everybody can read', ({ write }) => {
  const file = write('options', `JWT_SECRET=${'x'.repeat(32)}`)
  assert.is(loadConfig({ OPTIONS_FILE: file }).isFilePublic, false)
  chmodSync(file, 0o644)
  assert.is(loadConfig({ OPTIONS_FILE: file }).isFilePublic, true)
  write('options', 'PORT=80')
  assert.is(loadConfig({ OPTIONS_FILE: file }).isFilePublic, false)
})
