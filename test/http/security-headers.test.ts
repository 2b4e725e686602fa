import { validateHeaderName, validateHeaderValue } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  apiHeaders,
  downloadHeaders,
  pageHeaders,
  runsScripts,
} from '../../src/http/security-headers.ts'

const headers = suite('security-headers')

const kinds = { apiHeaders, pageHeaders, downloadHeaders }

for (const [name, kind] of Object.entries(kinds)) {
  headers(`should send valid, frozen headers from ${name}, created once`, () => {
    for (const https of [false, true]) {
      const made = kind(https)
      assert.is(kind(https), made)
      assert.ok(Object.isFrozen(made))
      for (const [field, value] of Object.entries(made)) {
        validateHeaderName(field)
        validateHeaderValue(field, value)
      }
      assert.is(made['X-Content-Type-Options'], 'nosniff')
      assert.is(made['Referrer-Policy'], 'no-referrer')
      assert.is(made['Cross-Origin-Resource-Policy'], 'same-origin')
    }
  })

  headers(`should send HSTS from ${name} on https only`, () => {
    assert.not.ok('Strict-Transport-Security' in kind())
    assert.not.ok('Strict-Transport-Security' in kind(false))
    assert.match(kind(true)['Strict-Transport-Security'] ?? '', /^max-age=\d{8}$/)
  })
}

headers('should forbid storing, framing and running API answers', () => {
  assert.is(apiHeaders()['Cache-Control'], 'no-store')
  const policy = "default-src 'none'; frame-ancestors 'none'"
  assert.is(apiHeaders()['Content-Security-Policy'], policy)
})

headers('should allow pages only our own files, and scripts that carry the nonce', () => {
  const policy = runsScripts(pageHeaders(), 'abc')['Content-Security-Policy'] ?? ''
  const directives = policy.split('; ')
  const wanted = [
    "default-src 'none'",
    "script-src 'nonce-abc'",
    "style-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
  for (const directive of wanted) assert.ok(directives.includes(directive), directive)
  assert.not.match(policy, /unsafe|\*|https?:/)
  assert.not.match(pageHeaders()['Content-Security-Policy'] ?? '', 'script-src')
})

headers('should deny every right to files that users uploaded', () => {
  const policy = downloadHeaders()['Content-Security-Policy']
  assert.is(policy, "sandbox; default-src 'none'; frame-ancestors 'none'")
})

headers.run()
