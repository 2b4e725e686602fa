// Names and order of the files on Send.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as assert from 'uvu/assert'
import { browserSuite, dropOn } from '../helpers/browser.ts'
import { untilEqual, untilValue } from '../helpers/reads.ts'
import { choose, file, getLink, heading, openFiles, shareIdOf, startScene } from './sender.ts'
import type { Scene } from './sender.ts'

const names = browserSuite('web: names on Send')

let scene: Scene

names.before(async () => {
  scene = await startScene()
})
names.after(() => scene.stop())
names.after.each(async () => {
  assert.equal(await scene.browser.closePages(), [])
})

names(
  'should name a share after its only file or folder, and several after their first',
  async () => {
    const page = await scene.browser.open('/')
    const title = page.getByLabel('Title')
    await choose(page, [file('IMG_001.jpg', 'one')])
    await untilValue(title, 'IMG_001')
    await choose(page, [file('IMG_002.jpg', 'two')])
    await page.getByText('IMG_002.jpg').waitFor()
    await untilValue(title, '')
    await getLink(page).click()
    await page.getByText('Your link is ready').waitFor()
    const recipient = await scene.browser.open(`/s/${shareIdOf(page)}`)
    await recipient.getByRole('heading', { level: 1, name: 'IMG_001.jpg' }).waitFor()
  },
)

names('should sort folders as recipients see them, also after Undo', async () => {
  const top = path.join(scene.folder, 'Alps')
  for (const [day, name] of [
    ['Day 2', '2.txt'],
    ['Day 10', '1.txt'],
    ['Day 1', '10.txt'],
    ['Day 1', '9.txt'],
  ] as const) {
    mkdirSync(path.join(top, day), { recursive: true })
    writeFileSync(path.join(top, day, name), `${day} ${name}`)
  }
  const page = await scene.browser.open('/')
  await heading(page, 'Send files').waitFor()
  await dropOn(page, top)
  const sorted = ['Alps', 'Day 1', '9.txt', '10.txt', 'Day 2', '2.txt', 'Day 10', '1.txt']
  const rows = () => page.locator('.rows bdi').allInnerTexts()
  await page.getByText('Uploaded. Private').waitFor()
  await openFiles(page)
  await untilEqual(() => rows(), sorted)
  await page.getByRole('button', { name: 'Remove Day 1', exact: true }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('9.txt').waitFor()
  await untilEqual(() => rows(), sorted)
})
