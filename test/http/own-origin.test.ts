import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isOwnOrigin } from '../../src/http/own-origin.ts'

const origins = suite('own origin')
const baseUrl = 'https://files.example/below'

const own: [origin: string, host: string | undefined][] = [
  ['http://files.lan', 'files.lan'],
  ['http://files.lan', 'files.lan:80'],
  ['http://files.lan:80', 'files.lan'],
  ['http://files.lan', 'FILES.lan'],
  ['https://files.lan', 'files.lan:443'],
  ['http://files.lan:8080', 'files.lan:8080'],
  ['http://[::1]:8080', '[0::1]:8080'],
  // The host that a proxy has put in place of the client's.
  ['https://files.example', '127.0.0.1:8080'],
  ['https://FILES.example:443', 'files.example:8443'],
  ['https://files.example', undefined],
]
const foreign: [origin: string, host: string | undefined][] = [
  ['http://files.lan', 'files.lan:8080'],
  ['http://files.lan:8080', 'files.lan'],
  ['https://files.lan', 'files.lan:80'],
  ['http://evil.example', 'files.lan'],
  ['http://files.lan.evil.example', 'files.lan'],
  ['http://files.example', '127.0.0.1'],
  ['null', 'null'],
  ['', ''],
  ['file://files.lan', 'files.lan'],
  ['http://evil.example', 'evil.example/@files.lan'],
  ['http://files.lan', 'a@files.lan'],
  ['http://files.lan', undefined],
  [`http://${'a'.repeat(600)}`, 'a'.repeat(600)],
]

for (const [origin, host] of own) {
  origins(`should take ${origin} for ours at ${host}`, () => {
    assert.ok(isOwnOrigin(origin, host, baseUrl))
  })
}
for (const [origin, host] of foreign) {
  origins(`should take ${origin.slice(0, 40)} for another at ${host?.slice(0, 40)}`, () => {
    assert.not(isOwnOrigin(origin, host, baseUrl))
  })
}

origins.run()
