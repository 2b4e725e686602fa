// Properties for any faults in any order: the service ends with exactly the bytes, no acknowledged
// chunk is sent again, and nothing is stuck.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { coded, fakeFile, html, mib, pass, Scene, type Fault } from './scene.ts'

const properties = suite('web: upload properties')

/** For archives alone: a refused chunk that cannot be divided would need the user. */
const refusedSize = html(413)

const anyFault = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Fault>(pass) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Fault>(
      { kind: 'lost' },
      { kind: 'ack lost' },
      { kind: 'hang' },
      { kind: 'mute' },
      coded(500, 'internal'),
      coded(503, 'unavailable'),
      coded(429, 'rate_limited'),
      coded(507, 'disk_full'),
      coded(409, 'conflict'),
      coded(408, 'request_timeout'),
      html(403),
      html(404),
      html(425),
      html(502),
      html(200),
      refusedSize,
      { kind: 'cut', files: 2 },
    ),
  },
)

/** Actions of users meanwhile. */
const anyAct = fc.constantFrom('pause', 'resume', 'tryNow', 'reload', 'forget', 'complete', 'wait')

const anySize = fc.oneof(
  fc.constantFrom(0, 1, 1000, mib, 8 * mib, 8 * mib + 1, 20 * mib, 33 * mib),
  fc.constantFrom(1, 512, 1000, 200_000, mib / 4 - 1, mib / 4),
)

properties('should end with exactly the bytes after any faults', async () => {
  const story = fc.asyncProperty(
    fc.array(anySize, { minLength: 1, maxLength: 12 }),
    fc.array(anyFault, { maxLength: 40 }),
    fc.array(fc.tuple(anyAct, fc.integer({ min: 0, max: 40_000 })), { maxLength: 8 }),
    fc.float({ min: 0, max: Math.fround(0.99), noNaN: true }),
    async (sizes, plan, acts, chance) => {
      const scene = new Scene()
      scene.clock.chance = () => chance
      const left = [...plan]
      scene.service.plan = ({ tar }) => {
        const fault = left.shift() ?? pass
        return fault === refusedSize && !tar ? pass : fault
      }
      const files = () => sizes.map((size, place) => fakeFile(`f/${place}`, size))
      scene.upload.add(files())
      let shown = 0
      const look = () => {
        const { bytesDone, bytes } = scene.upload.snapshot().totals
        assert.ok(bytesDone >= shown, `what is shown fell from ${shown} to ${bytesDone}`)
        assert.ok(bytesDone <= bytes)
        shown = bytesDone
      }
      for (const [act, ms] of acts) {
        if (act === 'reload' || act === 'forget') {
          if (act === 'reload') scene.reload()
          else scene.reload(null)
          scene.upload.add(files())
          shown = 0
        } else if (act === 'complete') void scene.upload.complete()
        else if (act !== 'wait') scene.upload[act]()
        for (let turn = 0; turn < 4; turn++) {
          await scene.clock.pass(ms / 4)
          look()
        }
      }
      scene.upload.resume()
      void scene.upload.complete()
      await scene.clock.until(() => ['done', 'stopped'].includes(scene.phase))
      // Clients without a record of a complete share are told so.
      if (scene.phase === 'stopped') {
        assert.is(scene.upload.snapshot().problem!.code, 'already_complete')
        assert.ok(acts.some(([act]) => act === 'reload' || act === 'forget'))
      } else look()
      const contents = scene.service.contents()
      assert.is(contents.size, sizes.length)
      for (const [place, size] of sizes.entries()) {
        assert.is(contents.get(`f/${place}`)!.bytes, size)
      }
      assert.equal(scene.service.violations, [])
      assert.ok(scene.service.parallelMost <= 4)
    },
  )
  await fc.assert(story, { numRuns: 150 })
})

properties('should find a chunk size that passes, with any limit of a proxy', async () => {
  const story = fc.asyncProperty(
    fc.integer({ min: mib / 2 + 1000, max: 40 * mib }),
    fc.array(anySize, { minLength: 1, maxLength: 8 }),
    fc.boolean(),
    async (limit, sizes, isSilent) => {
      const scene = new Scene()
      scene.service.plan = ({ chunk, tar }) => {
        if ((chunk?.bytes ?? tar ?? { size: 0 }).size + 600 <= limit) return pass
        return isSilent ? { kind: 'lost' } : html(413)
      }
      scene.upload.add(sizes.map((size, place) => fakeFile(`f/${place}`, size)))
      void scene.upload.complete()
      await scene.untilPhase('done')
      assert.is(scene.service.contents().size, sizes.length)
      assert.equal(scene.service.violations, [])
    },
  )
  await fc.assert(story, { numRuns: 60 })
})
