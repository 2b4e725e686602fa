// The style sheets keep to the tokens and to the grid, so that branding and scale stay whole.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { packageRoot } from '../../src/lib/package-root.ts'

const styles = suite('pages: styles')
const folder = path.join(packageRoot, 'src/web/css')

/** Every declaration as `file: property: value`, without those of tokens. */
const names = readdirSync(folder).filter((name) => name !== 'tokens.css')
const declarations = names.flatMap((name) => {
  const text = readFileSync(path.join(folder, name), 'utf8').replaceAll(/\/\*.*?\*\//gs, '')
  return [...text.matchAll(/(?<=[{;]\s*)([a-z-]+):\s*([^;{}]+);/g)].map(([, property, value]) => {
    return { name, property: property!, value: value!.replaceAll(/\s+/g, ' ') }
  })
})
const shown = ({ name, property, value }: (typeof declarations)[number]) =>
  `${name}: ${property}: ${value}`

styles('should have two sizes of headings, and one of text', () => {
  // Four words beside each other on the narrowest phones.
  const allowed = /^(var\(--(h1|h2)\)|1rem|inherit|clamp\(0\.75rem, 4vw, 1rem\))$/
  const wrong = declarations.filter(
    ({ property, value }) => property === 'font-size' && !allowed.test(value),
  )
  assert.equal(wrong.map(shown), [])
})

styles('should take every corner from the tokens', () => {
  const token = 'var\\(--(radius|radius-small|radius-card|pill)\\)'
  const allowed = new RegExp(
    `^(${token}|calc\\([\\d.]+ \\* ${token}\\)|calc\\(${token} / \\d\\)|0)$`,
  )
  const wrong = declarations.filter(
    ({ property, value }) => property.endsWith('radius') && !allowed.test(value),
  )
  assert.equal(wrong.map(shown), [])
})
