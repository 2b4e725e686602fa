import * as v from 'valibot'
import { BackupProblem } from './problem.ts'

// A backup, as a folder or as a tar archive of the same files:
//
//     storage/<aa>/<container>/<segment>.seg   shared by all snapshots; only ever appended to
//     snapshots/<name>/
//       backup.json                            written first: what it is a backup of
//       secret.key                             unless the service has JWT_SECRET
//       database/<table>.gz.<nnnnnn>           rows in the text format of COPY
//       segments.gz.<nnnnnn>                   segments with their ends and checksums
//       complete.json                          written last: without it there is no snapshot
//       verified.json                          when it was checked, and what was found

export const headName = 'backup.json'
export const completeName = 'complete.json'
export const keyName = 'secret.key'
export const keyBytes = 32
export const listBase = 'segments'
export const snapshotPattern = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z$/
export const formatVersion = 1
export const jsonBytesMax = 1024 * 1024

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const tableName = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,62}$/))
const time = v.pipe(v.string(), v.isoTimestamp())
/** `bytes` is the sum of all parts. */
const written = v.object({ rows: count, parts: count, bytes: count })
export type Written = v.InferOutput<typeof written>

const headSchema = v.object({
  format: v.literal(formatVersion),
  version: v.string(),
  createdAt: time,
  /** Tells backups of different services apart. */
  service: v.pipe(v.string(), v.uuid()),
  storageRoot: v.pipe(v.string(), v.uuid()),
  migrations: v.pipe(v.array(v.string()), v.minLength(1)),
  /** In the order in which rows can be inserted. */
  tables: v.array(
    v.object({
      name: tableName,
      columns: v.array(v.string()),
      counters: v.array(v.object({ column: v.string(), last: v.nullable(v.string()) })),
    }),
  ),
  key: v.object({
    /** Whether the backup contains the key, or the service has it from JWT_SECRET. */
    isContained: v.boolean(),
    fingerprint: v.string(),
  }),
})

const completeSchema = v.object({
  finishedAt: time,
  tables: v.record(tableName, written),
  segments: v.object({ ...written.entries, count }),
  /** Bytes of all segments, and those that this run has copied. */
  storedBytes: count,
  copiedBytes: count,
  files: count,
  damaged: count,
})

export type Head = v.InferOutput<typeof headSchema>
export type Complete = v.InferOutput<typeof completeSchema>

export function toJson(value: Head | Complete): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}

/** @throws BackupProblem for a later format, or anything else */
export function parseHead(data: Buffer): Head {
  const found = parseJson(data, headName) as { format?: unknown } | null
  if (typeof found?.format === 'number' && found.format > formatVersion) {
    throw new BackupProblem('the backup was made by a newer version: restore it with that one')
  }
  return check(headSchema, found, headName)
}

/** @throws BackupProblem */
export function parseComplete(data: Buffer): Complete {
  return check(completeSchema, parseJson(data, completeName), completeName)
}

/** `2026-11-24T22-15-30Z`, in UTC. */
export function snapshotName(at: Date): string {
  return `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
}

export function snapshotTime(name: string): Date {
  return new Date(name.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'))
}

function parseJson(data: Buffer, name: string): unknown {
  try {
    if (data.length <= jsonBytesMax) return JSON.parse(data.toString('utf8'))
  } catch {
    // Reported below.
  }
  throw new BackupProblem(`${name} of the backup is damaged`)
}

function check<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  name: string,
): v.InferOutput<S> {
  const result = v.safeParse(schema, value)
  if (!result.success) throw new BackupProblem(`${name} of the backup is damaged`)
  return result.output
}
