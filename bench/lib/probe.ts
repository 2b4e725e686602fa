import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { setTimeout } from 'node:timers/promises'
import { Connection } from './connection.ts'

export interface Probe {
  readonly port: number
  readonly path: string
  readonly times: number
  /** Pause between two requests, so that the probe itself is no load. */
  readonly gapMs: number
}

/**
 * Asks for the path again and again on one connection, in a thread of its own: the thread that
 * moves the bytes would add its own delays.
 * @returns how long each answer took, in milliseconds
 */
export async function probe(options: Probe): Promise<Float64Array> {
  const worker = new Worker(new URL(import.meta.url), { workerData: options })
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
    })
  } finally {
    await worker.terminate()
  }
}

async function askAgainAndAgain({ port, path, times, gapMs }: Probe): Promise<Float64Array> {
  const connection = await Connection.open(port)
  const took = new Float64Array(times)
  for (let index = 0; index < times; index++) {
    const startedAt = process.hrtime.bigint()
    await connection.send({ method: 'GET', path })
    took[index] = Number(process.hrtime.bigint() - startedAt) / 1e6
    await setTimeout(gapMs)
  }
  connection.close()
  return took
}

if (!isMainThread) parentPort?.postMessage(await askAgainAndAgain(workerData as Probe))
