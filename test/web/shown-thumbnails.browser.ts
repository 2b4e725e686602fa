import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite, startBrowser, type Browser } from '../helpers/browser.ts'
import type { Client } from '../helpers/client.ts'
import { startService, type Service } from '../helpers/service.ts'
import { untilIs } from '../helpers/reads.ts'
import { until } from '../helpers/until.ts'
import { addThumbnails } from '../shares/thumbnails/scene.ts'
import { inEveryLook } from './looks.ts'

const shown = browserSuite('web: thumbnails of received files')
// Every look takes a while beside other work.

let service: Service
let owner: Client
let browser: Browser

shown.before(async () => {
  service = await startService()
  owner = await service.user('owner@example.org')
  browser = await startBrowser(service.url)
  await browser.logInAs(owner)
})
shown.after(async () => {
  await browser.close()
  await service.stop()
})
shown.after.each(async () => {
  assert.equal(await browser.closePages(), [])
})

/** A JPEG of one colour, made by the browser. */
async function jpeg(colour: string): Promise<Buffer> {
  const page = await browser.open('/livez')
  const url = await page.evaluate<string>(`(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 320
    canvas.height = 200
    const context = canvas.getContext('2d')
    context.fillStyle = '${colour}'
    context.fillRect(0, 0, 320, 200)
    return canvas.toDataURL('image/jpeg', 0.7)
  })()`)
  await page.close()
  return Buffer.from(url.split(',')[1]!, 'base64')
}

const colours = ['#b5651d', '#2a6f97', '#588157', '#e9c46a', '#9d4edd']

/** Photos and texts by their names; as many photos as there are colours have thumbnails. */
async function shareOf(names: readonly string[]): Promise<string> {
  const pictures = await Promise.all(colours.slice(0, names.length).map(jpeg))
  const shareId = await owner.init({ name: 'Holiday', message: 'See you on Sunday!' })
  const list = names.map((originalName, place) => ({
    fileId: `file-${place}`,
    originalName,
    size: pictures[0]!.length,
    mimeType: originalName.endsWith('.jpg') ? 'image/jpeg' : 'text/plain',
  }))
  for (const { fileId } of list) await owner.chunk(shareId, fileId, 0, pictures[0]!)
  assert.is((await owner.finalize(shareId, list)).status, 200)
  await addThumbnails(owner, shareId, Object.fromEntries(pictures.entries()))
  return shareId
}

const photos = [1, 2, 3, 4, 5, 6].map((place) => `beach ${place}.jpg`)
const holiday = () => shareOf([...photos, 'notes.txt'])

const rowPictures = (page: Page) => page.locator('li .tile > img')

shown('should reserve the places of the first ones before they load', async () => {
  const shareId = await holiday()
  const page = await browser.context.newPage()
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\/thumbnail$/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(browser.address(`/s/${shareId}`), { waitUntil: 'domcontentloaded' })
  await rowPictures(page).first().waitFor()
  const boxes = async () => {
    const places = [...(await page.locator('#strip img').all()), page.locator('#files')]
    return Promise.all(places.map((place) => place.boundingBox()))
  }
  const before = await boxes()
  release()
  const loaded = `[...document.images].filter((one) => one.naturalWidth === 320).length`
  await until('they are loaded', async () => (await page.evaluate<number>(loaded)) >= 4)
  assert.equal(await boxes(), before)
})

/** How many tiles the first line of the grid has; 0 for a list. */
const tilesOfLine = `(() => {
  const rows = [...document.querySelectorAll('.tiles .rows > li')].map((li) => li.offsetTop)
  return rows.filter((top) => top === rows[0]).length
})()`

shown('should show photos as a grid at first, and as the chosen view afterwards', async () => {
  const shareId = await shareOf(photos)
  const page = await browser.open(`/s/${shareId}`)
  await page.getByLabel('Show as list').waitFor()
  await until(async () => assert.ok((await page.evaluate<number>(tilesOfLine)) >= 3))
  await page.getByRole('button', { name: /^beach 2\.jpg/ }).click()
  await page.getByRole('dialog', { name: 'beach 2.jpg' }).waitFor()
  await page.keyboard.press('Escape')
  await inEveryLook(service.url, {}, async (other, check) => {
    const looked = await other.open(`/s/${shareId}`)
    await looked.getByLabel('Show as list').waitFor()
    await check(looked, 'received-grid')
  })
  await page.getByLabel('Show as list').check()
  await untilIs(() => page.evaluate<number>(tilesOfLine), 0)
  await page.reload()
  await page.getByLabel('Show as grid').waitFor()
  await untilIs(() => page.evaluate<number>(tilesOfLine), 0)
  await page.evaluate('localStorage.clear()')
})

shown('should choose files in the grid, and open folders as sections of it', async () => {
  const shareId = await shareOf(['a.jpg', 'b.jpg', 'days/c.jpg', 'days/d.jpg'])
  const page = await browser.open(`/s/${shareId}`)
  await page.getByRole('button', { name: /^d\.jpg/ }).waitFor()
  await page.getByRole('button', { name: 'Select files' }).click()
  await page.getByRole('checkbox', { name: /^c\.jpg/ }).check()
  await page.getByRole('link', { name: /^Download 1 / }).waitFor()
  await page.getByRole('checkbox', { name: /^c\.jpg/ }).uncheck()
})
