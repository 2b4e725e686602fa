import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { deviceOf } from '../../src/web/lib/device.ts'

const device = suite('web: devices')

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const linux = 'Mozilla/5.0 (X11; Linux x86_64)'
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)'
const tablet = 'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X)'
const android = 'Mozilla/5.0 (Linux; Android 14)'
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

const table: [userAgent: string, browser: string | null, system: string | null][] = [
  [`${windows} ${chrome} Edg/141.0.0.0`, 'Edge', 'Windows'],
  [`${linux} ${chrome}`, 'Chrome', 'Linux'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:144.0) Firefox/144.0', 'Firefox', 'macOS'],
  [`${phone} AppleWebKit/605.1 CriOS/141.0 Mobile Safari/604.1`, 'Chrome', 'iOS'],
  [`${tablet} AppleWebKit/605.1 Version/18.0 Safari/604.1`, 'Safari', 'iOS'],
  [`${android} SamsungBrowser/27.0 Chrome/125 Mobile Safari/537.36`, 'Samsung Internet', 'Android'],
  ['curl/8.9.1', 'curl', null],
  ['', null, null],
  ['something else', null, null],
]

for (const [userAgent, browser, system] of table) {
  device(`should recognize "${userAgent}" as ${browser} on ${system}`, () => {
    assert.equal(deviceOf(userAgent), { browser, system })
  })
}
