import fs from 'node:fs'
import { gzipSync } from 'node:zlib'
const files = fs.readdirSync('static/app')
for (const part of ['app', 'manage', 'admin']) {
  const f = files.find((f) => f.startsWith(part + '.en-') && f.endsWith('.js'))
  const { texts } = await import('/work/p2/static/app/' + f)
  const g = (x) => gzipSync(typeof x === 'string' ? x : JSON.stringify(x), { level: 9 }).length
  const named = texts[0]
  console.log(
    part,
    'now',
    g(fs.readFileSync('static/app/' + f, 'utf8')),
    'named',
    Object.keys(named).length,
    'values only',
    g([...Object.values(named), ...texts.slice(1).flat()]),
  )
  // columns: keys joined, values joined
  console.log(
    ' cols',
    g(JSON.stringify([Object.keys(named).join(' '), Object.values(named), ...texts.slice(1)])),
  )
  // newline joined
  const vals = [...Object.values(named), ...texts.slice(1).flat()]
  console.log(
    ' lines',
    g(
      Object.keys(named).join(' ') +
        '\n' +
        vals
          .map((v) => (typeof v === 'string' ? v : Array.isArray(v) ? v.join('|') : v))
          .join('\n'),
    ),
  )
  // nested
  const tree = {}
  for (const [k, v] of Object.entries(named)) {
    const i = k.indexOf('.')
    const h = i < 0 ? '' : k.slice(0, i + 1)
    ;(tree[h] ??= {})[k.slice(i + 1)] = v
  }
  console.log(' nested', g([tree, ...texts.slice(1)]))
  const sorted = Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)))
  console.log(' sorted', g([sorted, ...texts.slice(1)]))
}
