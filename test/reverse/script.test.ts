// The script of a guest's page, on as much of a browser as it touches, against the real service.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runInNewContext } from 'node:vm'
import { packageRoot } from '../../src/lib/package-root.ts'
import type { Client } from '../helpers/client.ts'
import { startService, type Service } from '../helpers/service.ts'
import { makeLink } from './guest.ts'

const script = suite('reverse shares: script of the page')
const source = readFileSync(path.join(packageRoot, 'static', 'deliver.js'), 'utf8')
let service: Service
let owner: Client

script.before(async () => {
  service = await startService()
  owner = await service.user('owner@example.org')
})
script.after(() => service.stop())

interface Page {
  readonly elements: Record<string, any>
  readonly requests: string[]
  /** Presses "Send", and resolves when the script is done. */
  send(): Promise<void>
}

/** @param fails how often a request to this path fails before it reaches the service */
async function open(id: string, files: File[], fails: Record<string, number> = {}): Promise<Page> {
  const html = (await service.client().get(`/r/${id}`)).body.toString()
  const base = /data-base="([^"]*)"/.exec(html)?.[1]
  const button = { disabled: false }
  let submit = (_event: object) => {}
  const elements: Record<string, any> = {
    deliver: {
      dataset: { base, chunkBytes: '100000' },
      querySelector: () => button,
      addEventListener: (_name: string, listener: typeof submit) => {
        submit = listener
      },
    },
    button,
    files: { files },
    problem: { textContent: '' },
    progress: { value: 0, hidden: true },
    thanks: { textContent: '' },
    'sender-name': { value: 'Ada' },
    'sender-email': { value: '' },
    note: { value: 'Hello' },
  }
  const requests: string[] = []
  const send = async (address: string, options: RequestInit) => {
    requests.push(address.slice(base!.length))
    const left = fails[requests.at(-1)!] ?? 0
    fails[requests.at(-1)!] = left - 1
    if (left > 0) throw new TypeError('network')
    return fetch(service.url + address, options)
  }
  runInNewContext(source, {
    document: { getElementById: (name: string) => elements[name] },
    fetch: send,
    FormData,
    setTimeout: (resolve: () => void) => setImmediate(resolve),
  })
  return {
    elements,
    requests,
    async send() {
      submit({ preventDefault: () => {} })
      assert.is(button.disabled, true)
      while (button.disabled) await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

script('should deliver files in chunks, again where the network failed', async () => {
  const id = await makeLink(owner, { thankYouMessage: 'Thanks, <b>really</b>' })
  const content = Buffer.alloc(250_000, 'some text to be cut into three, ')
  const files = [new File([content], 'größe.txt', { type: 'text/plain' }), new File([], 'empty')]
  const page = await open(id, files, { '/init': 2, '/chunk': 1, '/finalize': 3 })
  await page.send()
  assert.is(page.elements['problem'].textContent, '')
  assert.is(page.elements['thanks'].textContent, 'Thanks, <b>really</b>')
  assert.equal([page.elements['deliver'].hidden, page.elements['progress'].value], [true, 1])
  assert.is(page.requests.filter((name) => name === '/chunk').length, 4)
  const [delivery] = (await owner.get(`/api/reverse/${id}/deliveries`)).json()
  assert.equal([delivery.sender_name, delivery.note], ['Ada', 'Hello'])
  const [first, second] = delivery.files
  assert.equal([first.original_name, first.mime_type], ['größe.txt', 'text/plain'])
  assert.equal([second.original_name, second.size], ['empty', 0])
  const download = await owner.get(`/api/reverse/files/${first.id}/download`)
  assert.ok(download.body.equals(content))
})

script('should say what the service refused, and let the guest try again', async () => {
  const id = await makeLink(owner, { maxSize: 10 })
  const page = await open(id, [new File(['more than ten bytes'], 'a.txt')])
  await page.send()
  assert.match(page.elements['problem'].textContent, /10 bytes/)
  assert.is(page.elements['thanks'].textContent, '')
  page.elements['files'].files = [new File(['little'], 'a.txt')]
  await page.send()
  assert.is(page.elements['thanks'].textContent, 'Your files have arrived.')
})

script('should give up in words when the service cannot be reached', async () => {
  const page = await open(await makeLink(owner), [new File(['x'], 'a.txt')], { '/init': 100 })
  await page.send()
  assert.match(page.elements['problem'].textContent, /could not be reached/)
  assert.is(page.requests.length, 8)
})

script.run()
