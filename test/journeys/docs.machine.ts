// The pages of docs/, and the README's curl, followed to the letter: every sh, js and python block
// is run in the order of its page, against a service process. A json block after one shows its
// answer.
// Blocks of other languages need another machine, or are run by another test.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { endOf } from '../helpers/child.ts'
import { randomContent } from '../helpers/client.ts'
import { blocksOf, blocksUnder, pageIds, replaceAll, type Block } from '../helpers/docs.ts'
import { makeFolder } from '../helpers/folder.ts'
import { mainFile } from '../helpers/main-file.ts'
import { listenTo } from '../helpers/service-process.ts'
import { Scene as CommandScene } from '../cli/scene.ts'

interface Scene {
  commands: CommandScene
  /** Contains `transfer` and `totp`. */
  bin: string
  folder: string
}

const tools = ['curl', 'jq', 'python3', 'unzip']
const missing = tools.filter((tool) => spawnSync('which', [tool]).status !== 0)
const password = 'correct horse battery'
const runners: Readonly<Record<string, (name: string) => string>> = {
  js: (name) => `node ${name}.mjs`,
  python: (name) => `python3 ${name}.py`,
}
const extensions: Readonly<Record<string, string>> = { js: 'mjs', python: 'py' }
const isRun = ({ language }: Block) => language === 'sh' || language in runners

/** The code of an authenticator app, `$2` steps from now. */
const totpScript = `
import { codeAt } from '${new URL('../helpers/second-factor.js', import.meta.url).href}'
const [secret, steps] = process.argv.slice(2)
console.log(codeAt(secret, Date.now(), Number(steps)))
`

const journey = suite<Scene>('journey: documentation')

journey.before(async (scene) => {
  // Without a BASE_URL, so that links lead to the service.
  scene.commands = new CommandScene({ BASE_URL: '' })
  await scene.commands.startService({ RATE_LIMIT_DOWNLOAD: 'off' })
  scene.bin = makeFolder()
  const totp = path.join(scene.bin, 'totp.mjs')
  writeFileSync(totp, totpScript)
  for (const [name, file] of Object.entries({ transfer: mainFile, totp })) {
    const text = `#!/bin/sh\nexec '${process.execPath}' '${file}' "$@"\n`
    writeFileSync(path.join(scene.bin, name), text, { mode: 0o755 })
  }
})
journey.after((scene) => scene.commands.clear())
journey.before.each((scene) => {
  scene.folder = makeFolder()
})

/** The files that the pages mention. */
function writeSamples(folder: string): void {
  writeFileSync(path.join(folder, 'film.mp4'), Buffer.alloc(12_345_678, 'frame '))
  writeFileSync(path.join(folder, 'notes.txt'), 'a few words\n')
  writeFileSync(path.join(folder, 'harbour.jpg'), Buffer.from('ffd8ffe0', 'hex'))
  mkdirSync(path.join(folder, 'photos'))
  for (const name of ['one.jpg', 'two.jpg']) writeFileSync(path.join(folder, 'photos', name), name)
}

/** The blocks of a page as one script, so that later ones can use variables of earlier ones. */
function scriptOf(blocks: readonly Block[], folder: string): string {
  let codes = 0
  const parts = blocks.map(({ language, text }, place) => {
    const begin = `printf '\\n=== %s\\n' ${place}`
    const run = runners[language]
    if (run) {
      const name = `block-${place}`
      writeFileSync(path.join(folder, `${name}.${extensions[language]}`), text)
      return `${begin}\n${run(name)}`
    }
    if (language !== 'sh') return ''
    // A code is valid once: each is that of another step.
    const current = text.replaceAll(/^code=\d{6}.*$/gm, () => `code=$(totp "$secret" ${codes++})`)
    return `${begin}\n${current}`
  })
  return `set -a\n${parts.join('\n')}`
}

/** Runs a page. Returns the standard output of each block that ran. */
async function runPage(scene: Scene, id: string, blocks: readonly Block[]): Promise<string[]> {
  const email = `${id}@example.org`
  const { commands } = scene
  await commands.text(['users', 'add', email, '--admin'], password)
  const { url, token } = await commands.signIn({ email, password })
  writeSamples(scene.folder)
  const person = { EMAIL: email, PASSWORD: password, TOKEN: token! }
  const STORAGE = path.join(commands.dataDir, 'storage')
  const PATH = `${scene.bin}:${process.env['PATH']}`
  const args = ['--norc', '-eu', '-o', 'pipefail', '-c', scriptOf(blocks, scene.folder)]
  const child = spawn('bash', args, {
    cwd: scene.folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...commands.env, PATH, BASE: url, STORAGE, ...person },
  })
  const said = listenTo(child)
  const { code } = await endOf(child)
  assert.is(code, 0, `docs/${id}.md:\n${said.stdout}\n${said.stderr}`)
  const outputs: string[] = []
  for (const [, place, text] of said.stdout.matchAll(/\n=== (\d+)\n(.*?)(?=\n=== |$)/gs)) {
    outputs[Number(place)] = text!
  }
  return outputs
}

/** The README's section about curl, with checks of what its commands do to a file of this name. */
function readmeBlocks(file: string): Block[] {
  const checks: Readonly<Record<number, string>> = {
    1: 'unzip -p everything.zip | cmp - "$file"\ncp everything.zip whole.zip',
    2: 'cmp "$file" received/*\ntruncate -s 6000000 everything.zip',
    3: 'cmp everything.zip whole.zip',
    5: '! curl -fs "$base/api/public/shares/$share"',
  }
  const values = {
    'http://localhost:8080': '$BASE',
    'holiday.mp4': `'${file}'`,
    '50M': '5M',
    'admin@example.org': 'README@example.org',
  }
  return blocksUnder('../README', 'Send a file with curl').map(({ language, text }, place) => {
    const commands = place === 0 ? replaceAll(text, values) : text
    return { language, text: `${commands}\n${checks[place] ?? ''}` }
  })
}

/** Names and types of the fields, without their values; of a list those of its first item. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? [shapeOf(value[0])] : []
  if (typeof value !== 'object' || value === null) return typeof value
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(fields.map(([name, field]) => [name, shapeOf(field)]))
}

/** The last line of an output that is JSON. */
function answerOf(output: string): unknown {
  const line = output
    .trim()
    .split(/\n|(?<=[}\]])(?=[{[])/)
    .findLast((text) => /^[{[]/.test(text))
  assert.ok(line, `no JSON in: ${output}`)
  return JSON.parse(line)
}

if (missing.length > 0) {
  process.stdout.write(`\nskipped: the commands of docs/: ${missing.join(', ')} missing here\n`)
} else {
  for (const id of pageIds()) {
    const blocks = blocksOf(id)
    if (!blocks.some(isRun)) continue
    journey(`should do what docs/${id}.md prints, and answer as it shows`, async (scene) => {
      const outputs = await runPage(scene, id, blocks)
      for (const [place, { language, text }] of blocks.entries()) {
        if (isRun({ language, text })) assert.ok(outputs[place] !== undefined, `block ${place} ran`)
        if (language !== 'json') continue
        const shown = JSON.parse(text) as unknown
        assert.equal(shapeOf(answerOf(outputs[place - 1] ?? '')), shapeOf(shown), text)
      }
    })
  }

  journey('should do what the README prints, with a name that needs quotes', async (scene) => {
    const file = '@me "and" you.mp4'
    writeFileSync(path.join(scene.folder, file), randomContent(12_345_678, file))
    const outputs = await runPage(scene, 'README', readmeBlocks(file))
    assert.is(outputs.length, 6)
    assert.match(outputs[4]!, /^http:\/\/localhost:\d+\/s\/[\w-]+$/m)
  })
}

journey('should run every curl, and find commands on most pages', () => {
  for (const id of pageIds()) {
    const left = blocksOf(id).filter((block) => !isRun(block) && /\bcurl\b/.test(block.text))
    assert.equal(left, [], `docs/${id}.md`)
  }
  assert.ok(pageIds().filter((id) => blocksOf(id).some(isRun)).length >= 8)
})
