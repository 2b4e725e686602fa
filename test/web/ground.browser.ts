// What stands behind and beside the card: readable on every ground, gone on paper and in forced
// colours; and corners that follow the branding everywhere.
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite, startBrowser } from '../helpers/browser.ts'
import { startService } from '../helpers/service.ts'
import { makeLink } from '../requests/guest.ts'

const ground = browserSuite('web: ground')

const service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
const admin = await service.admin()
const browser = await startBrowser(service.url)
await browser.logInAs(admin)
const paths: Record<'recipient' | 'guest' | 'unknown' | 'send' | 'login', string> = {
  recipient: `/s/${await admin.share({ 'a.jpg': 'a', 'b/c.pdf': 'c' }, { name: 'Holiday' })}`,
  guest: `/r/${await makeLink(admin, { name: 'Drafts' })}`,
  unknown: '/s/nothing-here',
  send: '/',
  login: '/login',
}
ground.after(() => service.stop())
ground.after.each(async () => {
  assert.equal(await browser.closePages(), [])
  await brand({})
})

const plain = { groundColor: '', groundPicture: '', cornerRadius: 'soft', accentColor: '#1d5fc4' }
const links = { imprintUrl: 'https://example.org/', privacyUrl: 'https://example.org/privacy' }

async function brand(changes: object): Promise<void> {
  const json = { ...plain, ...links, ...changes }
  const answer = await admin.call('PUT', '/api/config', { json })
  assert.is(answer.status, 200, answer.body.toString().slice(0, 300))
}

async function open(path: string): Promise<Page> {
  const page = await browser.open(path)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  // The footer is below the card.
  await page.setViewportSize({ width: 1280, height: 1400 })
  await page.locator('h1').waitFor()
  await page.getByText('Privacy', { exact: true }).waitFor()
  return page
}

// As text: the tests' types know no document.

/**
 * Words outside of the card with too little contrast to any pixel behind them. They are made
 * transparent for the picture, so that only what is behind them is seen.
 */
async function unreadable(page: Page): Promise<string[]> {
  const words = await page.evaluate<{ text: string; color: string; box: number[] }[]>(`(() => {
    // A smaller window may have been scrolled to the field with the focus.
    scrollTo(0, 0)
    const found = []
    const all = '.shell > header, .shell > footer'
    for (const part of document.querySelectorAll(all)) {
      const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT)
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const range = document.createRange()
        range.selectNodeContents(text)
        const { left, top, width, height } = range.getBoundingClientRect()
        const isShown = width > 1 && height > 1 && top >= 0 && top + height <= innerHeight
        if (!isShown || !text.data.trim() || !text.parentElement.checkVisibility()) continue
        const { color } = getComputedStyle(text.parentElement)
        found.push({ text: text.data, color, box: [left, top, width, height] })
      }
    }
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('.shell > * * { color: transparent !important; stroke: none !important }')
    document.adoptedStyleSheets = [sheet]
    return found
  })()`)
  assert.ok(words.length > 2, 'there are words outside of the card')
  const picture = (await page.screenshot()).toString('base64')
  await page.evaluate('void (document.adoptedStyleSheets = [])')
  return page.evaluate<string[]>(`(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${picture}'
    await image.decode()
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: image.width, height: image.height })
    const context = canvas.getContext('2d', { willReadFrequently: true })
    context.drawImage(image, 0, 0)
    const light = ([red, green, blue]) => {
      const part = (value) => {
        const share = value / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      }
      return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue) + 0.05
    }
    const dot = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
    return ${JSON.stringify(words)}.flatMap(({ text, color, box }) => {
      // A mixed colour is given as oklab().
      dot.fillStyle = color
      dot.fillRect(0, 0, 1, 1)
      const own = light(dot.getImageData(0, 0, 1, 1).data)
      const { data } = context.getImageData(...box.map(Math.round))
      let least = 21
      for (let at = 0; at < data.length; at += 4) {
        const behind = light(data.subarray(at, at + 3))
        least = Math.min(least, Math.max(own, behind) / Math.min(own, behind))
      }
      return least < 4.5 ? [text.trim() + ' ' + color + ': ' + least.toFixed(2)] : []
    })
  })()`)
}

/** Black and white squares, as a PNG: the hardest ground for words. */
async function drawSquares(): Promise<string> {
  const page = await browser.open('/login')
  const url = await page.evaluate<string>(`(() => {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 640, height: 400 })
    const context = canvas.getContext('2d')
    context.fillStyle = 'white'
    context.fillRect(0, 0, 640, 400)
    context.fillStyle = 'black'
    for (let n = 0; n < 640; n += 1) {
      const [column, row] = [n % 32, Math.floor(n / 32)]
      if ((column + row) % 2) context.fillRect(column * 20, row * 20, 20, 20)
    }
    return canvas.toDataURL('image/png')
  })()`)
  await page.close()
  return url
}

const grounds: readonly (readonly [name: string, changes: object])[] = [
  ['the usual pattern', {}],
  ['a black accent', { accentColor: '#000000' }],
  ['a white accent', { accentColor: '#ffffff' }],
  ['a black ground', { groundColor: '#000000' }],
  ['a white ground', { groundColor: '#ffffff' }],
  ['a grey ground', { groundColor: '#767676' }],
  ['a red ground', { groundColor: '#e30613', accentColor: '#e30613' }],
  ['a picture', { groundPicture: 'squares' }],
  ['a picture on a ground', { groundPicture: 'squares', groundColor: '#000000' }],
]

for (const [name, changes] of grounds) {
  ground(`should leave every word outside of the card readable on ${name}`, async () => {
    const hasPicture = 'groundPicture' in changes
    await brand(hasPicture ? { ...changes, groundPicture: await drawSquares() } : changes)
    for (const path of [paths.recipient, paths.login, paths.send]) {
      const page = await open(path)
      if (hasPicture) await page.waitForLoadState('networkidle')
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        for (const width of [1280, 390]) {
          await page.setViewportSize({ width, height: 1400 })
          assert.equal(await unreadable(page), [], `${path} ${colorScheme} ${width}`)
        }
      }
      await page.close()
    }
  })
}
