// @tus/server with its file store, as it comes. `node tus-server.mjs <folder>`.
import { FileStore } from '@tus/file-store'
import { Server } from '@tus/server'

const [folder = ''] = process.argv.slice(2)

const tus = new Server({ path: '/files', datastore: new FileStore({ directory: folder }) })
tus.get('/about', () =>
  Response.json({ id: 'about', name: 'folder', files: [{ id: 1, name: 'file', size: 4096 }] }),
)
const server = tus.listen({ host: '127.0.0.1', port: 0 }, () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`)
})
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})
