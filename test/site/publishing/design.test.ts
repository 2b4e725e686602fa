import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { packageRoot } from '../../../src/lib/package-root.ts'
import { renderDesign } from '../../../src/site/publishing/design/design.ts'
import { productStyle } from '../../../src/site/publishing/design/product-style.ts'
import { drawings } from '../../../src/web/lib/file-icons.ts'
import * as icons from '../../../src/web/ui/icons.ts'
import { pluck } from '../../helpers/client.ts'

const folder = path.join(packageRoot, 'src/web/css')
const sources = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'))
const { html, sections } = renderDesign({ ui: icons, files: drawings }, ['/assets/product.css'])
const style = productStyle(packageRoot)

const design = suite('docs: design')

design('should show every class of the controls', () => {
  const shown = new Set(
    [...html.matchAll(/class="([^"]*)"/g)].flatMap(([, all]) => all!.split(' ')),
  )
  const controls = ['base.css', 'components.css'].map((name) =>
    readFileSync(path.join(folder, name), 'utf8'),
  )
  const rules = controls.join('\n').replaceAll(/\/\*.*?\*\/|'[^'\n]*'/gs, '')
  const known = new Set([...rules.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name!))
  assert.ok(known.size > 20)
  const missing = [...known].filter((name) => !shown.has(name))
  assert.equal(missing, [], 'show them in src/site/publishing/design/')
})

design('should have light and dark of each group, and a section for it', () => {
  const groups = [...html.matchAll(/<h2 id="([^"]*)"/g)].map(([, anchor]) => anchor)
  assert.ok(groups.length > 8)
  assert.equal(pluck(sections, 'anchor'), ['', ...groups])
  for (const theme of ['light', 'dark']) {
    assert.is(html.split(`data-theme="${theme}"`).length - 1, groups.length)
  }
  assert.not.match(html, /<script|\sstyle=|\son\w+=/)
})

design('should be made of the sources of the product', () => {
  for (const [token] of sources.join('').matchAll(/--[a-z0-9-]+(?=: )/g)) {
    assert.ok(style.includes(`${token}:`), token)
  }
  assert.not.match(style, /:root|(?<![\w.#-])body[{:,]/)
})
