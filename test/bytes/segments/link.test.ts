import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf } from '../../helpers/until.ts'
import { randomRowId } from '../../../src/lib/random-id.ts'
import { DiskFloor } from '../../../src/bytes/upkeep/free-space.ts'
import { linkSegments } from '../../../src/bytes/store/folder-root.ts'
import { containerFolder, segmentFile } from '../../../src/bytes/segments/files-on-disk.ts'
import { FakeClock } from '../../helpers/clock.ts'
import { makeFolder } from '../../helpers/folder.ts'

const linking = suite('storage: link')
let root: string

linking.before.each(() => {
  root = makeFolder()
})

const space = (bytes = 0) =>
  new DiskFloor({ folder: root }, new FakeClock(), { values: { diskFloor: bytes } })

function failing(code: string): () => Promise<void> {
  return () => Promise.reject(Object.assign(new Error(code), { code }))
}

function makeLinks() {
  const [fromContainerId, toContainerId] = [randomRowId(), randomRowId()]
  mkdirSync(containerFolder(root, fromContainerId), { recursive: true })
  const segments = ['first', 'second'].map((content) => {
    const fromId = randomRowId()
    writeFileSync(segmentFile(root, fromContainerId, fromId), content)
    return { fromId, toId: randomRowId(), rootId: '', bytes: content.length }
  })
  const read = () =>
    segments.map(({ toId }) => readFileSync(segmentFile(root, toContainerId, toId), 'utf8'))
  return { links: { fromContainerId, toContainerId, segments }, read }
}

linking('should copy where the disk has no hard links', async () => {
  for (const code of ['EPERM', 'ENOTSUP', 'EMLINK', 'EXDEV']) {
    const { links, read } = makeLinks()
    await linkSegments(root, space(), links, failing(code))
    assert.equal(read(), ['first', 'second'])
    const [{ fromId }] = links.segments as [(typeof links.segments)[0]]
    assert.is(statSync(segmentFile(root, links.fromContainerId, fromId)).nlink, 1)
  }
})

linking('should link no more of them once its signal has aborted', async () => {
  const { links } = makeLinks()
  const controller = new AbortController()
  let made = 0
  const link = async () => {
    made += 1
    controller.abort(new Error('gone'))
  }
  const cut = linkSegments(root, space(), { ...links, signal: controller.signal }, link)
  assert.is((await failureOf(cut)).message, 'gone')
  assert.is(made, 1)
})

linking('should not copy into reserved space, nor after other failures', async () => {
  const { links } = makeLinks()
  const full = linkSegments(root, space(Number.MAX_SAFE_INTEGER), links, failing('EPERM'))
  assert.is((await failureOf(full)).code, 'disk_full')
  const broken = linkSegments(root, space(), links, failing('EIO'))
  assert.is((await failureOf(broken)).code, 'EIO')
})
