import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { escapeXml, parseXml, textOf } from '../../../src/bytes/store/s3/xml.ts'

const xml = suite('store: XML')

xml('should read elements, and the five entities of XML', () => {
  const root = parseXml('<?xml version="1.0"?>\n<A xmlns="x">\n<B>a &lt;&amp;&quot;</B><C/> </A>\n')
  assert.is(root.name, 'A')
  assert.is(textOf(root, 'B'), 'a <&"')
  assert.is(textOf(root, 'C'), '')
  assert.is(textOf(root, 'D'), null)
  assert.is(textOf(parseXml(`<A><B>${escapeXml(`<&>"'`)}</B></A>`), 'B'), `<&>"'`)
})

xml('should refuse what is no answer, in time that is linear in its length', () => {
  const nested = '<a>'.repeat(9) + '</a>'.repeat(9)
  const long = `<a>${'<'.repeat(1_000_000)}`
  const refused = [
    '',
    'text',
    '<a>',
    '<a></b>',
    '<!DOCTYPE a><a/>',
    '<a><!-- --></a>',
    nested,
    long,
  ]
  for (const text of refused) assert.throws(() => parseXml(text), /not valid/)
})
