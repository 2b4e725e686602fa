// Express, Multer and archiver, as upload services are usually written: chunks are multipart files
// in a folder, finalize joins them by streams, nothing is synced. The paths are those of the
// service, so that the same client measures both. `node express-server.mjs <folder>`.
import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ZipArchive } from 'archiver'
import express from 'express'
import multer from 'multer'

const [folder = ''] = process.argv.slice(2)
const incoming = path.join(folder, 'incoming')
await mkdir(incoming, { recursive: true })

/** By id: the folder, the number of chunks of each file, and the files once joined. */
const shares = new Map()
await loadShares()
const upload = multer({ storage: multer.diskStorage({ destination: incoming }) })
const app = express()
app.use(express.json({ limit: '50mb' }))

app.param('shareId', (request, response, next, shareId) => {
  request.share = shares.get(shareId)
  if (request.share) next()
  else response.status(404).json({ error: 'not found' })
})

app.post('/api/auth/login', (request, response) => {
  response.json({ token: randomUUID() })
})

app.post('/api/shares/init', async (request, response) => {
  const shareId = randomUUID()
  await mkdir(addShare(shareId, []).folder)
  response.json({ shareId })
})

app.post('/api/shares/:shareId/chunk', upload.single('chunk'), async (request, response) => {
  const { share, file } = request
  const { fileId } = request.body
  const index = Number(request.body.chunkIndex)
  await rename(file.path, chunkFile(share, fileId, index))
  share.chunkCounts.set(fileId, Math.max(share.chunkCounts.get(fileId) ?? 0, index + 1))
  response.json({ received: index })
})

app.post('/api/shares/:shareId/finalize', async (request, response) => {
  const { share } = request
  for (const [place, { fileId, originalName, size }] of request.body.files.entries()) {
    const target = path.join(share.folder, `file-${place}`)
    await joinChunks(share, fileId, target)
    share.files.push({ id: place + 1, name: originalName, size, path: target })
  }
  const { shareId, files } = share
  await writeFile(noteFile(shareId), JSON.stringify(files))
  response.json({ shareId })
})

app.get('/api/public/shares/:shareId', (request, response) => {
  const { shareId, files } = request.share
  response.json({ shareId, files: files.map(({ id, name, size }) => ({ id, name, size })) })
})

app.get('/api/shares/:shareId/files/:fileId', (request, response) => {
  const file = request.share.files[Number(request.params.fileId) - 1]
  response.download(file.path, path.basename(file.name))
})

app.get('/api/shares/:shareId/download', (request, response) => {
  const archive = new ZipArchive({ store: true })
  archive.on('error', (error) => response.destroy(error))
  response.attachment(`${request.share.shareId}.zip`)
  archive.pipe(response)
  for (const file of request.share.files) archive.file(file.path, { name: file.name })
  archive.finalize()
})

app.delete('/api/shares/:shareId', async (request, response) => {
  shares.delete(request.share.shareId)
  await rm(request.share.folder, { recursive: true })
  await rm(noteFile(request.share.shareId), { force: true })
  response.json({ deleted: true })
})

async function loadShares() {
  for (const name of await readdir(folder)) {
    const { name: shareId, ext } = path.parse(name)
    if (ext === '.json') addShare(shareId, JSON.parse(await readFile(noteFile(shareId), 'utf8')))
  }
}

function addShare(shareId, files) {
  const share = { shareId, folder: path.join(folder, shareId), chunkCounts: new Map(), files }
  shares.set(shareId, share)
  return share
}

/** What a database would keep of a share. */
function noteFile(shareId) {
  return path.join(folder, `${shareId}.json`)
}

function chunkFile(share, fileId, index) {
  return path.join(share.folder, `${fileId}.${index}`)
}

async function joinChunks(share, fileId, target) {
  const output = createWriteStream(target)
  for (let index = 0; index < share.chunkCounts.get(fileId); index++) {
    const file = chunkFile(share, fileId, index)
    await pipeline(createReadStream(file), output, { end: false })
    await unlink(file)
  }
  await new Promise((resolve, reject) => {
    output.once('error', reject)
    output.end(resolve)
  })
}

const server = app.listen(0, '127.0.0.1', (error) => {
  if (error) throw error
  console.log(`listening on http://127.0.0.1:${server.address().port}`)
})
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})
