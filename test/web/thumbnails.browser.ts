import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite } from '../helpers/browser.ts'
import { untilCount, untilIs } from '../helpers/reads.ts'
import { until } from '../helpers/until.ts'
import { choose, openFiles, startScene } from './sender.ts'

const thumbnails = browserSuite('web: thumbnails of sent files')

const scene = await startScene()
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
  await openFiles(page)
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
  await untilIs(() => row(page, 'red.png').locator('canvas').isVisible(), true)
  await untilIs(() => canvas.getAttribute('aria-hidden'), 'true')
  assert.equal(pixel, { width: 80, height: 40, color: [255, 0, 0, 255] })
  await until('it has its size', async () => {
    const box = await canvas.boundingBox()
    return box?.width === 48 && box.height === 48
  })
  await untilCount(row(page, 'last.png').locator('svg'), 1)
  for (const name of ['broken.png', 'text.txt', 'drawing.svg', 'large.png']) {
    await untilCount(row(page, name).locator('svg'), 2, name)
  }
  // Each of the three for its row, for the strip above, and perhaps again when its row becomes that
  // of an upload.
  assert.ok((await decoding(page)).names.length <= 3 * 3)
})

thumbnails('should be painted once, one after the other, when they are on the screen', async () => {
  const page = await open()
  const count = 100
  await choose(
    page,
    Array.from({ length: count }, (_, at) => picture(`picture ${at}.png`)),
  )
  await openFiles(page)
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
  await untilIs(() => row(page, 'picture 99.png').locator('canvas').isVisible(), false)
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
