import type { Page, Route } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite } from '../helpers/browser.ts'
import { until } from '../helpers/until.ts'
import { choose, startScene, type Scene } from './sender.ts'

const thumbnails = browserSuite('web: thumbnails of sent files')

let scene: Scene

thumbnails.before(async () => {
  scene = await startScene()
})
thumbnails.after(() => scene.stop())
thumbnails.after.each(async () => {
  assert.equal(await scene.browser.closePages(), [])
})

/** Two red dots beside each other. */
const red = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR42mP4' +
    'z8AARAAI/gH/GcBr5wAAAABJRU5ErkJggg==',
  'base64',
)
const picture = (name: string, buffer: Buffer = red, mimeType = 'image/png') => {
  return { name, mimeType, buffer }
}

/** Sends nothing, and counts how often, and how often at once, pictures are decoded. */
async function open(): Promise<Page> {
  const page = await scene.browser.context.newPage()
  // The list is below the strip and the settings.
  await page.setViewportSize({ width: 1280, height: 1400 })
  await page.addInitScript(`
    const decode = createImageBitmap
    globalThis.decoding = { names: [], now: 0, most: 0 }
    globalThis.createImageBitmap = async (...input) => {
      // What is drawn for recipients is drawn at its own time.
      if (input[1]?.resizeQuality) return decode(...input)
      decoding.names.push(input[0].name)
      decoding.now += 1
      decoding.most = Math.max(decoding.most, decoding.now)
      try {
        return await decode(...input)
      } finally {
        decoding.now -= 1
      }
    }`)
  await page.route(/\/(chunk|tar)$/, () => {})
  await page.goto(scene.browser.address('/'))
  return page
}

const decoding = (page: Page) =>
  page.evaluate<{ names: string[]; now: number; most: number }>('decoding')
const row = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })
const painted = (page: Page) => page.locator('.rows canvas:not([hidden])')

thumbnails('should replace the icon of readable images only', async () => {
  const page = await open()
  await page.setViewportSize({ width: 1280, height: 1600 })
  await choose(page, [
    picture('red.png'),
    picture('broken.png', red.subarray(0, 45)),
    picture('text.txt', Buffer.from('words'), 'text/plain'),
    picture(
      'drawing.svg',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      'image/svg+xml',
    ),
    // Other elements may be behind a picture.
    picture('large.png', Buffer.concat([red, Buffer.alloc(20_000_001)])),
    picture('last.png'),
  ])
  const canvas = row(page, 'last.png').locator('canvas')
  await canvas.waitFor()
  // They are painted in order: none of the others follows later. A row that becomes that of an
  // upload in this moment is a new one, and gets its picture back.
  let pixel = { width: 0, height: 0, color: [0] }
  await until('both are painted', async () => {
    pixel = await canvas.evaluate((element) => {
      const { width, height, getContext } = element as any
      const middle = getContext.call(element, '2d').getImageData(width / 2, height / 2, 1, 1)
      return { width, height, color: [...middle.data] }
    })
    return pixel.width === 80 && (await painted(page).count()) === 2
  })
  assert.is(await row(page, 'red.png').locator('canvas').isVisible(), true)
  assert.is(await canvas.getAttribute('aria-hidden'), 'true')
  assert.equal(pixel, { width: 80, height: 40, color: [255, 0, 0, 255] })
  await until('it has its size', async () => {
    const box = await canvas.boundingBox()
    return box?.width === 40 && box.height === 40
  })
  assert.is(await row(page, 'last.png').locator('svg').count(), 1)
  for (const name of ['broken.png', 'text.txt', 'drawing.svg', 'large.png']) {
    assert.is(await row(page, name).locator('svg').count(), 2, name)
  }
  // Each of the three for its row, for the strip above, and perhaps again when its row becomes that
  // of an upload.
  assert.ok((await decoding(page)).names.length <= 3 * 3)
})

thumbnails('should be painted in a row whose canvas before ends late', async () => {
  const page = await open()
  await choose(page, [picture('red.png')])
  await row(page, 'red.png').locator('canvas').waitFor()
  const color = await page.evaluate(
    async (bytes) => {
      const { document, performance, Blob } = globalThis as any
      const loaded = performance.getEntriesByType('resource').map(({ name }: any) => name)
      const parts = loaded.filter((name: string) => /\/part-[^/]*\.js$/.test(name))
      const modules = await Promise.all(parts.map((name: string) => import(name)))
      const { paintWhenSeen } = modules.find((module) => module.paintWhenSeen)
      const painted = new Blob([new Uint8Array(bytes)], { type: 'image/png' })
      const shown = document.createElement('li')
      const [before, after] = [1, 2].map(() => document.createElement('canvas'))
      shown.append(before, after)
      document.body.prepend(shown)
      const stop = paintWhenSeen(before, painted, () => {})
      const ended = new Promise<void>((resolve) => paintWhenSeen(after, painted, resolve))
      stop()
      const late = new Promise<void>((resolve) => setTimeout(resolve, 10_000))
      await Promise.race([ended, late])
      return [...after.getContext('2d').getImageData(40, 20, 1, 1).data]
    },
    [...red],
  )
  assert.equal(color, [255, 0, 0, 255])
})

thumbnails('should be painted once, one after the other, when they are on the screen', async () => {
  const page = await open()
  const count = 100
  await choose(
    page,
    Array.from({ length: count }, (_, at) => picture(`picture ${at}.png`)),
  )
  await row(page, 'picture 0.png').locator('canvas').waitFor()
  const settled = async () => {
    let before: string[] = []
    await until('nothing more is painted', async () => {
      const { names, now } = await decoding(page)
      const isSettled = now === 0 && names.length === before.length
      before = names
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
      return isSettled
    })
    return before
  }
  // One that was read while its row became that of an upload is read once more.
  await until('they are painted', async () => (await painted(page).count()) > 3)
  const first = (await settled()).length
  assert.ok(first > 3 && first < count / 2, `${first} of ${count}`)
  const shown = await painted(page).count()
  // The strip has decoded some rows' pictures, so that these were copied.
  assert.ok(shown <= first + 4, `${shown} of ${first}`)
  assert.is(await row(page, 'picture 99.png').locator('canvas').isVisible(), false)
  // A row that becomes that of an upload in this moment is another element.
  const scrollTo = (name: string) =>
    until(`${name} is on the screen`, async () => {
      return row(page, name)
        .scrollIntoViewIfNeeded()
        .then(
          () => true,
          () => false,
        )
    })
  await scrollTo('picture 99.png')
  await row(page, 'picture 99.png').locator('canvas').waitFor()
  const second = await settled()
  await scrollTo('picture 0.png')
  await scrollTo('picture 99.png')
  // Rows at the edge of the screen may have been seen for the first time.
  const third = await settled()
  const again = third.slice(second.length).filter((name) => second.includes(name))
  assert.equal(again, [])
  assert.is((await decoding(page)).most, 1)
})

thumbnails('should keep names in line, and the last button beside them on a phone', async () => {
  const page = await open()
  await choose(page, [picture('red.png'), picture('notes.txt', Buffer.from('n'), 'text/plain')])
  await painted(page).waitFor()
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 800 })
    // In one step, because rows may become those of an upload in between.
    const rows = await page.evaluate<Record<'lead' | 'button' | 'name', number>[]>(
      `[...document.querySelectorAll('.rows > li')].map((row) => {
        const box = (selector) => row.querySelector(selector).getBoundingClientRect()
        const middle = ({ top, height }) => top + height / 2
        return { lead: middle(box('.lead')), button: middle(box('button')), name: box('bdi').x }
      })`,
    )
    assert.is(rows.length, 2)
    for (const { lead, button } of rows) assert.ok(Math.abs(lead - button) < 4, String(width))
    assert.is(rows[0]!.name, rows[1]!.name, `${width}: both names begin at the same place`)
  }
})

thumbnails(
  'should not be painted into rows that were removed while their code loaded',
  async () => {
    const page = await open()
    const held: Route[] = []
    await page.route('**/static/app/part-*', async (route) => {
      const response = await route.fetch()
      if ((await response.text()).includes('IntersectionObserver')) held.push(route)
      else await route.fulfill({ response })
    })
    await choose(page, [picture('red.png'), picture('last.png')])
    await until('their code is requested', () => held.length > 0)
    // Preact ends effects after the next frame, or 35 ms: neither comes from here on.
    await page.evaluate(`{
    const { setTimeout } = globalThis
    globalThis.setTimeout = (run, ms) => (ms === 35 ? 0 : setTimeout(run, ms))
    globalThis.requestAnimationFrame = () => 0
  }`)
    await page.getByRole('button', { name: 'Remove red.png' }).click()
    await row(page, 'red.png').waitFor({ state: 'detached' })
    for (const route of held) {
      await route.continue()
      // Whoever imported it first has continued by then.
      await page.evaluate(`import(${JSON.stringify(route.request().url())}).then(() => {})`)
    }
  },
)

thumbnails.run()
