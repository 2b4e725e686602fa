import { formatBytes } from '../lib/sizes.ts'
import type { Finding } from '../bytes/upkeep/verify/findings-sql.ts'
import type { RunRow } from '../bytes/upkeep/verify/runs-sql.ts'
import { presentRun } from '../admin/verify-schemas.ts'
import type { Verify } from '../bytes/upkeep/verify/verify.ts'
import { ByteProgress } from './byte-progress.ts'
import { type Call, type Report, CommandError, UsageError } from './command.ts'
import { withApp } from './open-app.ts'
import { confirm } from './prompt.ts'
import { readRate } from './backup-arguments.ts'
import { printable } from './table.ts'

/** In the JSON document. */
const findingsMax = 1000
const progressMs = 2_000

/** Reads everything on disk; findings are printed as they come. */
export function verify(call: Call): Promise<Report> {
  if (call.has('yes') && !call.has('repair')) {
    throw new UsageError('--yes requires --repair')
  }
  // Refused now rather than after hours of reading.
  if (call.has('repair') && !call.has('yes') && !process.stdin.isTTY) {
    throw new UsageError('--repair removes files: add --yes, or run it in a terminal')
  }
  const bytesPerSecond = readRate(call.text('rate'))
  const isRestart = call.has('restart')
  const needs = { bytes: true, isQuiet: true, whenStopped: ': run it again to resume' }
  return withApp(needs, async ({ services }) => {
    const progress = new ByteProgress('checked', call.wantsJson)
    const say = (line: string) => {
      if (call.wantsJson) return
      progress.clear()
      process.stdout.write(`${line}\n`)
    }
    let isOver = false
    const showProgress = async () => {
      const { current } = await services.verify.report()
      if (current && !isOver) progress.show(current.bytesChecked, current.bytesTotal)
    }
    const timer = progress.isShown
      ? setInterval(() => void showProgress().catch(() => {}), progressMs)
      : undefined
    const findings: Finding[] = []
    const run = await services.verify
      .run({
        bytesPerSecond,
        isRestart,
        onResume: ({ bytesChecked }) =>
          say(`resuming after ${formatBytes(bytesChecked)} (--restart starts over)`),
        onFinding: (finding) => {
          say(describe(finding))
          if (call.wantsJson && findings.length < findingsMax) findings.push(finding)
        },
      })
      .finally(() => {
        isOver = true
        clearInterval(timer)
        progress.clear()
      })
    if (!run) {
      throw new CommandError(
        'a verification is already running: see GET /api/admin/status or Administration, Status',
      )
    }
    const removed = call.has('repair') ? await repair(call, services.verify, run) : 0
    return report(run, removed, findings)
  })
}

async function repair(call: Call, verification: Verify, run: RunRow): Promise<number> {
  const { orphaned } = run.counts
  if (orphaned === 0) return 0
  if (!call.has('yes')) {
    process.stderr.write(
      'After restoring an older database, these can be files of newer shares. Stop if so.\n',
    )
  }
  const what = orphaned === 1 ? 'the orphaned folder or segment' : `${orphaned} orphans`
  try {
    await confirm(`Type remove to permanently delete ${what}:`, 'remove', call.has('yes'))
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    process.stderr.write('nothing was removed\n')
    return 0
  }
  return verification.removeOrphans()
}

function report(run: RunRow, removed: number, findings: readonly Finding[]): Report {
  const { counts } = run
  const count = Object.values(counts).reduce((sum, some) => sum + some, 0)
  const kinds = Object.entries(counts).filter(([, some]) => some > 0)
  const found = kinds.map(([kind, some]) => `${some} ${kind}`).join(', ')
  const before =
    run.bytesResumed > 0 ? ` (${formatBytes(run.bytesResumed)} of it before resuming)` : ''
  const lines = [
    `checked ${formatBytes(run.bytesChecked)}${before}: ${found || 'no problems found'}`,
  ]
  if (removed > 0) lines.push(`removed ${removed} of ${counts.orphaned} orphaned`)
  return {
    json: { ...presentRun(run), removed, findings: findings.map(presentFinding) },
    text: lines.join('\n'),
    isFailure: count > 0,
  }
}

function presentFinding(finding: Finding): object {
  const { kind, containerId, segmentId, share, delivery, fileName, files, chunk } = finding
  return {
    kind,
    container_id: containerId,
    segment_id: segmentId,
    share,
    delivery: delivery && {
      id: delivery.id,
      reverse_share_id: delivery.reverseShareId,
      name: delivery.name,
    },
    file: fileName === null ? null : { id: finding.fileId, name: fileName },
    files,
    chunk: chunk ? { file_id: chunk.fileKey, index: chunk.index } : null,
  }
}

/** One line: the finding, its owner, its file. */
function describe(finding: Finding): string {
  const { kind, share, delivery, fileName, files, chunk, segmentId, containerId } = finding
  const words: string[] = [kind]
  if (share) words.push(`share ${share.id}${quoted(share.name)}`)
  if (delivery) words.push(`delivery to ${delivery.reverseShareId}${quoted(delivery.name)}`)
  if (fileName !== null) {
    words.push(`file “${fileName}”${files > 1 ? ` and ${files - 1} more` : ''}`)
  }
  if (chunk) words.push(`chunk ${chunk.index} of ${chunk.fileKey}: dropped, must be sent again`)
  words.push(segmentId === null ? `folder ${containerId}` : `segment ${containerId}/${segmentId}`)
  return printable(words.join('  '))
}

function quoted(name: string): string {
  return name === '' ? '' : ` “${name}”`
}
