// A realistic folder is uploaded, and its archive unpacks to the same folder everywhere.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Client } from '../helpers/client.ts'
import { startService, type Service } from '../helpers/service.ts'
import { filesBelow, fill, run, tarTools, tools } from '../helpers/unpack.ts'
import { patterned } from '../blobs/send/scene.ts'

const journey = suite('journey: a folder of 2,000 files')
const fileCount = 2000
const senders = 8

interface SentFile {
  originalName: string
  /** Its name when unpacked. */
  unpackedName: string
  content: Buffer
}

/** Names that cause trouble somewhere, with the resulting ones. */
const special: [originalName: string, unpackedName: string][] = [
  ['empty.txt', 'empty.txt'],
  ['twice.txt', 'twice.txt'],
  ['twice.txt', 'twice (1).txt'],
  ['twice.txt', 'twice (2).txt'],
  ['README.md', 'README.md'],
  ['readme.md', 'readme (1).md'],
  ['Straße/Ärger mit Übermaß.txt', 'Straße/Ärger mit Übermaß.txt'],
  // The same name twice, once composed and once decomposed (NFD), as a Mac sends it.
  ['Mu\u0308ller.txt', 'M\u00fcller.txt'],
  ['M\u00fcller.txt', 'M\u00fcller (1).txt'],
  ['漢字/かな カナ/한글.txt', '漢字/かな カナ/한글.txt'],
  ['party 🎉/👩‍👩‍👧 family.txt', 'party 🎉/👩‍👩‍👧 family.txt'],
  ['a/b/c/d/e/f/g/h.txt', 'a/b/c/d/e/f/g/h.txt'],
  [' leading and  double spaces.txt', ' leading and  double spaces.txt'],
  ['.hidden', '.hidden'],
  ['no extension', 'no extension'],
  ['archive.tar.gz', 'archive.tar.gz'],
  ['archive.tar.gz', 'archive (1).tar.gz'],
  ["it's (50%) & more, #1 [x] {y} @z ~ $.txt", "it's (50%) & more, #1 [x] {y} @z ~ $.txt"],
  ['CON.txt', '_CON.txt'],
  ['when: ever?.txt', 'when_ ever_.txt'],
  [`${'ä'.repeat(120)}.txt`, `${'ä'.repeat(120)}.txt`],
  ['-rf', '-rf'],
]

const folders = [
  '',
  'Fotos/Sommer 2025/',
  'Fotos/Größe/',
  '資料/',
  '🎁/inner/',
  'deep/er/and/deeper/',
]

function makeFiles(): SentFile[] {
  const named = special.map(([originalName, unpackedName], index) => ({
    originalName,
    unpackedName,
    content: originalName === 'empty.txt' ? Buffer.alloc(0) : patterned(index * 37 + 1),
  }))
  const plain = Array.from({ length: fileCount - special.length }, (_, index) => {
    const name = `${folders[index % folders.length]}Datei ${index}.dat`
    return { originalName: name, unpackedName: name, content: patterned((index * 7919) % 9000) }
  })
  return [...named, ...plain]
}

const files = makeFiles()
let service: Service
let owner: Client
let folder: string

journey.before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'transfer-folder-'))
  service = await startService()
  owner = await service.admin()
})
journey.after(async () => {
  await owner.close()
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

journey('should be uploaded through the API', async () => {
  const shareId = await owner.init({ name: 'Folder' })
  const waiting = files.entries()
  const send = async () => {
    for (const [index, { content, originalName }] of waiting) {
      const options = { fileName: originalName, fieldsFirst: index % 2 === 0 }
      const sent = await owner.chunk(shareId, `f${index}`, 0, content, options)
      assert.is(sent.status, 200, sent.body.toString())
    }
  }
  await Promise.all(Array.from({ length: senders }, send))
  const list = files.map(({ originalName, content }, index) => ({
    fileId: `f${index}`,
    originalName,
    size: content.length,
  }))
  const finalized = await owner.finalize(shareId, list)
  assert.is(finalized.status, 200, finalized.body.toString())

  const anonymous = service.client()
  const shown = (await anonymous.get(`/api/public/shares/${shareId}`)).json()
  assert.equal(
    shown.files.map((file: { original_name: string }) => file.original_name),
    files.map(({ originalName }) => originalName.normalize('NFC')),
  )
  for (const format of ['zip', 'tar']) {
    const download = await anonymous.get(`/api/shares/${shareId}/download?format=${format}`)
    assert.is(download.status, 200)
    writeFileSync(path.join(folder, `folder.${format}`), download.body)
  }
  await anonymous.close()
})

const extractions = [
  ...tools.map(({ title, extract }) => ({ title, extract, file: 'folder.zip' })),
  ...tarTools.map(({ title, extract }) => ({ title, extract, file: 'folder.tar' })),
]
for (const { title, extract, file } of extractions) {
  journey(`should unpack ${file} to identical names and bytes with ${title}`, async () => {
    const unpacked = path.join(folder, title)
    mkdirSync(unpacked)
    const command = fill(extract, path.join(folder, file), unpacked)
    const ran = await run(command, 'unpacking a folder')
    if (!ran) return
    assert.is(ran.code, 0, ran.output)
    const found = new Set(filesBelow(unpacked))
    const wanted = new Set(files.map(({ unpackedName }) => unpackedName))
    const unexpected = [...found].filter((name) => !wanted.has(name))
    const missing = [...wanted].filter((name) => !found.has(name))
    assert.equal({ unexpected, missing }, { unexpected: [], missing: [] })
    for (const { unpackedName, content } of files) {
      assert.ok(readFileSync(path.join(unpacked, unpackedName)).equals(content), unpackedName)
    }
    rmSync(unpacked, { recursive: true })
  })
}

journey.run()
