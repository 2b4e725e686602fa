import type { Bench } from './bench.ts'
import { openConnections } from './connection.ts'
import { totalBytes, type Target, type Uploaded, type UploadPlan } from './target.ts'

/** Repeats uploads by a plan; each run's result is removed before the next. */
export async function compareUploads(bench: Bench, name: string, plan: UploadPlan): Promise<void> {
  await bench.compare<Uploaded | null>({
    name,
    prepare: async () => null,
    run: async (target) => {
      const made = await target.upload(plan)
      const items = plan.fileBytes < plan.chunkBytes ? plan.fileCount : 0
      return { made, moved: { bytes: made.bytes, items } }
    },
    clean: async (target, made) => {
      if (made) await target.remove(made)
    },
  })
}

export interface DownloadScenario {
  readonly name: string
  /** Content of the service; the other side has one file of the same total size. */
  readonly plan: UploadPlan
  readonly kind: 'file' | 'archive'
  /** Number of downloads in one run, one after the other. */
  readonly times: number
}

/** Repeats downloads of uploaded files over one connection. */
export async function compareDownloads(bench: Bench, scenario: DownloadScenario): Promise<void> {
  const { name, plan, kind, times } = scenario
  await bench.compare<Uploaded>({
    name,
    prepare: async (target) => {
      const uploaded = await target.upload(target.label === 'native' ? asOneFile(plan) : plan)
      await target.restart()
      return uploaded
    },
    run: async (target, uploaded) => {
      const path = kind === 'file' ? uploaded.filePath : uploaded.archivePath
      const bytes = await download(target, path, times)
      return { made: uploaded, moved: { bytes, items: times > 1 ? times : 0 } }
    },
    clean: (target, uploaded) => target.remove(uploaded),
  })
}

function asOneFile(plan: UploadPlan): UploadPlan {
  const fileBytes = totalBytes(plan)
  return { fileCount: 1, fileBytes, chunkBytes: fileBytes, parallel: 1 }
}

async function download(target: Target, path: string, times: number): Promise<number> {
  const [connection] = await openConnections(target.port, 1)
  if (!connection) throw new Error('no connection')
  let bytes = 0
  for (let time = 0; time < times; time++) {
    bytes += (await connection.send({ method: 'GET', path })).bytes
  }
  connection.close()
  return bytes
}
