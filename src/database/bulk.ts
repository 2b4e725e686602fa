import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { LastingConnection, type ConnectionOptions } from './connection.ts'
import { createSql, type QueryConnection, type Sql } from './query.ts'

const connectTimeoutMs = 5_000
/** Sorting the extents of a large service, or building an index, sends no answer for long. */
const answerMsMax = 60 * 60_000

/** One connection for statements that run long, and for COPY. Its statements run in order. */
export interface Bulk {
  readonly sql: Sql
  /** The rows of `copy … to stdout`, in the text format. Read them before anything else. */
  copyOut(text: string): Promise<Readable>
  /** Sends the rows of `copy … from stdin`. @throws errors of the source and of the server */
  copyIn(text: string, source: AsyncIterable<Buffer>): Promise<void>
  /** Ends the connection, and with it an open transaction. */
  close(): Promise<void>
}

interface CopyQuery {
  reject: (error: Error) => void
  readable(): Promise<Readable>
  writable(): Promise<Writable>
}

/** Opens no connection before the first statement. */
export function openBulk(address: Omit<ConnectionOptions, 'onLoss'>): Bulk {
  const connection = new LastingConnection({ ...address, statementMsMax: 0, answerMsMax })
  const sql = createSql((send) => connection.run(send, performance.now() + connectTimeoutMs))
  const copy = async <T>(text: string, begin: (query: CopyQuery) => PromiseLike<T>) => {
    let fail: (error: Error) => void = () => {}
    const failed = new Promise<never>((_resolve, reject) => {
      fail = reject
    })
    failed.catch(() => {})
    const send = ({ client }: QueryConnection) => {
      const query = client.unsafe(text) as unknown as CopyQuery
      // The library reports an error that follows the last row only here: the promise of the query
      // has given the stream by then.
      const { reject } = query
      query.reject = (error) => {
        reject(error)
        fail(error)
      }
      return begin(query)
    }
    const started = await connection.run<T>(send, performance.now() + connectTimeoutMs)
    return { started, failed }
  }
  return {
    sql,
    async copyOut(text) {
      const { started: rows, failed } = await copy(text, (query) => query.readable())
      failed.catch((error: Error) => rows.destroy(error))
      // The library pauses its socket when the last rows fill the stream, and resumes it only when
      // the stream asks for more, which one that has ended never does.
      rows.once('end', () => rows._read(0))
      return rows
    },
    async copyIn(text, source) {
      const { started: target, failed } = await copy(text, (query) => query.writable())
      await Promise.race([pipeline(Readable.from(source, { objectMode: false }), target), failed])
    },
    close: () => connection.close(1),
  }
}
