// The ways of a chunk and of a download through the source, as docs/architecture.md draws them.
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { packageRoot } from '../src/lib/package-root.ts'
import { startService } from './helpers/service.ts'

/**
 * Files that run for one request: what a newcomer reads to follow it. The numbers only fall; four
 * more than usual, because other files run where something has to wait.
 */
const filesMax = { chunk: 45, download: 50 }

const ways = suite('ways through the source')
const built = fileURLToPath(new URL('../src/', import.meta.url))

const service = await startService()
const owner = await service.admin()
const inspector: Session = new Session()
inspector.connect()
await inspector.post('Profiler.enable')
ways.after(async () => {
  inspector.disconnect()
  await service.stop()
})

/** The files of src/ with a function that runs meanwhile, in order of their names. */
async function filesOf(work: () => Promise<unknown>): Promise<string[]> {
  // Its files belong to the share before.
  await service.app.services.manifests.idle()
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await work()
  const { result } = await inspector.post('Profiler.takePreciseCoverage')
  await inspector.post('Profiler.stopPreciseCoverage')
  return result
    .filter(({ functions }) => functions.some(({ ranges }) => ranges[0]!.count > 0))
    .filter(({ url }) => url.startsWith('file:'))
    .map(({ url }) => fileURLToPath(url))
    .filter((file) => file.startsWith(built))
    .map((file) => path.relative(built, file).replace(/\.js$/, '.ts'))
    .toSorted()
}

/** The files that a drawing in docs/architecture.md begins its lines with. */
function drawn(heading: string): string[] {
  const text = readFileSync(path.join(packageRoot, 'docs/architecture.md'), 'utf8')
  const [, block = ''] =
    new RegExp(`^## ${heading}\\n.*?^\`\`\`\\n(.*?)^\`\`\``, 'ms').exec(text) ?? []
  return [...block.matchAll(/^ *([\w/-]+\.ts)\b/gm)].map(([, file]) => file!)
}

function assertDrawn(heading: string, files: readonly string[]): void {
  const names = drawn(heading)
  assert.ok(names.length > 10, heading)
  assert.equal(
    names.filter((name) => !files.includes(name)),
    [],
    `${heading}: does not run`,
  )
}

ways('should be short and as drawn for a chunk', async () => {
  const shareId = await owner.init()
  await owner.chunk(shareId, 'a', 0, 'content')
  const files = await filesOf(() => owner.chunk(shareId, 'a', 1, 'content'))
  assert.ok(files.length <= filesMax.chunk, `${files.length} files: ${files.join(' ')}`)
  assertDrawn('The life of a chunk', files)
})

ways('should be short and as drawn for a download', async () => {
  const files = { 'a.txt': 'a', 'b.txt': 'b' }
  const [first, second] = [await owner.share(files), await owner.share(files)]
  const anyone = service.client()
  const download = async (shareId: string) => {
    assert.is((await anyone.get(`/api/shares/${shareId}/download`)).status, 200)
  }
  await download(first)
  const found = await filesOf(() => download(second))
  assert.ok(found.length <= filesMax.download, `${found.length} files: ${found.join(' ')}`)
  assertDrawn('The life of a download', found)
})
