import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { resolve, type DescribedAnswer } from '../../../src/site/description/document.ts'
import type { Document, Parameter } from '../../../src/site/description/document.ts'
import { codesOf } from '../../../src/site/description/errors.ts'
import { errorTable } from '../../../src/lib/errors.ts'
import { contentOf, curlOf, renderReference } from '../../../src/site/publishing/reference.ts'
import { sampleOf } from '../../../src/site/publishing/reference.ts'
import { description } from '../../helpers/description.ts'
import { problemsOf } from '../../helpers/json-schema.ts'

const root = description as Document
const { html, sections } = renderReference(root)
const operations = Object.entries(root.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([word, operation]) => ({
    method: word.toUpperCase(),
    path,
    operation,
  })),
)

const reference = suite('publishing: reference')

/** The text between the start of an operation and the next one. */
function partOf(operationId: string): string {
  const start = html.indexOf(`<div id="${operationId}">`)
  assert.ok(start > 0, `${operationId} is not in the reference`)
  return html.slice(start, html.indexOf('</details>', start))
}

for (const { method, path, operation } of operations) {
  const { operationId } = operation
  reference(`should show ${operationId} with its fields, answers, errors and a command`, () => {
    const part = partOf(operationId)
    assert.match(part, `curl ${method === 'GET' ? '' : `-X ${method} `}`)
    for (const [status, given] of Object.entries(operation.responses)) {
      assert.match(part, `<code>${status}</code>`)
      const { content = {} } = resolve<DescribedAnswer>(given, root)
      for (const { schema } of Object.values(content)) {
        for (const code of codesOf(schema, root))
          assert.match(part, `href="#error-${String(code)}"`)
      }
    }
    for (const { schema } of Object.values(operation.requestBody?.content ?? {})) {
      const { properties = {} } = resolve(schema, root)
      for (const name of Object.keys(properties)) assert.match(part, `<code>${name}</code>`)
    }
    assert.ok(sections.some(({ anchor, title }) => anchor === operationId && title.endsWith(path)))
  })

  reference(`should give examples of ${operationId} that its description allows`, () => {
    const command = curlOf(method, path, operation, root)
    assert.not.match(command, /[{}]\w+[{}]/, 'a parameter of the path is not filled in')
    for (const given of operation.parameters ?? []) {
      const { name, in: place, required } = resolve<Parameter>(given, root)
      if (place === 'query' && required) assert.match(command, new RegExp(`[?&]${name}=[^&"]`))
    }
    const body = operation.requestBody?.content['application/json']
    if (body) {
      const [, text] = /-d '(.*)'/s.exec(command) ?? []
      assert.equal(problemsOf(JSON.parse(text!), body.schema, root), [])
    }
    const answer = contentOf(operation)['application/json']
    if (answer) assert.equal(problemsOf(sampleOf(answer.schema, root), answer.schema, root), [])
  })
}

reference('should list every object and every error', () => {
  for (const [name, schema] of Object.entries(root.components.schemas)) {
    const isError = codesOf(schema, root).length > 0
    assert.is(html.includes(`<h3 id="object-${name}">`), !isError, name)
  }
  for (const [code, [status, message]] of Object.entries(errorTable)) {
    assert.match(html, `id="error-${code}"`)
    assert.match(html, String(status))
    assert.match(html, message.slice(0, 10).replaceAll("'", '&#39;'))
  }
})

reference('should say where one of some values can be null', () => {
  const object = html.slice(html.indexOf('<h3 id="object-Preferences">'))
  const row = object.slice(object.indexOf('<code>expirationUnit</code>'))
  assert.match(row.slice(0, row.indexOf('</tr>')), '<code>null</code>')
})
