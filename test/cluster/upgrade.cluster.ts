// A rolling upgrade: instances of two builds side by side while clients work. The newer one is this
// build with one more migration; BUILD_BEFORE names the folder of an older one, else it is this.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { packageRoot } from '../../src/lib/package-root.ts'
import { makeFolder } from '../helpers/folder.ts'
import { mainFile } from '../helpers/main-file.ts'
import { Clients } from './clients.ts'
import { missingPrograms, startCluster, type Program } from './cluster.ts'

const upgrade = suite('cluster: upgrade')
const before = process.env['BUILD_BEFORE']
const count = 8
/** How long each mixture of builds works. */
const mixedMs = 10_000

const missing = missingPrograms()
if (missing.length > 0) process.stdout.write(`\nskipped: no ${missing.join(', ')}\n`)
else upgrade('should serve all the time, with both builds side by side', run)

async function run(): Promise<void> {
  const folder = makeFolder()
  const older = before === undefined ? mainFile : path.join(before, 'dist', 'main.js')
  const cluster = await startCluster([process.execPath, older])
  const clients = new Clients(cluster.url)
  await clients.signIn()
  let isOver = false
  const working = clients.work(count, () => isOver)
  try {
    const newer = makeNext(folder)
    const versions: string[][] = []
    for (const place of cluster.instances.keys()) {
      await delay(mixedMs)
      await cluster.replace(place, 'SIGTERM', newer)
      versions.push(await Promise.all(cluster.instances.map(({ url }) => versionOf(url, clients))))
    }
    await delay(mixedMs)
    isOver = true
    await working
    const [, next = ''] = /"version": "([^"]+)"/.exec(manifestOf(folder)) ?? []
    const isNext = (place: number) => versions[place]!.map((version) => version === next)
    assert.equal(isNext(0), [true, false, false], 'one is newer')
    assert.equal(isNext(2), [true, true, true], 'all are newer')
  } finally {
    isOver = true
    await Promise.allSettled([working])
    await cluster.stop()
  }
  process.stdout.write(`\n${JSON.stringify(clients.counts)}\n`)
}

const manifestOf = (folder: string) => readFileSync(path.join(folder, 'package.json'), 'utf8')

/** A copy of this build that is a version further, with a migration that the older one can bear. */
function makeNext(folder: string): Program {
  for (const name of ['sql', 'static', 'package.json'] as const) {
    cpSync(path.join(packageRoot, name), path.join(folder, name), { recursive: true })
  }
  cpSync(path.dirname(mainFile), path.join(folder, 'dist'), { recursive: true })
  symlinkSync(path.join(packageRoot, 'node_modules'), path.join(folder, 'node_modules'))
  const [, major, minor] = /"version": "(\d+)\.(\d+)\./.exec(manifestOf(folder))!
  const manifest = manifestOf(folder).replace(
    /"version": "[^"]+"/,
    `"version": "${major}.${Number(minor) + 1}.0"`,
  )
  writeFileSync(path.join(folder, 'package.json'), manifest)
  const migration = 'alter table shares add column of_the_next_version text;\n'
  writeFileSync(path.join(folder, 'sql', '9999-next.sql'), migration)
  return [process.execPath, path.join(folder, 'dist', 'main.js')]
}

async function versionOf(url: string, { owner }: Clients): Promise<string> {
  const authorization = `Bearer ${owner.token}`
  const answer = await fetch(`${url}/api/admin/status`, { headers: { authorization } })
  return ((await answer.json()) as { version: string }).version
}
