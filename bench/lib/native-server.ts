// The baseline in a separate process: the minimum that bare node:http and fs need to store bytes
// durably, and to send them back. `node native-server.js <folder>`.
import { createReadStream, createWriteStream } from 'node:fs'
import { open, stat, unlink } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'

const [folder = ''] = process.argv.slice(2)

const server = createServer({ requestTimeout: 0 }, (request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error)
    response.destroy()
  })
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const file = path.join(folder, path.basename(request.url ?? ''))
  switch (request.method) {
    case 'PUT':
      await pipeline(request, createWriteStream(file, { flush: false }))
      await syncFile(file)
      break
    case 'DELETE':
      await unlink(file)
      break
    default:
      if (request.url === '/about') return sendAbout(response)
      response.setHeader('Content-Length', (await stat(file)).size)
      return pipeline(createReadStream(file), response)
  }
  response.setHeader('Content-Length', 0)
  response.end()
}

/** A small JSON answer. */
function sendAbout(response: ServerResponse): void {
  const files = [{ id: 1, name: 'file', size: 4096 }]
  const text = JSON.stringify({ id: 'about', name: 'folder', files })
  response.setHeader('Content-Type', 'application/json')
  response.setHeader('Content-Length', Buffer.byteLength(text))
  response.end(text)
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})
server.listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
