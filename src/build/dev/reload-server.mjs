// Tells pages about new builds. A page requests a script at the path of the build that it knows
// (reload-in-page.js), and gets it once there is a newer one.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'

/** Pages ask again after this time. */
const heldMs = 60_000

/** @throws when the port is taken */
export async function openReloadServer(port, host) {
  let build = randomUUID()
  /** Pending answers, each with its timer. */
  const held = new Map()

  const answer = (response) => {
    clearTimeout(held.get(response))
    held.delete(response)
    response.writeHead(200, {
      'Content-Type': 'text/javascript',
      'Cache-Control': 'no-store',
      'Access-Control-Allow-Origin': '*',
    })
    response.end(`export const build = '${build}'\n`)
  }

  const server = createServer((request, response) => {
    const isUpToDate = request.url.split('?')[0] === `/${build}`
    if (!isUpToDate) return answer(response)
    held.set(
      response,
      setTimeout(() => answer(response), heldMs),
    )
    response.once('close', () => {
      clearTimeout(held.get(response))
      held.delete(response)
    })
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    reload() {
      build = randomUUID()
      for (const response of held.keys()) answer(response)
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
