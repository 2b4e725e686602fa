// A request that a change of the files overtakes, at each moment between reading the
// share and sending its bytes: it gets all of the old or all of the new.
import { assert, suite, until } from '../../helpers/suite.ts'
import { startUnlimited } from '../../bytes/send/scene.ts'
import { randomContent, type Answer } from '../../helpers/client.ts'
import { assertInvariants, settleService } from '../../helpers/invariants.ts'
import { add, archiveOf, remove, unpackTexts } from './scene.ts'

const overtaken = suite('overtaken downloads')
const large = randomContent(600_000, 'large')

const service = await startUnlimited()
const owner = await service.admin()
const anonymous = service.client()
overtaken.after.each(async () => {
  await settleService(service)
  await assertInvariants(service)
})

/** Runs something once, before the next call of a method. */
function beforeNext<Home extends object>(
  home: Home,
  name: keyof Home & string,
  deed: () => Promise<unknown>,
): void {
  const real = (home[name] as (...call: unknown[]) => unknown).bind(home)
  const replaced = async (...call: unknown[]) => {
    delete home[name]
    await deed()
    return real(...call)
  }
  Object.defineProperty(home, name, { value: replaced, configurable: true })
}

/** A share with one file to keep and a larger one to remove, of which no layout is kept yet. */
async function newShareOfTwo(): Promise<{ shareId: string; ids: number[] }> {
  const shareId = await owner.share({ 'keep.txt': 'kept' })
  await service.app.storage.writers.close()
  await add(owner, shareId, { large })
  const { files } = (await owner.get(`/api/shares/${shareId}`)).json()
  return { shareId, ids: files.map(({ id }: { id: number }) => id) }
}

async function shareOfTwo(): Promise<{ shareId: string; ids: number[]; archive: Answer }> {
  const share = await newShareOfTwo()
  return { ...share, archive: await archiveOf(owner, share.shareId) }
}

type Change = (shareId: string, ids: number[]) => Promise<unknown>
const changes: [what: string, change: Change, names: string[]][] = [
  [
    'an addition',
    (shareId) => add(owner, shareId, { 'more.txt': 'more' }),
    ['keep.txt', 'large', 'more.txt'],
  ],
  ['a removal', (shareId, ids) => remove(owner, shareId, ids[1]!), ['keep.txt']],
]
for (const [what, change, names] of changes) {
  overtaken(`should send the new archive when ${what} comes before it is read`, async () => {
    const { shareId, ids } = await newShareOfTwo()
    const { archives } = service.app.services.downloads
    beforeNext(archives, 'content', () => change(shareId, ids))
    const answer = await anonymous.get(`/api/shares/${shareId}/download`)
    assert.equal(Object.keys(unpackTexts(answer.body)), names)
    const now = await archiveOf(owner, shareId)
    assert.is(answer.headers['etag'], now.headers['etag'])
    assert.ok(answer.body.equals(now.body))
  })
}

/** Removes the larger file, and its segment from disk unless it is read. */
async function removeLarge(shareId: string, ids: number[]): Promise<void> {
  await remove(owner, shareId, ids[1]!)
  // Requests that hang meanwhile are not waited for.
  for (let turn = 0; turn < 3; turn += 1) {
    await service.app.jobs.runAll()
    await until('the manifest is written', async () => {
      const due = await service.database.sql`
        select 1 from shares where manifest_revision is distinct from revision`
      return due.length === 0
    })
    service.clock.jump(5 * 60_000)
  }
}

const targets: [what: string, path: (ids: number[]) => string, headers: Record<string, string>][] =
  [
    ['an archive', () => 'download', {}],
    ['a range of an archive', () => 'download', { range: 'bytes=3-40' }],
    ['some files', (ids) => `download?files=${ids[0]}`, {}],
    ['a file', (ids) => `files/${ids[0]}`, {}],
  ]
for (const [what, pathOf, headers] of targets) {
  overtaken(`should send ${what} as it was while its files are removed`, async () => {
    const { shareId, ids } = await shareOfTwo()
    const path = `/api/shares/${shareId}/${pathOf(ids)}`
    const before = await anonymous.get(path, headers)
    beforeNext(service.app.storage.files, 'pin', () => removeLarge(shareId, ids))
    const answer = await anonymous.get(path, headers)
    assert.is(answer.status, headers['range'] ? 206 : 200)
    assert.is(answer.headers['etag'], before.headers['etag'])
    assert.ok(answer.body.equals(before.body))
    assert.is(service.logLines.filter((line) => line.includes('bytes of a container')).length, 0)
  })
}
