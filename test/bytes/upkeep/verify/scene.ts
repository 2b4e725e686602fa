// Helpers of the verify tests: places of bytes, ways to damage them, and findings.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { Manifests } from '../../../../src/bytes/upkeep/manifests.ts'
import { createLog } from '../../../../src/lib/log.ts'
import { segmentFile } from '../../../../src/bytes/segments/files-on-disk.ts'
import type { Finding } from '../../../../src/bytes/upkeep/verify/findings-sql.ts'
import type { RunRow } from '../../../../src/bytes/upkeep/verify/runs-sql.ts'
import { Verify } from '../../../../src/bytes/upkeep/verify/verify.ts'
import { testProcess, type Service } from '../../../helpers/service.ts'

interface Stored {
  readonly containerId: string
  readonly segmentId: string
  readonly at: number
}
export interface Place extends Stored {
  readonly file: string
}

export async function placeOf(service: Service, name: string): Promise<Place> {
  const [row] = await service.database.sql<Stored[]>`
    select files.container_id, extents.segment_id, extents.segment_offset as at
    from files
    join extents on extents.file_id = files.id and extents.position = 0
    where original_name = ${name}`
  return placed(service, row!)
}

export async function chunkPlace(service: Service, fileKey: string): Promise<Place> {
  const [row] = await service.database.sql<Stored[]>`
    select container_id, segment_id, segment_offset as at from chunks where file_key = ${fileKey}`
  return placed(service, row!)
}

function placed(service: Service, row: Stored): Place {
  const file = segmentFile(service.storageDir, row.containerId, row.segmentId)
  assert.ok(existsSync(file))
  return { ...row, file }
}

export function flip({ file, at }: Pick<Place, 'file' | 'at'>): void {
  const bytes = readFileSync(file)
  bytes[at]! ^= 1
  writeFileSync(file, bytes)
}

interface VerifyOptions {
  /** Another byte-for-byte store than that of the service. */
  readonly verification?: Verify
  readonly isRestart?: boolean
  readonly onFinding?: (finding: Finding) => void
}

export async function verify(
  service: Service,
  { verification, isRestart = true, onFinding }: VerifyOptions = {},
): Promise<{ run: RunRow; findings: Finding[] }> {
  const findings: Finding[] = []
  const run = await (verification ?? service.app.services.verify).run({
    bytesPerSecond: null,
    isRestart,
    onFinding(finding) {
      findings.push(finding)
      onFinding?.(finding)
    },
  })
  assert.ok(run, 'no other run is under way')
  return { run, findings }
}

/** Runs something each time before bytes of a segment are read, until it is undone. */
export function beforeReading(
  service: Service,
  act: (segmentId: string) => Promise<unknown> | void,
): () => void {
  const { files } = service.app.storage
  const pin = files.pin.bind(files)
  files.pin = async (...call) => {
    await act(call[1])
    return pin(...call)
  }
  return () => {
    files.pin = pin
  }
}

/** Stops a run of the service when it opens its `nth` segment. */
export async function interrupt(
  service: Service,
  nth: number,
  onFinding: (finding: Finding) => void = () => {},
): Promise<void> {
  let count = 0
  const undo = beforeReading(service, () => {
    count += 1
    if (count === nth) service.app.services.verify.stop()
  })
  const failure = await verify(service, { onFinding }).catch((error: unknown) => error)
  undo()
  assert.match(String(failure), 'was stopped')
}

export function anotherVerify(service: Service): Verify {
  const { app, database } = service
  const log = createLog({ level: 'silent' })
  return new Verify({
    ...app,
    ...service,
    log,
    takeJob: testProcess.takeJob,
    damage: app.services.downloads.damage,
    manifests: new Manifests({ database, root: app.storage.root, log, owners: [], takeJob: null }),
    settings: { values: { verifyDays: 30 } },
    onFinished: () => {},
  })
}

export function wordsOf({ kind, fileName, chunk }: Finding): string {
  return `${kind} ${fileName ?? chunk?.fileKey ?? ''}`.trim()
}

/** Each finding as a word and a name. */
export async function found(service: Service): Promise<string[]> {
  const { findings } = await verify(service)
  return findings.map(wordsOf)
}

export async function isMarked(service: Service, name: string): Promise<boolean> {
  const rows = await service.database.sql`
    select 1 from files where original_name = ${name} and damaged_at is not null`
  return rows.length > 0
}
