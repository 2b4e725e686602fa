// Run by the build: makes the files of an installed service that repeat our tables, so that they
// cannot become outdated. Argument: the folder for them.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeCompletion } from './completion.ts'
import { makeCommandPage, makeOptionPage } from './man-pages.ts'
import { makeOptionFile } from './option-file.ts'

const [folder = ''] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const files = {
  'transfer.1': makeCommandPage(),
  'transfer-service.5': makeOptionPage(),
  'transfer.bash': makeCompletion(),
  options: makeOptionFile(),
}
for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
