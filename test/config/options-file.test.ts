import { chmodSync, chownSync, mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load.ts'
import { parseOptions, readOptionsFile } from '../../src/config/options-file.ts'
import { problemsOf, type Scene, withFolder } from './scene.ts'

const parsing = suite('options file: lines')

// prettier-ignore
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

const places = suite<Scene>('options file: places')
withFolder(places)

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
  assert.equal(
    [config.port, config.host, config.jwtSecret, config.databaseUrl],
    [2, '::1', secret, 'postgres://h/d'],
  )
  assert.equal(
    [sources.port, sources.host, sources.jwtSecret, sources.databaseUrl, sources.trustProxy],
    ['environment', file, credential, passed, 'default'],
  )
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
  assert.equal(
    problemsOf({ OPTIONS_FILE: file }),
    ['JWT_SECRET_FILE', 'JWT_SECRT'].map((name) => `${folder}: there is no option ${name}`),
  )
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
