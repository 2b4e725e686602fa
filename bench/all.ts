// `npm run bench`: all parts in order. See README.md.
import { benchArchives } from './archive.ts'
import { benchDownloads } from './download.ts'
import { benchIdle } from './idle.ts'
import { runBench } from './lib/bench.ts'
import { benchLatency } from './latency.ts'
import { benchRequests } from './requests.ts'
import { benchSmallFiles } from './small-files.ts'
import { benchUploads } from './upload.ts'

await runBench([
  benchUploads,
  benchSmallFiles,
  benchDownloads,
  benchArchives,
  benchRequests,
  benchLatency,
  benchIdle,
])
