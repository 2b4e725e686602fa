// `npm run bench`: all parts in order, or the growth alone. See README.md.
import { benchArchives } from './archive.ts'
import { benchDownloads } from './download.ts'
import { benchGrowth } from './growth.ts'
import { benchIdle } from './idle.ts'
import { runBench } from './lib/bench.ts'
import { benchLatency } from './latency.ts'
import { benchRequests } from './requests.ts'
import { benchSmallFiles } from './small-files.ts'
import { benchUploads } from './upload.ts'

if (process.argv[2] === 'growth') {
  await benchGrowth(process.argv.slice(3))
} else {
  await runBench([
    benchUploads,
    benchSmallFiles,
    benchDownloads,
    benchArchives,
    benchRequests,
    benchLatency,
    benchIdle,
  ])
}
